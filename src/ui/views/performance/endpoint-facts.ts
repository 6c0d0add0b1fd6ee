import { http3Sentence } from "../../../engine/insights/http3-origins.ts";
import type { Bucket, EndpointDetail, ModelFigures } from "../../../engine/messages/latency-messages.ts";
import type { TrendRecord } from "../../../engine/messages/trend-messages.ts";
import { hostOf } from "../../../engine/model/endpoint.ts";
import { PHASES } from "../../../engine/model/phases.ts";
import type { Instant, Milliseconds } from "../../../engine/model/units.ts";
import { bytesPhrase } from "../../format/bytes.ts";
import { clockText } from "../../format/clock.ts";
import { compressionText } from "../../format/compression.ts";
import { countPhrase, countText } from "../../format/count.ts";
import { axisText, durationText } from "../../format/duration.ts";
import { PHASE_KINDS, PHASE_NAMES } from "../../format/phases.ts";
import { changeTextOf, signedText } from "../../format/trend.ts";
import type { AxisTexts, LineChartData } from "../../parts/line-chart.ts";
import { bucketPosition, type EdgeLabel, edgeLabelsOf, rangeName } from "./histogram.ts";
import { isSeen, type PhasePart, phasePartOf, shareText } from "./phase-part.ts";

/** The least share of a phase, in percent, that is not counted as "other". */
const NAMED_SHARE = 5;

/** If the axis covers less time than this, its labels show seconds. */
const SECONDS_BELOW: Milliseconds = 300_000;

const ENCODINGS: Readonly<Record<string, string>> = {
  br: "Brotli",
  gzip: "Gzip",
  deflate: "Deflate",
  zstd: "Zstandard",
};

/** Why the figures of an endpoint are missing; "" if they are present or awaited. */
export function absenceOf(value: object | null | undefined, problem: string | null = null): string {
  if (problem !== null) return problem;
  return value === null ? "This session has fewer than 5 requests to this endpoint." : "";
}

/** The content of the endpoint panel: strings, and the two charts' data. */
export type EndpointFacts = ReturnType<typeof endpointFactsOf>;

/** Calls of one language model. Figures without their unit; a dash below five calls. */
interface ModelRow {
  readonly model: string;
  readonly calls: string;
  readonly p50: string;
  readonly p95: string;
  readonly rate: string;
  /** How first tokens and rates are distributed; empty below five calls. */
  readonly charts: readonly ModelChart[];
}

/** A histogram of a model's calls. */
interface ModelChart {
  readonly title: string;
  readonly bars: Bars;
  readonly edges: readonly EdgeLabel[];
  readonly buckets: readonly BucketRow[];
}

/** The histogram's percentiles, and what its style sheet needs to know of its bars. */
interface Bars {
  readonly markers: readonly Marker[];
  readonly style: { readonly "--bars": string; readonly "--digits": string };
}

/** A vertical line at a percentile; its label is on the side with more room. */
interface Marker {
  readonly name: string;
  readonly value: string;
  readonly kind: string;
  readonly style: { readonly left: string };
}

/** A bar of the histogram, also for its button and for the table that repeats the chart as text. */
export interface BucketRow {
  readonly name: string;
  readonly title: string;
  readonly count: string;
  /** The count above the bar; "" for none. */
  readonly label: string;
  readonly isSlow: boolean;
  /** The bar's height as a share of the highest bar. */
  readonly style: { readonly height: string };
}

/** The parts of the mean latency: a bar, and a label for each share of at least `NAMED_SHARE`. */
interface MeanBar {
  readonly parts: readonly PhasePart[];
  readonly shares: readonly { readonly kind: string; readonly text: string }[];
  /** The sum of the shares without a label: "other 3 %"; "" if there is none. */
  readonly other: string;
}

interface Figure {
  readonly name: string;
  readonly value: string;
  /** Class for the judgement of the value; "" if there is no judgement. */
  readonly kind: string;
}

