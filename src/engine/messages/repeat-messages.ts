import type { Milliseconds } from "../model/units.ts";
import type { Distributions } from "./compare-messages.ts";

/* A repeat run: the proxy sends one recorded request again, up to 1,000 times. */

/** Limits of a run. */
export const MOST_REPEATS = 1_000;
export const MOST_AT_ONCE = 100;

/** The suggested number of repeats. With fewer, a slow repeat at the beginning could be chance (docs/decisions.md). */
export const USUAL_REPEATS = 20;

export interface RepeatStarted {
  readonly repeatNumber: number;
}

/** Figures of the repeats' latencies, or of the recorded latencies. */
export interface RepeatFigures {
  readonly count: number;
  readonly p50: Milliseconds;
  readonly p95: Milliseconds;
  readonly least: Milliseconds;
  readonly most: Milliseconds;
}

/** Why the repeats allow no verdict. */
export type RepeatDoubt =
  /** The recorded request has no latency (`no-latency`), or is not slow (`not-slow`). */
  | "no-latency"
  | "not-slow"
  /** Too few repeats (`too-few`), or too few with the status of the recorded request (`answered-otherwise`). */
  | "too-few"
  | "answered-otherwise"
  /** The times of too many repeats are uncertain. */
  | "uncertain-times"
  /** All repeats were slow, but were sent at the same time. */
  | "only-at-once"
  /** Some repeats were slow, in an order that explains nothing. */
  | "mixed";

/**
 * What the repeats show; docs/decisions.md names the conditions. Only repeats with the status of the recorded request
 * are counted.
 */
export type RepeatVerdict =
  | { readonly kind: "always"; readonly slow: number; readonly count: number }
  | { readonly kind: "at-first"; readonly first: number; readonly slow: number; readonly count: number }
  /**
   * Slow only while other requests are in flight. `basis` says with what the repeats were compared: with the last run
   * whose repeats were sent one after another (`repeats`), or with the endpoint's recorded requests (`recorded`).
   */
  | { readonly kind: "beside-others"; readonly basis: "repeats" | "recorded" }
  /**
   * `beside`: the number of requests to the same server that were in flight when the recorded request started; `null`
   * if unknown.
   */
  | { readonly kind: "not-now"; readonly slow: number; readonly count: number; readonly beside: number | null }
  | { readonly kind: "unknown"; readonly doubt: RepeatDoubt; readonly slow: number; readonly count: number };

/** What the repeats show so far. */
export interface RepeatResult {
  readonly times: number;
  readonly atOnce: number;
  /** The number of repeats that have ended. */
  readonly ended: number;
  /**
   * The number of repeats that failed or had another status than the recorded request. They count in `ended`, but in no
   * latency.
   */
  readonly otherwise: number;
  /** The latency of the recorded request; `null` if it has none. */
  readonly latency: Milliseconds | null;
  /** From this latency on, a repeat is slow; `null` if the recorded request has no latency. */
  readonly slowFrom: Milliseconds | null;
  /** Recorded latencies of the endpoint; `null` if there are none. */
  readonly recorded: RepeatFigures | null;
  readonly repeats: RepeatFigures | null;
  /** The distributions of the recorded latencies (left) and of the repeats' latencies (right). */
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
