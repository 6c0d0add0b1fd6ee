import type { Endpoint } from "../model/endpoint.ts";
import type { Direction, TrendMetric } from "../model/findings.ts";
import type { ExchangeId } from "../model/units.ts";
import type { CompareColumn, CompareRecord } from "./compare-messages.ts";
import type { Chains, GroupColumn, GroupRecord, RepeatRecord } from "./finding-messages.ts";
import type { Grouping } from "./grouping-messages.ts";
import type { Range, Sort } from "./list-messages.ts";
import type { PayloadColumn, PayloadDetail, PayloadRecord } from "./payload-messages.ts";
import type { Density, TimelineRecord, TimeRange } from "./timeline-messages.ts";
import type { Baseline, TrendColumn, TrendRecord } from "./trend-messages.ts";

/*
 * What the views of insight ask: payload, timeline, chains, groups, repeats, trends, comparison, grouping of paths; and by
 * what each is answered.
 */

// ---- questions ----------------------------------------------------------------------------------------------

export type InsightListQuery =
  /** Endpoints that have a row. */
  | { readonly view: "payload"; readonly filter: string; readonly sort: Sort<PayloadColumn>; readonly range: Range }
  /** Exchanges by start; `between`: only those that ran at some time of it, `null`: all. */
  | {
      readonly view: "timeline";
      readonly filter: string;
      readonly between: TimeRange | null;
      readonly range: Range;
    }
  | { readonly view: "groups"; readonly sort: Sort<GroupColumn>; readonly range: Range }
  /** By first start. */
  | { readonly view: "repeats"; readonly range: Range }
  | {
      readonly view: "trends";
      readonly filter: string;
      readonly metric: "all" | TrendMetric;
      readonly direction: "all" | Direction;
      readonly sort: Sort<TrendColumn>;
      readonly range: Range;
    }
  /** Two sessions side by side, by id; `null` = the one being recorded. Sorted by the change from left to right. */
  | {
      readonly view: "compare";
      readonly left: string | null;
      readonly right: string | null;
      readonly filter: string;
      readonly sort: Sort<CompareColumn>;
      readonly range: Range;
    };

export type InsightValueQuery =
  /** Sizes of one endpoint. */
  | { readonly view: "payload-endpoint"; readonly endpoint: Endpoint }
  /** The strip above the timeline: `between` (`null`: the whole session) in `slices` equal parts. */
  | {
      readonly view: "density";
      readonly filter: string;
      readonly between: TimeRange | null;
      readonly slices: number;
    }
  | { readonly view: "chains" }
  /** How far trends are: the sessions that they compare with. */
  | { readonly view: "baseline" }
  /** What "Group similar paths" would do, or does. */
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
  /** `null`: the endpoint has no row (any more). */
  readonly "payload-endpoint": PayloadDetail | null;
  readonly density: Density;
  readonly chains: Chains;
  readonly baseline: Baseline;
  readonly grouping: Grouping;
}

// ---- commands -----------------------------------------------------------------------------------------------

/** Sizes that other codings would give. The reply's value is a `CompressionEstimate`. */
export type InsightCommand = { readonly type: "estimate-compression"; readonly exchange: ExchangeId };
