import type { CompareRecord, Comparison } from "./compare-messages.ts";
import type { Chains, GroupRecord, RepeatRecord } from "./finding-messages.ts";
import type { Grouping } from "./grouping-messages.ts";
import type { Range, Sort } from "./list-messages.ts";
import type { PayloadColumn, PayloadDetail, PayloadRecord } from "./payload-messages.ts";
import type { CriticalPathRecord, Density, TimelineRecord, TimeRange } from "./timeline-messages.ts";
import type { Baseline, TrendColumn, TrendRecord } from "./trend-messages.ts";

/*
 * Queries of the insight views and their answers: payload, timeline, chains, groups, repeats, trends, comparison,
 * grouping of paths.
 */

// ---- queries ------------------------------------------------------------------------------------------------

export type InsightListQuery =
  /** Endpoints that have a row. */
  | { readonly view: "payload"; readonly filter: string; readonly sort: Sort<PayloadColumn>; readonly range: Range }
  /** Exchanges by start; `between`: only those that ran at some time in it, `null`: all. */
  | {
      readonly view: "timeline";
      readonly filter: string;
      readonly between: TimeRange | null;
      readonly range: Range;
    }
  | { readonly view: "groups"; readonly sort: Sort<GroupColumn>; readonly range: Range }
  /** Repeats with a matching exchange, the costliest first. */
  | { readonly view: "repeats"; readonly filter: string; readonly range: Range }
  | {
      readonly view: "trends";
      readonly filter: string;
      readonly metric: "all" | TrendMetric;
      readonly direction: "all" | Direction;
      readonly sort: Sort<TrendColumn>;
      readonly range: Range;
    }
  /** Compares two sessions by id; `null` = the current session. Sorted by the change from left to right. */
  | {
      readonly view: "compare";
      readonly left: string | null;
      readonly right: string | null;
      readonly filter: string;
      readonly sort: Sort<CompareColumn>;
      readonly range: Range;
    };

export type InsightValueQuery =
  /** The sizes of one endpoint. */
  | { readonly view: "payload-endpoint"; readonly endpoint: Endpoint }
  /** The strip above the timeline: `between` (`null`: the whole session) in `slices` equal parts. */
  | {
      readonly view: "density";
      readonly filter: string;
      readonly between: TimeRange | null;
      readonly slices: number;
    }
  /**
   * The critical path around `exchange`; else of the longest page that began in `between`; else, where all that matches is of
   * one client, of that client's longest sequence. Its ends match the filter.
   */
  | {
      readonly view: "critical-path";
      readonly filter: string;
      readonly between: TimeRange;
      readonly exchange: ExchangeId | null;
    }
  /** Chains with a matching exchange. */
  | { readonly view: "chains"; readonly filter: string }
  /** The verdicts of a comparison, as in the list `compare`. */
  | {
      readonly view: "comparison";
      readonly left: string | null;
      readonly right: string | null;
      readonly filter: string;
    }
  /** The baseline's progress: the sessions that trends compare with. */
  | { readonly view: "baseline" }
  /** What "Group similar paths" would fold, or folds. */
  | { readonly view: "grouping" };

// ---- answers ------------------------------------------------------------------------------------------------

export interface InsightRecordOf {
  readonly payload: PayloadRecord;
  readonly timeline: TimelineRecord;
  readonly groups: GroupRecord;
  readonly repeats: RepeatRecord;
  readonly trends: TrendRecord;
  readonly compare: CompareRecord;
}

export interface InsightValueOf {
  /** `null` if the endpoint has no row, or no longer has one. */
  readonly "payload-endpoint": PayloadDetail | null;
  readonly density: Density;
  /** `null`: none is proven, or the session is still being searched. */
  readonly "critical-path": CriticalPathRecord | null;
  readonly chains: Chains;
  /** `null` if the figures of one of the sessions are not kept, or if the filter does not apply to endpoints. */
  readonly comparison: Comparison | null;
  readonly baseline: Baseline;
  readonly grouping: Grouping;
}
