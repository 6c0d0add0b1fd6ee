import type { Milliseconds } from "../model/units.ts";
import type { Distributions } from "./compare-messages.ts";

/* A replay run: the proxy sends one recorded request again, up to 1,000 times. */

/** Limits of a run. */
export const MOST_REPLAYS = 1_000;
export const MOST_AT_ONCE = 100;

/** The suggested number of replays. With fewer, a slow replay at the beginning could be chance (docs/decisions.md). */
export const USUAL_REPLAYS = 20;

export interface ReplayStarted {
  readonly replayNumber: number;
}

/** Figures of the replays' latencies, or of the recorded latencies. */
export interface ReplayFigures {
  readonly count: number;
  readonly p50: Milliseconds;
  readonly p95: Milliseconds;
  readonly least: Milliseconds;
  readonly most: Milliseconds;
}

/** Why the replays allow no verdict. */
export type ReplayDoubt =
  /** The recorded request has no latency (`no-latency`), or is not slow (`not-slow`). */
  | "no-latency"
  | "not-slow"
  /** Too few replays (`too-few`), or too few with the status of the recorded request (`answered-otherwise`). */
  | "too-few"
  | "answered-otherwise"
  /** The times of too many replays are uncertain. */
  | "uncertain-times"
  /** All replays were slow, but were sent at the same time. */
  | "only-at-once"
  /** Some replays were slow, in an order that explains nothing. */
  | "mixed";

/**
 * What the replays show; docs/decisions.md names the conditions. Only replays with the status of the recorded request
 * are counted.
 */
export type ReplayVerdict =
  | { readonly kind: "always"; readonly slow: number; readonly count: number }
  | { readonly kind: "at-first"; readonly first: number; readonly slow: number; readonly count: number }
  /**
   * Slow only while other requests are in flight. `basis` says with what the replays were compared: with the last run
   * whose replays were sent one after another (`replays`), or with the endpoint's recorded requests (`recorded`).
   */
  | { readonly kind: "beside-others"; readonly basis: "repeats" | "recorded" }
  /**
   * `beside`: the number of requests to the same server that were in flight when the recorded request started; `null`
   * if unknown.
   */
  | { readonly kind: "not-now"; readonly slow: number; readonly count: number; readonly beside: number | null }
  | { readonly kind: "unknown"; readonly doubt: ReplayDoubt; readonly slow: number; readonly count: number };

export interface ReplayResult {
  readonly times: number;
  readonly atOnce: number;
  readonly ended: number;
  /**
   * The number of replays that failed or had another status than the recorded request. They count in `ended`, but in no
   * latency.
   */
  readonly otherwise: number;
  /** The latency of the recorded request; `null` if it has none. */
  readonly latency: Milliseconds | null;
  /** From this latency on, a replay is slow; `null` if the recorded request has no latency. */
  readonly slowFrom: Milliseconds | null;
  /** Recorded latencies of the endpoint; `null` if there are none. */
  readonly recorded: ReplayFigures | null;
  readonly replays: ReplayFigures | null;
  /** The distributions of the recorded latencies (left) and of the replays' latencies (right). */
  readonly distributions: Distributions | null;
  /** `null` until the run has ended. */
  readonly verdict: ReplayVerdict | null;
}

export interface ReplayProgress {
  readonly type: "replay-progress";
  readonly replayNumber: number;
  readonly result: ReplayResult;
  readonly done: boolean;
  /** Why the run ended early, as a sentence. */
  readonly problem: string | null;
}
