import type { ErrorType } from "../model/exchange.ts";
import type { Confidence, Finding, FindingKind } from "../model/finding.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../model/units.ts";

/* The ranked causes of lost time and bytes. They are searched for in the background, while a window asks for them. */

export interface FindingRecord extends Finding {
  /** Identifies it among the findings of its session, also after a later search. */
  readonly key: string;
}

/** The name of a finding, as shown with an exchange or an endpoint. */
export interface FindingName {
  readonly key: string;
  readonly kind: FindingKind;
  readonly summary: string;
  readonly confidence: Confidence;
  readonly time: Milliseconds | null;
  readonly bytes: Bytes | null;
  /** `time` is an upper bound. */
  readonly isUpTo: boolean;
}

/** The result of the last search. */
export interface RankedFindings {
  /** The costliest first, at most 100; paths at most 512 characters. With a filter, those with a matching exchange. */
  readonly findings: readonly FindingRecord[];
  /** The number of findings after the filter, including those beyond the first 100. */
  readonly matched: number;
  /** Findings before the filter. */
  readonly total: number;
  /** Ended exchanges that were examined. */
  readonly exchanges: number;
  /** Older exchanges that were not examined. */
  readonly older: number;
  readonly endpoints: number;
  readonly clients: number;
  readonly duration: Milliseconds;
  readonly waiting: Milliseconds;
}

export interface FindingsState {
  /** `null` until the first results. */
  readonly found: RankedFindings | null;
  /** The share of the exchanges that the results cover, 0 to 1; 0 until the first results. */
  readonly progress: number;
}

/** An exchange of a finding, as it is listed. */
export interface FindingExchange {
  readonly id: ExchangeId;
  readonly method: string;
  readonly origin: string;
  /** At most its first 512 characters. */
  readonly target: string;
  readonly status: number | null;
  readonly errorType: ErrorType | null;
  readonly start: Instant;
  readonly end: Instant;
}

export interface FindingDetail {
  readonly finding: FindingRecord;
  /** Its exchanges that are still in the list, the clearest examples first, at most 100. */
  readonly exchanges: readonly FindingExchange[];
}

/** Copies one finding, or all (`null`), as Markdown, redacted. The reply's value is the text. */
export type FindingCommand = { readonly type: "copy-findings"; readonly key: string | null };
