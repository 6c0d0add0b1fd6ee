import type { Link } from "../model/link.ts";
import type { Span } from "../model/phases.ts";
import type { RepeatKind } from "../model/repeat.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../model/units.ts";
import type { FindingExchange } from "./finding-messages.ts";

/*
 * Chains, groups and repeats. They are costly to compute, so the engine searches for them only while a view requests
 * them.
 */

export const GROUP_COLUMNS = ["start", "exchanges", "duration"] as const;

export type GroupColumn = (typeof GROUP_COLUMNS)[number];

/** One exchange of a chain or a group, as shown in a breakdown. */
export interface Step extends FindingExchange {
  readonly spans: readonly Span[];
}

/** A walk: a sequence of endpoints that occurred once or more often. Its breakdown shows the longest occurrence. */
export interface ChainRecord {
  /** The first exchange of the walk's first occurrence. */
  readonly key: ExchangeId;
  readonly count: number;
  /** The median duration of all occurrences. */
  readonly median: Milliseconds;
  /** The duration of the longest occurrence. All further fields belong to this occurrence. */
  readonly duration: Milliseconds;
  readonly client: string;
  readonly length: number;
  /** The steps in order, at most the first 100. */
  readonly steps: readonly Step[];
  /** `links[i]` leads from `steps[i]` to `steps[i + 1]`. The evidence is captured text: secret. */
  readonly links: readonly Link[];
  /**
   * The client's own time: how long the client had no exchange in flight between the steps. Gaps that Retry-After asked
   * for do not count.
   */
  readonly clientTime: Milliseconds;
  readonly retryAfterTime: Milliseconds;
  readonly proven: number;
  /**
   * The time that parallel requests would save, if the exchanges of `sequential` links do not depend on each other.
   * `null` if too few such links follow each other.
   */
  readonly couldSave: Milliseconds | null;
}

export interface Chains {
  /**
   * At most 100 chains that match the filter. Proven chains come first. Among the proven chains, and among the others,
   * those with the longest total time come first.
   */
  readonly chains: readonly ChainRecord[];
  /** The number of chains before the filter. */
  readonly total: number;
  /**
   * The share of the session that was searched for these chains, 0 to 1. It is 0 before the first list, and 1 for a
   * session without exchanges.
   */
  readonly progress: number;
  /** The number of older exchanges that were not examined. */
  readonly leftOut: number;
  /** The setting `chainGap` with which the chains were searched. */
  readonly chainGap: Milliseconds;
}

export interface GroupRecord {
  /** `group` and the id of the group's first exchange. */
  readonly key: string;
  readonly client: string;
  readonly exchanges: number;
  /** The exchanges in the order of their starts, at most the first 50. */
  readonly steps: readonly Step[];
  readonly start: Instant;
  readonly end: Instant;
  /** The largest number of the group's exchanges that ran at once. */
  readonly atOnce: number;
}

/** Repeated requests of one class to one endpoint. */
export interface RepeatRecord {
  /** The kind, and the id of the first exchange. */
  readonly key: string;
  readonly kind: RepeatKind;
  /** As in `Repeat`; at most 512 characters. */
  readonly template: string;
  /** As in `Repeat`. */
  readonly summary: string;
  readonly exchanges: number;
  /** The exchanges in the order of their starts, at most the first 50. */
  readonly ids: readonly ExchangeId[];
  /** The waiting time that would be saved; `null` if unknown. */
  readonly time: Milliseconds | null;
  /** Whether `time` is an upper bound. */
  readonly isUpTo: boolean;
  /** Bytes that were sent needlessly; `null` if unknown. */
  readonly bytes: Bytes | null;
  /** When the first of the requests began. */
  readonly start: Instant;
}
