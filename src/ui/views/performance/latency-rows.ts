import type { CollectingRecord, EndpointStats, LatencyRecord } from "../../../engine/messages/latency-messages.ts";
import type { EndpointTrend } from "../../../engine/messages/trend-messages.ts";
import { bytesPhrase, bytesTextOrNone } from "../../format/bytes.ts";
import { countPhrase, countText, NO_FIGURE } from "../../format/count.ts";
import { durationText } from "../../format/duration.ts";
import { type EndpointTexts, endpointTextsOf } from "../../format/endpoint.ts";
import { percentText } from "../../format/percent.ts";
import { changeTextOf, signedText } from "../../format/trend.ts";
import { type SpreadAxis, spreadOf } from "./spread.ts";

/** decisions.md, Percentile: with fewer samples p99 is little more than the slowest one, so it stands quiet. */
const SURE_P99_SAMPLES = 100;

/** mock/README.md: from this share of errors on, percent, the rate is marked as failed. Our choice. */
const ERROR_MARK = 5;

/** The seed: an endpoint has a row from this many requests on. */
const ROW_REQUESTS = 5;

/** The seed, Limits: fewer sessions than this and a trend is omitted. */
const TREND_SESSIONS = 3;

/** One endpoint of the latency table. */
export interface LatencyRow extends EndpointTexts {
  readonly key: string;
  readonly requests: string;
  readonly p50: string;
  readonly p95: string;
  readonly p99: string;
  readonly unsure: boolean;
  readonly samples: string;
  /** Paths of the Spread drawing; "" without a sample. */
  readonly spread: string;
  readonly spreadTail: string;
  readonly spreadText: string;
  readonly size: string;
  readonly sizeUnit: string;
  readonly sizeTitle: string;
  readonly errorRate: string;
  readonly errorTitle: string;
  readonly failing: boolean;
  readonly faultless: boolean;
  /** How its p95 does against the baseline: a mark, a size, a word. "2 of 3 sessions" where that cannot be said yet. */
  readonly trendKind: string;
  readonly trendSize: string;
  readonly trendWord: string;
  readonly trendTitle: string;
}

/** One endpoint that has no row yet. */
export interface CollectingRow extends EndpointTexts {
  readonly key: string;
  readonly progress: string;
}

export function latencyRowOf(stats: LatencyRecord, axis: SpreadAxis | null): LatencyRow {
  const size = bytesTextOrNone(stats.avgSize);
  const spread = axis === null ? null : spreadOf(stats, axis);
  const [p50, p95, p99] = [stats.p50, stats.p95, stats.p99].map(durationText) as [string, string, string];
  return Object.freeze({
    key: stats.endpoint,
    ...endpointTextsOf(stats),
    requests: countText(stats.requests),
    p50,
    p95,
    p99,
    unsure: stats.samples < SURE_P99_SAMPLES,
    samples: samplesText(stats.samples),
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
    progress: `collecting ${record.requests}/${ROW_REQUESTS}`,
  });
}

function trendTextsOf(trend: EndpointTrend): Pick<LatencyRow, "trendKind" | "trendSize" | "trendWord" | "trendTitle"> {
  if (trend.kind === "omitted") {
    return {
      trendKind: "is-omitted",
      trendSize: "",
      trendWord: `${trend.sessions} of ${TREND_SESSIONS} sessions`,
      trendTitle: `A trend needs ${TREND_SESSIONS} completed sessions in which this endpoint had ${ROW_REQUESTS} requests`,
    };
  }
  const { kind, size, word } = changeTextOf({ metric: "latency", ...trend });
  const change = signedText("latency", trend.change);
  const title = `p95 ${change} against ${durationText(trend.baseline)} ms, the median of ${trend.sessions} sessions`;
  return { trendKind: kind, trendSize: size, trendWord: word, trendTitle: title };
}

function samplesText(samples: number): string {
  if (samples === 0) return "No latency: of failures, event streams and WebSockets there is none";
  const from = `From ${countPhrase(samples, "latency", "latencies")}`;
  return samples < SURE_P99_SAMPLES ? `${from}; p99 is greyed below ${SURE_P99_SAMPLES}` : from;
}

function sizeTitle({ avgSize, avgDecodedSize, avgRequestSize }: EndpointStats): string {
  if (avgSize === null) return `No whole response yet; mean request body ${bytesPhrase(avgRequestSize)}`;
  const decoded = avgDecodedSize === null ? "" : `, ${bytesPhrase(avgDecodedSize)} decoded`;
  return `Mean response body ${bytesPhrase(avgSize)} as transferred${decoded}; mean request body ${bytesPhrase(avgRequestSize)}`;
}
