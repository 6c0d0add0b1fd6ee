import type {
  CollectingRecord,
  EndpointStats,
  LatencyColumn,
  LatencyRecord,
} from "../../../../engine/messages/latency-messages.ts";
import type { Sort } from "../../../../engine/messages/list-messages.ts";
import type { EndpointTrend } from "../../../../engine/messages/trend-messages.ts";
import { bytesPhrase, bytesTextOrNone } from "../../../format/bytes.ts";
import { countPhrase, countText, NO_FIGURE, NOT_COUNTED } from "../../../format/count.ts";
import { durationText } from "../../../format/duration.ts";
import { type EndpointTexts, endpointTextsOf } from "../../../format/endpoint.ts";
import { percentText } from "../../../format/percent.ts";
import { changeTextOf, signedText } from "../../../format/trend.ts";
import { type Column, type ColumnHeader, headersOf } from "../../column-headers.ts";
import { type LatencyAxis, latencyRangeOf } from "./latency-range.ts";

/**
 * The fewest samples for which the p99 is not shown dimmed; with fewer, it is close to the maximum
 * (docs/specification.md, Percentile).
 */
const SURE_P99_SAMPLES = 100;

/** From this percentage on, an error rate is coloured like a failure. */
const ERROR_MARK = 5;

const ROW_REQUESTS = 5;

/** The fewest sessions for which a trend is shown. */
const TREND_SESSIONS = 3;

export type LatencyRow = ReturnType<typeof latencyRowOf>;

/** An endpoint without a row of its own, because it has too few requests. */
export interface CollectingRow extends EndpointTexts {
  readonly key: string;
  readonly requests: string;
}

export function latencyRowOf(stats: LatencyRecord, axis: LatencyAxis | null) {
  const size = bytesTextOrNone(stats.avgSize);
  const spread = axis === null ? null : latencyRangeOf(stats, axis);
  const [p50, p95, p99] = [stats.p50, stats.p95, stats.p99].map(durationText) as [string, string, string];
  return Object.freeze({
    key: stats.endpoint,
    ...endpointTextsOf(stats),
    requests: countText(stats.requests),
    requestsTitle: NOT_COUNTED,
    total: durationText(stats.totalLatency),
    p50,
    p95,
    p99,
    unsure: stats.samples < SURE_P99_SAMPLES,
    samples: samplesText(stats.samples),
    /** Paths of the drawing in the column Spread; "" if there is no sample. */
    spread: spread?.body ?? "",
    spreadTail: spread?.tail ?? "",
    spreadText: spread === null ? NO_FIGURE : `p50 ${p50}, p95 ${p95}, p99 ${p99} ms`,
    size: size.value,
    sizeUnit: size.unit,
    sizeTitle: sizeTitle(stats),
    errorRate: percentText(stats.errorRate),
    errorTitle: `${countText(stats.errors)} of ${countPhrase(stats.requests, "request", "requests")}`,
    failing: stats.errorRate >= ERROR_MARK,
    faultless: stats.errors === 0,
    ...trendTextsOf(stats.trend),
  });
}

export function collectingRowOf(record: CollectingRecord): CollectingRow {
  return Object.freeze({
    key: record.endpoint,
    ...endpointTextsOf(record),
    requests: countPhrase(record.requests, "request", "requests"),
  });
}

/** The change against the baseline: a mark, a size, a word; a dash if there are too few sessions. */
function trendTextsOf(trend: EndpointTrend) {
  if (trend.kind === "omitted") {
    return {
      trendKind: "is-omitted",
      trendSize: "",
      trendWord: NO_FIGURE,
      trendTitle: `A trend needs ${TREND_SESSIONS} completed sessions in which this endpoint had at least ${ROW_REQUESTS} requests; so far there are ${trend.sessions}`,
    };
  }
  const { kind, size, word, detail } = changeTextOf({ metric: "latency", ...trend });
  const change = signedText("latency", trend.change);
  const against = `${durationText(trend.baseline)} ms, the median of ${trend.sessions} sessions`;
  const open = trend.direction === "stable" && detail !== "" ? `; ${trend.note}` : "";
  return {
    trendKind: kind,
    trendSize: size,
    trendWord: trend.of === "p50" ? `${word} at p50` : word,
    trendTitle: `${trend.of} ${change} against ${against}${open}`,
  };
}

const GREYED = `p99 is greyed if it comes from fewer than ${SURE_P99_SAMPLES} latencies`;

/** Explains greyed p99 values and missing trends. `recorded`: the text of `recordedText`. */
export function noteOf(recorded: string): string {
  return recorded === "" ? GREYED : `Trend: ${recorded} · ${GREYED}`;
}

function samplesText(samples: number): string {
  if (samples === 0) return "Failures, event streams and WebSockets have no latency";
  const from = `From ${countPhrase(samples, "latency", "latencies")}`;
  return samples < SURE_P99_SAMPLES ? `${from}; ${GREYED}` : from;
}

function sizeTitle({ avgSize, avgDecodedSize, avgRequestSize }: EndpointStats): string {
  if (avgSize === null) return `No complete response yet; mean request body ${bytesPhrase(avgRequestSize)}`;
  const decoded = avgDecodedSize === null ? "" : `, ${bytesPhrase(avgDecodedSize)} decoded`;
  return `Mean response body ${bytesPhrase(avgSize)} as transferred${decoded}; mean request body ${bytesPhrase(avgRequestSize)}`;
}

export type LatencyHeader = ColumnHeader<LatencyColumn>;

/**
 * The list cannot be sorted by Spread, which only draws the percentiles, or by Trend, whose change is of the p95 or of
 * the p50.
 */
const COLUMNS: readonly Column<LatencyColumn>[] = [
  { column: "endpoint", label: "Endpoint", unit: "", kind: "" },
  { column: "requests", label: "Requests", unit: "", kind: "cell-end slim:hidden" },
  { column: "totalLatency", label: "Time in total", unit: "ms", kind: "cell-end" },
  { column: "p50", label: "p50", unit: "ms", kind: "cell-end" },
  { column: "p95", label: "p95", unit: "ms", kind: "cell-end" },
  { column: "p99", label: "p99", unit: "ms", kind: "cell-end" },
  { column: null, label: "Spread", unit: "", kind: "spread-head" },
  { column: "avgSize", label: "Avg Size", unit: "", kind: "cell-end slim:hidden" },
  { column: "errorRate", label: "Error Rate", unit: "", kind: "cell-end" },
  { column: null, label: "Trend", unit: "", kind: "trend-head slim:hidden" },
];

export function latencyHeadersOf(sort: Sort<LatencyColumn>): readonly LatencyHeader[] {
  return headersOf(COLUMNS, sort);
}
