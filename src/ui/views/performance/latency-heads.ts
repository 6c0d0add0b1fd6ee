import type { LatencyColumn } from "../../../engine/messages/latency-messages.ts";
import type { Sort } from "../../../engine/messages/list-messages.ts";
import { type Column, type Head, headsOf } from "../table-heads.ts";

export type LatencyHead = Head<LatencyColumn>;

/** The Spread is drawn from the columns beside it and the trend is of p95: neither sorts. */
const COLUMNS: readonly Column<LatencyColumn>[] = [
  { column: "endpoint", label: "Endpoint", unit: "", kind: "" },
  { column: "requests", label: "Requests", unit: "", kind: "cell-end" },
  { column: "p50", label: "p50", unit: "ms", kind: "cell-end" },
  { column: "p95", label: "p95", unit: "ms", kind: "cell-end" },
  { column: "p99", label: "p99", unit: "ms", kind: "cell-end" },
  { column: null, label: "Spread", unit: "", kind: "spread-head" },
  { column: "avgSize", label: "Avg Size", unit: "", kind: "cell-end" },
  { column: "errorRate", label: "Error Rate", unit: "", kind: "cell-end" },
  { column: null, label: "Trend", unit: "", kind: "trend-head" },
];

/** The heads from left to right, of a list in that order. */
export function latencyHeadsOf(sort: Sort<LatencyColumn>): readonly LatencyHead[] {
  return headsOf(COLUMNS, sort);
}
