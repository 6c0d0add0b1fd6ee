import type { ErrorType } from "../model/exchange.ts";
import type { Link, RepeatKind } from "../model/findings.ts";
import type { Span } from "../model/span.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../model/units.ts";

/*
 * Chains, groups and repeats. They are costly to compute: searched only while a view requests them, off the capture
 * path.
 */

export type GroupColumn = "start" | "exchanges" | "duration";

/** One exchange of a chain or a group, as shown in a breakdown. */
export interface Step {
  readonly id: ExchangeId;
  readonly method: string;
  readonly origin: string;
  /** At most its first 512 characters. */
  readonly target: string;
  readonly status: number | null;
  readonly errorType: ErrorType | null;
  readonly start: Instant;
  readonly end: Instant;
  readonly spans: readonly Span[];
}

/** A chain: the same sequence of endpoints, walked once or more often. Its breakdown is that of the longest occurrence. */
export interface ChainRecord {
  /** The first exchange of all occurrences. */
  readonly key: ExchangeId;
  readonly count: number;
  /** Of the durations of all occurrences. */
  readonly median: Milliseconds;
  /** Of the longest occurrence, as all that follows. */
  readonly duration: Milliseconds;
  readonly client: string;
  readonly length: number;
  /** In order, at most the first 100. */
  readonly steps: readonly Step[];
  /** `links[i]` leads from `steps[i]` to `steps[i + 1]`; the evidence is captured text: secret. */
  readonly links: readonly Link[];
  /** The client's own time: the gaps between its requests, except those that Retry-After asked for. */
  readonly clientTime: Milliseconds;
  readonly retryAfterTime: Milliseconds;
  readonly proven: number;
  /** The largest saving from running a run of order links in parallel; `null` without such a run. */
  readonly couldSave: Milliseconds | null;
}

export interface Chains {
  /** At most 100: proven ones first, then by the time of all occurrences together; those that match the filter. */
  readonly chains: readonly ChainRecord[];
  /** Chains before the filter. */
  readonly total: number;
  /**
   * The share of the session that the chains cover, 0 to 1: 0 until the first list is made, 1 for a session without
   * exchanges.
   */
  readonly progress: number;
  /** Older exchanges that were not examined. */
  readonly leftOut: number;
  /** The setting `chainGap` that was applied. */
  readonly chainGap: Milliseconds;
}

export interface GroupRecord {
  /** `group` and the first exchange's id. */
  readonly key: string;
  readonly client: string;
  readonly exchanges: number;
  /** By start, at most the first 50. */
  readonly steps: readonly Step[];
  readonly start: Instant;
  readonly end: Instant;
  /** The largest number of its exchanges in flight at once. */
  readonly atOnce: number;
}

/** Repeated requests of one class to one endpoint. */
export interface RepeatRecord {
  /** The kind and the first exchange's id. */
  readonly key: string;
  readonly kind: RepeatKind;
  /** `<METHOD> <origin><path template>`; at most 512 characters. */
  readonly template: string;
  /** A sentence without its subject, the endpoint. */
  readonly summary: string;
  readonly exchanges: number;
  /** By start, at most the first 50. */
  readonly ids: readonly ExchangeId[];
  /** Waiting time that would be saved; `null` if unknown. */
  readonly time: Milliseconds | null;
  /** Whether `time` is an upper bound. */
  readonly isUpTo: boolean;
  /** Bytes that need not have been sent; `null` if unknown. */
  readonly bytes: Bytes | null;
  /** When the first began. */
  readonly start: Instant;
}
