import type { GainsFound } from "../model/load-gain.ts";
import type { Chains, GroupRecord, RepeatRecord } from "./chain-messages.ts";
import type { CompareRecord, Comparison, MarkedChanges } from "./compare-messages.ts";
import type { Grouping } from "./grouping-messages.ts";
import type { PayloadDetail, PayloadRecord } from "./payload-messages.ts";
import type { CriticalPathRecord, Density, TimelineRecord } from "./timeline-messages.ts";
import type { Baseline, TrendRecord } from "./trend-messages.ts";

/* Answers to queries of the insight views (insight-decode.ts). */

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
  /** `null`: no path is proven, or the session is still being searched. */
  readonly "critical-path": CriticalPathRecord | null;
  /** `null` before the first answer. */
  readonly "what-if": GainsFound | null;
  readonly chains: Chains;
  /** `null` if the figures of one of the sessions are not kept, or if the filter does not apply to endpoints. */
  readonly comparison: Comparison | null;
  readonly "marked-changes": MarkedChanges;
  readonly baseline: Baseline;
  readonly grouping: Grouping;
}