/** Axis labels of the chart of p50 and p95 over the session. */
export const LINE_TEXTS: AxisTexts = Object.freeze({
  value: (value: Milliseconds) => countText(Math.round(value)),
  moment: (at: number, span: Milliseconds) => clockText(at as Instant).slice(0, span < SECONDS_BELOW ? 8 : 5),
});

/** The content of the panel. `trend`: the trend of the endpoint's p95; `null`: not shown. */
export function endpointFactsOf(detail: EndpointDetail, trend: TrendRecord | null) {
  const { stats, histogram, series } = detail;
  return Object.freeze({
    method: stats.method,
    path: stats.path,
    host: hostOf(stats.origin),
    title: `${stats.method} ${stats.origin}${stats.path}`,
    /** "6 slow requests"; "" if there are none. */
    slow: detail.slow === 0 ? "" : countPhrase(detail.slow, "slow request", "slow requests"),
    samples: countPhrase(stats.samples, "request", "requests"),
    /** What `samples` leaves out. */
    samplesTitle: `Of ${countPhrase(stats.requests, "request", "requests")}. Left out: failures, event streams and WebSockets, which have no latency`,
    /** A row for each language model that was called; empty for other endpoints. */
    models: modelRowsOf(detail),
    /** Whether all its requests are a language model's streams, which have no latency to show. */
    isOnlyStreams: stats.samples === 0 && detail.models.some(({ firstTokens }) => firstTokens.length > 0),
    bars: barsOf({ p50: stats.p50, p95: stats.p95, p99: stats.p99 }, histogram),
    edges: edgeLabelsOf(histogram),
    buckets: bucketRowsOf(histogram, stats.p95, (bucket) => {
      const name = rangeName(bucket);
      return { name, title: `${name}: ${countPhrase(bucket.count, "request", "requests")}, show in Traffic` };
    }),
    /** The percentiles as text, for assistive technology. */
    percentiles: `Latency of requests: p50 ${durationText(stats.p50)}, p95 ${durationText(stats.p95)}, p99 ${durationText(stats.p99)} ms`,
    lines: linesOf(detail, trend),
    /** The title of the line chart, with the length of time that each point covers. */
    lineTitle: `p50 and p95 in each ${axisText(detail.sliceLength)}, ms`,
    heatTitle: `Requests by latency in each ${axisText(detail.sliceLength)}`,
    moments: series.map(({ at, p50, p95 }) =>
      Object.freeze({ at: clockText(at), p50: durationText(p50), p95: durationText(p95) }),
    ),
    meanTitle:
      detail.meanLatency === null ? "" : `Where the mean latency of ${durationText(detail.meanLatency)} ms goes`,
    mean: meanBarOf(detail),
    figures: figuresOf(detail, trend),
  });
}

function modelRowsOf({ models }: EndpointDetail): readonly ModelRow[] {
  return models.map((figures) => {
    const { model, calls, firstToken, rate } = figures;
    return Object.freeze({
      model,
      calls: countText(calls),
      p50: durationText(firstToken?.p50 ?? null),
      p95: durationText(firstToken?.p95 ?? null),
      rate: durationText(rate),
      charts: chartsOf(figures),
    });
  });
}

function chartsOf({ firstToken, firstTokens, rate, rates }: ModelFigures): readonly ModelChart[] {
  const chartOf = (
    title: string,
    unit: string,
    histogram: readonly Bucket[],
    percentiles: Percentiles,
    edges: readonly EdgeLabel[],
  ): readonly ModelChart[] => {
    if (histogram.length === 0) return [];
    const slowFrom = percentiles["p95"] ?? null;
    const buckets = bucketRowsOf(histogram, slowFrom, (bucket) => {
      const name = rangeName(bucket, unit);
      return { name, title: `${name}: ${countPhrase(bucket.count, "call", "calls")}` };
    });
    return [Object.freeze({ title: `${title}, ${unit}`, bars: barsOf(percentiles, histogram), edges, buckets })];
  };
  return Object.freeze([
    ...chartOf("First token", "ms", firstTokens, { ...firstToken }, edgeLabelsOf(firstTokens)),
    ...chartOf("Rate", "tokens/s", rates, { p50: rate }, edgeLabelsOf(rates, countText)),
  ]);
}

