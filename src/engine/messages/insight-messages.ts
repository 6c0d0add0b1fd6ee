import type { Endpoint } from "../model/endpoint.ts";
import type { Direction, TrendMetric } from "../model/findings.ts";
import type { ExchangeId } from "../model/units.ts";
import type { CompareColumn, CompareRecord, Comparison } from "./compare-messages.ts";
import type { Chains, GroupColumn, GroupRecord, RepeatRecord } from "./finding-messages.ts";
import type { Grouping } from "./grouping-messages.ts";
import type { Range, Sort } from "./list-messages.ts";
import type { PayloadColumn, PayloadDetail, PayloadRecord } from "./payload-messages.ts";
import type { Density, TimelineRecord, TimeRange } from "./timeline-messages.ts";
import type { Baseline, TrendColumn, TrendRecord } from "./trend-messages.ts";

/*
 * Queries of the insight views and their answers: payload, timeline, chains, groups, repeats, trends, comparison,
 * grouping of paths.
 */

// ---- queries ------------------------------------------------------------------------------------------------

export type InsightListQuery =
  /** The sizes of endpoints that have a row. */
  | { readonly view: "payload"; readonly filter: string; readonly sort: Sort<PayloadColumn>; readonly range: Range }
  /** Exchanges by start. `between`: only exchanges that ran at some time within it; `null`: all. */
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
  /** Compares two sessions by id; `null` stands for the current session. Sorted by the change from left to right. */
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
  /** The minimap above the timeline: `between` in `slices` equal parts; `null` for the whole session. */
  | {
      readonly view: "density";
      readonly filter: string;
      readonly between: TimeRange | null;
      readonly slices: number;
    }
  /** Chains with a matching exchange. */
  | { readonly view: "chains"; readonly filter: string }
  /** The number of endpoints with each verdict of a comparison. */
  | {
      readonly view: "comparison";
      readonly left: string | null;
      readonly right: string | null;
      readonly filter: string;
    }
  /** The sessions that trends compare with, and how many are missing. */
  | { readonly view: "baseline" }
  /** What "Group similar paths" folds, or would fold if it were on. */
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
  readonly chains: Chains;
  /** `null` if the figures of one of the sessions are not kept, or if the filter does not apply to endpoints. */
  readonly comparison: Comparison | null;
  readonly baseline: Baseline;
  readonly grouping: Grouping;
}

// ---- commands -----------------------------------------------------------------------------------------------

/** Estimates the sizes of a body under other codings. The reply's value is a `CompressionEstimate`. */
export type InsightCommand = { readonly type: "estimate-compression"; readonly exchange: ExchangeId };
