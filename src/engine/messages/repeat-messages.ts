import type { Milliseconds } from "../model/units.ts";
import type { Distributions } from "./compare-messages.ts";

/* Repeats of one recorded request, sent by the proxy. */

/** Limits of one run. Defaults; not from a specification. */
export const MOST_REPEATS = 1_000;
export const MOST_AT_ONCE = 100;

/** With fewer, one slow repeat at the beginning could not be told from chance (docs/decisions.md). */
export const USUAL_REPEATS = 20;

export interface RepeatStarted {
  readonly repeatNumber: number;
}

/** Latencies of one side. */
export interface RepeatFigures {
  readonly count: number;
  readonly p50: Milliseconds;
  readonly p95: Milliseconds;
  readonly least: Milliseconds;
  readonly most: Milliseconds;
}

/** Why the repeats allow no verdict. */
export type RepeatDoubt =
  /** The recorded request has no latency, or is not slow. */
  | "no-latency"
  | "not-slow"
  /** Too few repeats were answered as the recorded request was. */
  | "too-few"
  | "answered-otherwise"
  /** The clock was read late in too many of them. */
  | "uncertain-times"
  /** All were slow, but beside each other. */
  | "only-at-once"
  /** Some were slow, in no order that tells why. */
  | "mixed";

/** docs/decisions.md has the gates. Counts are of the repeats that were answered as the recorded request was. */
export type RepeatVerdict =
  | { readonly kind: "always"; readonly slow: number; readonly count: number }
  | { readonly kind: "at-first"; readonly first: number; readonly slow: number; readonly count: number }
  /** By the run before, one after another, or by the recorded requests of the endpoint. */
  | { readonly kind: "beside-others"; readonly basis: "repeats" | "recorded" }
  /** `beside`: requests to the same server that were in flight when the recorded one began. */
  | { readonly kind: "not-now"; readonly slow: number; readonly count: number; readonly beside: number }
  | { readonly kind: "unknown"; readonly doubt: RepeatDoubt; readonly slow: number; readonly count: number };

/** What the repeats show so far. */
export interface RepeatResult {
  readonly times: number;
  readonly atOnce: number;
  /** Repeats that have ended. */
  readonly ended: number;
  /** Those that failed, or were answered with another status than the recorded request; they are in no figure here. */
  readonly otherwise: number;
  /** The latency of the recorded request; `null` without one. */
  readonly latency: Milliseconds | null;
  /** A repeat is slow from here on; `null` without a latency. */
  readonly slowFrom: Milliseconds | null;
  /** Its endpoint's recorded latencies. `null`: there are none. */
  readonly recorded: RepeatFigures | null;
  readonly repeats: RepeatFigures | null;
  /** The recorded latencies (left) and those of the repeats (right). */
  readonly distributions: Distributions | null;
  /** `null` until the run has ended. */
  readonly verdict: RepeatVerdict | null;
}

export interface RepeatProgress {
  readonly type: "repeat-progress";
  readonly repeatNumber: number;
  readonly result: RepeatResult;
  readonly done: boolean;
  /** Why the run ended early, as a sentence. */
  readonly problem: string | null;
}