type Percentiles = Readonly<Record<string, number | null>>;

function barsOf(percentiles: Percentiles, histogram: readonly Bucket[]): Bars {
  const markers = Object.entries(percentiles).flatMap(([name, latency]): readonly Marker[] => {
    if (latency === null) return [];
    const at = bucketPosition(histogram, latency) / histogram.length;
    const kind = at < 0.5 ? `is-${name} is-left` : `is-${name}`;
    return [{ name, value: durationText(latency), kind, style: { left: shareText(at) } }];
  });
  const digits = Math.max(...histogram.map(({ count }) => countText(count).length), 1);
  return Object.freeze({ markers, style: { "--bars": String(histogram.length), "--digits": String(digits) } });
}

function bucketRowsOf(
  histogram: readonly Bucket[],
  slowFrom: number | null,
  textsOf: (bucket: Bucket) => { readonly name: string; readonly title: string },
): readonly BucketRow[] {
  const highest = Math.max(...histogram.map(({ count }) => count), 1);
  return histogram.map((bucket) => {
    const count = countText(bucket.count);
    return Object.freeze({
      ...textsOf(bucket),
      count,
      label: bucket.count === 0 ? "" : count,
      isSlow: slowFrom !== null && bucket.lo >= slowFrom,
      style: Object.freeze({ height: shareText(bucket.count / highest) }),
    });
  });
}

function linesOf({ series }: EndpointDetail, trend: TrendRecord | null): LineChartData {
  const p95 = series.map(({ at, p95 }) => ({ at, value: p95 }));
  const p50 = series.map(({ at, p50 }) => ({ at, value: p50 }));
  return Object.freeze({
    strong: { name: "p95", points: p95 },
    quiet: { name: "p50", points: p50 },
    baseline: trend === null ? null : { value: trend.baseline, name: "baseline p95" },
  });
}

/** The phases in order, without gaps. They do not add up to the whole bar if a part of the mean is in no phase. */
function meanBarOf({ meanPhases, meanLatency }: EndpointDetail): MeanBar {
  const parts: PhasePart[] = [];
  const shares: { kind: string; text: string }[] = [];
  let [left, unnamed] = [0, 100];
  for (const phase of meanLatency === null || meanLatency <= 0 ? [] : PHASES) {
    const share = Math.min(1 - left, (meanPhases[phase] ?? 0) / (meanLatency ?? 1));
    const percent = Math.round(share * 100);
    if (share <= 0 || !isSeen(phase, share)) continue;
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
    ...intervalFigures(detail.p95Between),
    // Both values on one line; two lines would push the last value below the panel's edge.
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
  if (detail.http3 !== null) figures.push({ name: "HTTP/3", value: http3Sentence(detail.http3), kind: "" });
  return Object.freeze(figures);
}

function trendFigures(trend: TrendRecord | null): readonly Figure[] {
  if (trend === null) return [];
  const { percentiles, metric } = trend;
  const changes =
    percentiles === null
      ? []
      : ([
          ["p50", percentiles.p50],
          ["p95", percentiles.p95],
        ] as const);
  return [
    ...changes.map(([name, change]) => {
      const { kind, word, detail } = changeTextOf({ metric, ...change });
      const value = detail === "" ? `${signedText(metric, change.change)}, ${word}` : `${word}, ${detail}`;
      return { name: `${name} against baseline`, value, kind };
    }),
    { name: "Sessions compared", value: countText(trend.sessions), kind: "" },
  ];
}

/** The confidence interval of the p95, shown if there are few samples. */
function intervalFigures(between: EndpointDetail["p95Between"]): readonly Figure[] {
  if (between === null) return [];
  const { low, high } = between;
  const value = high === null ? `${durationText(low)} ms or more` : `${durationText(low)} to ${durationText(high)} ms`;
  return [{ name: "p95, 95 % confidence", value, kind: "" }];
}
