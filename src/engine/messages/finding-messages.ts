import type { ErrorType } from "../model/exchange.ts";
import type { Confidence, Finding, FindingKind } from "../model/finding.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../model/units.ts";
import type { PageLoad, SlowestRequest, WaitPart } from "../model/where.ts";

/*
 * The ranked causes of lost time and bytes. The engine searches for them in the background while a window requests
 * them.
 */

export interface FindingRecord extends Finding {
  /** Identifies the finding in its session, also after a later search. */
  readonly key: string;
}

/** A finding's name, as shown with an exchange or an endpoint. */
export interface FindingName {
  readonly key: string;
  readonly kind: FindingKind;
  readonly summary: string;
  readonly confidence: Confidence;
  readonly time: Milliseconds | null;
  readonly bytes: Bytes | null;
  /** Whether `time` is an upper bound. */
  readonly isUpTo: boolean;
}

/** A page load, with at most its first 50 steps. */
export interface LoadRecord extends PageLoad {
  /** The number of steps, including those beyond the first 50. */
  readonly steps: number;
}

/** Where the time went (`Where`), with at most 512 characters of a path. */
export interface WhereRecord {
  readonly waiting: Milliseconds;
  /** The 10 largest parts. */
  readonly parts: readonly WaitPart[];
  /** The number of parts, including those beyond the first 10. */
  readonly partCount: number;
  /** Weir's own time in the waiting. */
  readonly weir: Milliseconds;
  readonly slowest: readonly SlowestRequest[];
  /** The 10 longest page loads, by start. */
  readonly loads: readonly LoadRecord[];
  readonly limits: readonly string[];
}

/** Where the time of the whole session went, whatever the filter is. */
export interface WhereFound {
  readonly where: WhereRecord;
  /** The number of ended exchanges that were examined. */
  readonly exchanges: number;
  readonly clients: number;
  /** `where.waiting`, and the time until streams began. */
  readonly waiting: Milliseconds;
}

/** The result of the last search. */
export interface RankedFindings {
  /**
   * At most 100, the costliest first; paths have at most 512 characters. With a filter, only findings with a matching
   * exchange.
   */
  readonly findings: readonly FindingRecord[];
  /** The number of findings after the filter, including those beyond the first 100. */
  readonly matched: number;
  /** The number of findings before the filter. */
  readonly total: number;
  /** The number of ended exchanges that were examined. */
  readonly exchanges: number;
  /** The number of older exchanges that were not examined. */
  readonly older: number;
  readonly endpoints: number;
  readonly clients: number;
  readonly duration: Milliseconds;
  readonly waiting: Milliseconds;
}

export interface FindingsState {
  /** `null` before the first results. It is newer than `found`, since it is found sooner. */
  readonly where: WhereFound | null;
  /** `null` before the first results. */
  readonly found: RankedFindings | null;
  /** The share of the exchanges that the results cover, 0 to 1; 0 before the first results. */
  readonly progress: number;
}

/** An exchange of a finding, a chain or a group, as it is listed. */
export interface FindingExchange {
  readonly id: ExchangeId;
  readonly method: string;
  readonly origin: string;
  /** The first 512 characters of the target. */
  readonly target: string;
  readonly status: number | null;
  readonly errorType: ErrorType | null;
  readonly start: Instant;
  readonly end: Instant;
}

export interface FindingDetail {
  readonly finding: FindingRecord;
  /** The finding's exchanges that were not evicted, at most 100; the clearest examples come first. */
  readonly exchanges: readonly FindingExchange[];
}
