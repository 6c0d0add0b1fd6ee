import { latencyVerdicts, stableWidth } from "../../insights/figure-change.ts";
import { type EndpointChange, overallChangeOf } from "../../insights/overall-change.ts";
import { type BaselineFigures, bandsOf, METRICS, MINIMUM_SESSIONS, type SampledStats } from "../../insights/trends.ts";
import type { EndpointStats, LatencyRecord } from "../../messages/latency-messages.ts";
import type { ListQuery } from "../../messages/messages.ts";
import type { JudgedSummary, Summary } from "../../messages/status-messages.ts";
import type {
  EndpointTrend,
  Baseline as SaidBaseline,
  TrendColumn,
  TrendRecord,
} from "../../messages/trend-messages.ts";
import { type Result, success } from "../../model/result.ts";
import type { Settings } from "../../model/settings.ts";
import type { Trend } from "../../model/trend.ts";
import type { LatencySample } from "../../stats/percentile.ts";
import type { Filter } from "../filter/term.ts";
import type { Session } from "../session.ts";
import { type EndpointTest, endpointKeyOf, endpointStatsOf, endpointTestOf } from "./endpoint-lists.ts";
import { sampledStatsOf } from "./figures.ts";
import type { Baseline } from "./history.ts";
import { sortedWindow } from "./sorted-window.ts";
import type { Rows } from "./traffic-list.ts";

type TrendQuery = Extract<ListQuery, { readonly view: "trends" }>;

interface Found {
  readonly stats: SampledStats;
  readonly trend: Trend;
}

/** The trends of endpoints that are in at least `MINIMUM_SESSIONS` sessions of the baseline. */
export function trendRows(
  session: Session,
  baseline: Baseline,
  settings: Settings,
  filter: Filter,
  { metric, direction, sort, range }: Omit<TrendQuery, "view" | "filter">,
  matching: EndpointTest | null = null,
): Result<Rows<TrendRecord>> {
  const holds = endpointTestOf(filter, matching);
  if (!holds.ok) return holds;
  const all = foundIn(session, baseline, settings);
  const found = all.filter(
    ({ stats, trend }) =>
      (metric === "all" || trend.metric === metric) &&
      (direction === "all" || trend.direction === direction) &&
      holds.value(stats.endpoint),
  );
  const bands = bandsOf(settings);
  const listed = sortedWindow(found, keyOf(found, sort.column), sort.descending, range);
  const records = listed.map(({ stats, trend }): TrendRecord => {
    const width = stableWidth(trend.baseline, bands[trend.metric]);
    return Object.freeze({
      key: `${trend.metric} ${stats.endpoint}`,
      endpoint: stats.endpoint,
      ...trend,
      series: baseline.figures.seriesOf(stats, trend.metric),
      uncertain: trend.metric === "latency" ? stats.samples - trend.n : 0,
      band: { low: Math.max(0, trend.baseline - width), high: trend.baseline + width },
    });
  });
  return success({ total: all.length, matched: found.length, records });
}

export function trendsFound(
  session: Session,
  baseline: Baseline,
  settings: Settings,
  filter: Filter,
  matching: EndpointTest | null = null,
): Result<readonly Trend[]> {
  const holds = endpointTestOf(filter, matching);
  if (!holds.ok) return holds;
  const found = foundIn(session, baseline, settings).filter(({ stats }) => holds.value(stats.endpoint));
  return success(found.map(({ trend }) => trend));
}

/** A row of the latency table with its trend. */
export function latencyRecordOf(
  session: Session,
  stats: EndpointStats,
  baseline: Baseline,
  settings: Settings,
): LatencyRecord {
  const tally = session.tally(stats.endpoint);
  const sampled = tally === null ? null : sampledStatsOf(tally);
  return Object.freeze({
    ...stats,
    totalLatency: tally?.totalLatency ?? null,
    trend: endpointTrendOf(stats, sampled, baseline, settings),
  });
}

/** The summary, with the trend of its p95 against the baseline's p95. */
export function judgedSummaryOf(
  summary: Summary,
  latencies: LatencySample | null,
  baseline: Baseline,
  settings: Settings,
): JudgedSummary {
  const isKnown = latencies !== null && baseline.p95 !== null;
  const { latency } = bandsOf(settings);
  const p95Direction = isKnown ? latencyVerdicts(latencies, baseline.latencies, latency).p95.direction : null;
  return Object.freeze({ ...summary, p95Direction });
}

/**
 * The baseline's sessions, and how many sessions a trend needs. Also the number of endpoints that are in too few
 * sessions for a trend, and the change over all others.
 */
export function baselineOf(session: Session, baseline: Baseline, settings: Settings): SaidBaseline {
  const { sessions, p95, figures } = baseline;
  const rows = session.tallies.withRow().flatMap((tally) => endpointStatsOf(tally) ?? []);
  const omitted = rows.filter((stats) => figures.seriesOf(stats, "errorRate").length < MINIMUM_SESSIONS).length;
  return Object.freeze({
    sessions: sessions.map(({ id, name, title, startedAt }) => Object.freeze({ id, name, title, startedAt })),
    needed: MINIMUM_SESSIONS,
    p95,
    omitted,
    overall: overallChangeOf(foundIn(session, baseline, settings).flatMap((found) => changeIn(found, figures))),
  });
}

/** The endpoint's latencies, if the trend is that of latencies. */
function changeIn({ stats, trend }: Found, figures: BaselineFigures): readonly EndpointChange[] {
  const [before, now] = [figures.latenciesOf(stats), stats.sampled.latencies];
  if (trend.metric !== "latency" || before === null || now === null) return [];
  const isOpen = trend.direction === "stable" && trend.percentiles?.p50.note !== null;
  const isChanged = isOpen ? null : trend.direction !== "stable";
  return [{ endpoint: stats.endpoint, before, now, requests: stats.samples, isChanged }];
}

function endpointTrendOf(
  stats: EndpointStats,
  sampled: SampledStats | null,
  { figures }: Baseline,
  settings: Settings,
): EndpointTrend {
  const trend = sampled === null ? null : figures.trendOf(sampled, "latency", bandsOf(settings));
  if (trend === null) return { kind: "omitted", sessions: figures.seriesOf(stats, "latency").length };
  const { direction, note, percentiles, sessions } = trend;
  const of = percentiles !== null && percentiles.p95.direction !== direction ? "p50" : "p95";
  const { baseline, change, changePercent } = percentiles?.[of] ?? trend;
  return { kind: "known", of, direction, baseline, change, changePercent, note, sessions };
}

function foundIn(session: Session, { figures }: Baseline, settings: Settings): readonly Found[] {
  const bands = bandsOf(settings);
  return session.tallies.withRow().flatMap((tally) => {
    const stats = sampledStatsOf(tally);
    if (stats === null) return [];
    return METRICS.flatMap((metric) => {
      const trend = figures.trendOf(stats, metric, bands);
      return trend === null ? [] : [{ stats, trend }];
    });
  });
}

function keyOf(found: readonly Found[], column: TrendColumn): (one: Found, index: number) => number {
  switch (column) {
    case "endpoint":
      return endpointKeyOf(found.map(({ stats }) => stats));
    case "metric":
      return ({ trend }) => METRICS.indexOf(trend.metric);
    case "baseline":
      return ({ trend }) => trend.baseline;
    case "current":
      return ({ trend }) => trend.current;
    case "change":
      // Relative changes are compared, since metrics differ in their units.
      return ({ trend }) => trend.changePercent ?? Math.sign(trend.change) * Number.MAX_VALUE;
    case "sessions":
      return ({ trend }) => trend.sessions;
  }
}
