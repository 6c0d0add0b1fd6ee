import type { EndpointDetail } from "../../../engine/messages/latency-messages.ts";
import type { TrendRecord } from "../../../engine/messages/trend-messages.ts";
import { hostOf } from "../../../engine/model/endpoint.ts";
import { PHASES } from "../../../engine/model/phases.ts";
import type { Instant, Milliseconds } from "../../../engine/model/units.ts";
import { bytesPhrase } from "../../format/bytes.ts";
import { clockText } from "../../format/clock.ts";
import { compressionText } from "../../format/compression.ts";
import { countPhrase, countText } from "../../format/count.ts";
import { durationText } from "../../format/duration.ts";
import { PHASE_NAMES } from "../../format/phases.ts";
import { changeTextOf, signedText } from "../../format/trend.ts";
import type { AxisTexts, BarChartData, LineChartData } from "../../parts/chart.ts";
import { bucketFilter, bucketName, bucketPosition, type EdgeLabel, edgeLabelsOf } from "./histogram.ts";
import { PHASE_KINDS, type PhasePart, phasePartOf } from "./phase-part.ts";

/** Shares below this, percent, are summed up as "other". Our choice. */
const NAMED_SHARE = 5;

/** Over a shorter time the axis tells seconds. Our choice. */
const SECONDS_BELOW: Milliseconds = 300_000;

const ENCODINGS: Readonly<Record<string, string>> = {
  br: "Brotli",
  gzip: "Gzip",
  deflate: "Deflate",
  zstd: "Zstandard",
};

/** What the endpoint panel shows: strings, and the two charts' data. */
export interface EndpointFacts {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly title: string;
  /** "6 slow requests"; "" = none. */
  readonly slow: string;
  readonly samples: string;
  readonly bars: BarChartData;
  readonly edges: readonly EdgeLabel[];
  readonly buckets: readonly BucketRow[];
  /** The markers in words. */
  readonly percentiles: string;
  readonly lines: LineChartData;
  readonly moments: readonly MomentRow[];
  readonly meanTitle: string;
  readonly mean: MeanBar;
  readonly figures: readonly Figure[];
}

/** One bar, for the button over it and the table in words. */
export interface BucketRow {
  readonly name: string;
  readonly title: string;
  readonly count: string;
  /** What a click on the bar adds to the filter. */
  readonly filter: string;
}

interface MomentRow {
  readonly at: string;
  readonly p50: string;
  readonly p95: string;
}

/** What the mean latency is made of: the bar's parts, and the shares worth a name. */
interface MeanBar {
  readonly parts: readonly PhasePart[];
  readonly shares: readonly { readonly kind: string; readonly text: string }[];
  /** What no named phase took: "other 3 %"; "" = nothing. */
  readonly other: string;
}

interface Figure {
  readonly name: string;
  readonly value: string;
  /** What the value judges; "" = nothing. */
  readonly kind: string;
}

/** Labels of the chart of p50 and p95 over the session. */
export const COURSE_TEXTS: AxisTexts = Object.freeze({
  room: 62,
  value: (value: Milliseconds) => countText(Math.round(value)),
  moment: (at: number, span: Milliseconds) => clockText(at as Instant).slice(0, span < SECONDS_BELOW ? 8 : 5),
});

/** `trend`: of its p95; `null` where it is omitted. */
export function endpointFactsOf(detail: EndpointDetail, trend: TrendRecord | null): EndpointFacts {
  const { stats, histogram, series } = detail;
  return Object.freeze({
    method: stats.method,
    path: stats.path,
    host: hostOf(stats.origin),
    title: `${stats.method} ${stats.origin}${stats.path}`,
    slow: detail.slow === 0 ? "" : countPhrase(detail.slow, "slow request", "slow requests"),
    samples: countPhrase(stats.samples, "request", "requests"),
    bars: barsOf(detail),
    edges: edgeLabelsOf(histogram),
    buckets: histogram.map((bucket) => {
      const name = bucketName(bucket);
      const title = `${name}: ${countPhrase(bucket.count, "request", "requests")}, show in Traffic`;
      return Object.freeze({ name, title, count: countText(bucket.count), filter: bucketFilter(bucket) });
    }),
    percentiles: `Latency of requests: p50 ${durationText(stats.p50)}, p95 ${durationText(stats.p95)}, p99 ${durationText(stats.p99)} ms`,
    lines: linesOf(detail, trend),
    moments: series.map(({ at, p50, p95 }) =>
      Object.freeze({ at: clockText(at), p50: durationText(p50), p95: durationText(p95) }),
    ),
    meanTitle: detail.meanLatency === null ? "" : `Where the mean ${durationText(detail.meanLatency)} ms goes`,
    mean: meanBarOf(detail),
    figures: figuresOf(detail, trend),
  });
}

function barsOf({ stats, histogram }: EndpointDetail): BarChartData {
  const { p50, p95, p99 } = stats;
  const markers = (
    [
      ["p50", p50, "dotted"],
      ["p95", p95, "solid"],
      ["p99", p99, "dashed"],
    ] as const
  ).flatMap(([name, latency, dash]) =>
    latency === null ? [] : [{ name, value: durationText(latency), at: bucketPosition(histogram, latency), dash }],
  );
  return Object.freeze({
    bars: histogram.map(({ lo, count }) => ({ value: count, text: countText(count), slow: p95 !== null && lo >= p95 })),
    markers,
  });
}

function linesOf({ stats, series }: EndpointDetail, trend: TrendRecord | null): LineChartData {
  const p95 = series.map(({ at, p95 }) => ({ at, value: p95 }));
  const p50 = series.map(({ at, p50 }) => ({ at, value: p50 }));
  // Beside a line's end stands what it ends with, not what the whole session comes to.
  return Object.freeze({
    strong: { name: "p95", value: durationText(p95.at(-1)?.value ?? stats.p95), points: p95 },
    quiet: { name: "p50", value: durationText(p50.at(-1)?.value ?? stats.p50), points: p50 },
    baseline: trend === null ? null : { value: trend.baseline, text: `baseline p95 ${durationText(trend.baseline)}` },
  });
}

/** Phases stand in their order without the gaps between them; what is left belongs to none. */
function meanBarOf({ meanPhases, meanLatency }: EndpointDetail): MeanBar {
  const parts: PhasePart[] = [];
  const shares: { kind: string; text: string }[] = [];
  let [left, unnamed] = [0, 100];
  for (const phase of meanLatency === null || meanLatency <= 0 ? [] : PHASES) {
    const share = Math.min(1 - left, (meanPhases[phase] ?? 0) / (meanLatency ?? 1));
    const percent = Math.round(share * 100);
    if (share <= 0) continue;
    parts.push(phasePartOf(phase, left, left + share));
    left += share;
    if (percent < NAMED_SHARE) continue;
    shares.push({ kind: PHASE_KINDS[phase], text: `${PHASE_NAMES[phase]} ${percent} %` });
    unnamed -= percent;
  }
  return Object.freeze({ parts, shares, other: parts.length > 0 && unnamed > 0 ? `other ${unnamed} %` : "" });
}

function figuresOf(detail: EndpointDetail, trend: TrendRecord | null): readonly Figure[] {
  const { stats, compressionRatio, contentEncoding } = detail;
  const figures: Figure[] = [
    ...trendFigures(trend),
    // One line for both: with each in its own, the last figure stood below the panel's edge.
    {
      name: "Mean response, request",
      value: `${bytesPhrase(stats.avgSize)}, ${bytesPhrase(stats.avgRequestSize)}`,
      kind: "",
    },
  ];
  if (compressionRatio !== null && contentEncoding !== null) {
    const name = ENCODINGS[contentEncoding] ?? contentEncoding;
    figures.push({ name, value: compressionText(compressionRatio), kind: "" });
  }
  const carried = detail.reused + detail.connected;
  if (carried > 0) {
    figures.push({
      name: "Connections reused",
      value: `${countText(detail.reused)} of ${countText(carried)}`,
      kind: "",
    });
  }
  return Object.freeze(figures);
}

function trendFigures(trend: TrendRecord | null): readonly Figure[] {
  if (trend === null) return [];
  const { kind, word } = changeTextOf(trend);
  return [
    { name: "p95 against baseline", value: `${signedText("latency", trend.change)}, ${word}`, kind },
    { name: "Sessions compared", value: countText(trend.sessions), kind: "" },
  ];
}
