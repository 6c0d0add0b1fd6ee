import { bandsOf, directionFrom, METRICS, MINIMUM_SESSIONS, stableWidth } from "../insights/trends.ts";
import type { InsightListQuery } from "../messages/insight-messages.ts";
import type { EndpointStats, LatencyRecord } from "../messages/latency-messages.ts";
import type { JudgedSummary, Summary } from "../messages/status-messages.ts";
import type { EndpointTrend, Baseline as SaidBaseline, TrendColumn, TrendRecord } from "../messages/trend-messages.ts";
import type { Trend } from "../model/findings.ts";
import type { Settings } from "../model/settings.ts";
import { endpointStatsOf, endpointTestOf, ranksOf, windowOf } from "./endpoint-lists.ts";
import type { Filter, FilterProblem } from "./filter.ts";
import type { Baseline } from "./history.ts";
import type { Session } from "./session.ts";
import type { Rows } from "./traffic-list.ts";

type TrendQuery = Extract<InsightListQuery, { readonly view: "trends" }>;

interface Found {
  readonly stats: EndpointStats;
  readonly trend: Trend;
}

/** Trends of all endpoints that have enough sessions behind them. */
export function trendRows(
  session: Session,
  baseline: Baseline,
  settings: Settings,
  filter: Filter,
  { metric, direction, sort, range }: Omit<TrendQuery, "view" | "filter">,
): Rows<TrendRecord> | FilterProblem {
  const holds = endpointTestOf(filter);
  if (typeof holds !== "function") return holds;
  const all = foundIn(session, baseline, settings);
  const found = all.filter(
    ({ stats, trend }) =>
      (metric === "all" || trend.metric === metric) &&
      (direction === "all" || trend.direction === direction) &&
      holds(stats.endpoint),
  );
  const key = keysOf(found, sort.column);
  const sign = sort.descending ? -1 : 1;
  const keys = Float64Array.from(found, (one, place) => sign * key(one, place));
  const bands = bandsOf(settings);
  const records = windowOf(found, keys, range).map(({ stats, trend }): TrendRecord => {
    const width = stableWidth(trend.baseline, bands[trend.metric]);
    return Object.freeze({
      key: `${trend.metric} ${stats.endpoint}`,
      endpoint: stats.endpoint,
      ...trend,
      series: baseline.figures.seriesOf(stats, trend.metric),
      band: { low: Math.max(0, trend.baseline - width), high: trend.baseline + width },
    });
  });
  return { total: all.length, matched: found.length, records };
}

/** Every trend, for an export. */
export function trendsFound(
  session: Session,
  baseline: Baseline,
  settings: Settings,
  filter: Filter,
): readonly Trend[] | FilterProblem {
  const holds = endpointTestOf(filter);
  if (typeof holds !== "function") return holds;
  const found = foundIn(session, baseline, settings).filter(({ stats }) => holds(stats.endpoint));
  return found.map(({ trend }) => trend);
}

/** A row of the latency grid with its trend. */
export function latencyRecordOf(stats: EndpointStats, baseline: Baseline, settings: Settings): LatencyRecord {
  return Object.freeze({ ...stats, trend: endpointTrendOf(stats, baseline, settings) });
}

/** The summary, and how its p95 does against the baseline sessions' same figure. */
export function judgedSummaryOf(summary: Summary, settings: Settings): JudgedSummary {
  const { p95, baselineP95 } = summary;
  const isKnown = p95 !== null && baselineP95 !== null;
  const p95Direction = isKnown ? directionFrom(baselineP95, p95, bandsOf(settings).latency) : null;
  return Object.freeze({ ...summary, p95Direction });
}

/** How far trends are. */
export function baselineOf(session: Session, { sessions, p95, figures }: Baseline): SaidBaseline {
  const rows = session.tallies.withRow().flatMap((tally) => endpointStatsOf(tally) ?? []);
  const omitted = rows.filter((stats) => figures.seriesOf(stats, "errorRate").length < MINIMUM_SESSIONS).length;
  return Object.freeze({
    sessions: sessions.map(({ id, name, startedAt }) => Object.freeze({ id, name, startedAt })),
    needed: MINIMUM_SESSIONS,
    p95,
    omitted,
  });
}

function endpointTrendOf(stats: EndpointStats, baseline: Baseline, settings: Settings): EndpointTrend {
  const trend = baseline.figures.trendOf(stats, "latency", bandsOf(settings));
  if (trend === null) return { kind: "omitted", sessions: baseline.figures.seriesOf(stats, "latency").length };
  const { direction, baseline: median, change, changePercent, sessions } = trend;
  return { kind: "known", direction, baseline: median, change, changePercent, sessions };
}

function foundIn(session: Session, { figures }: Baseline, settings: Settings): readonly Found[] {
  const bands = bandsOf(settings);
  return session.tallies.withRow().flatMap((tally) => {
    const stats = endpointStatsOf(tally);
    if (stats === null) return [];
    return METRICS.flatMap((metric) => {
      const trend = figures.trendOf(stats, metric, bands);
      return trend === null ? [] : [{ stats, trend }];
    });
  });
}

function keysOf(found: readonly Found[], column: TrendColumn): (one: Found, place: number) => number {
  switch (column) {
    case "endpoint": {
      const ranks = ranksOf(found.map(({ stats }) => stats.endpoint));
      return (_, place) => ranks[place] as number;
    }
    case "metric":
      return ({ trend }) => METRICS.indexOf(trend.metric);
    case "baseline":
      return ({ trend }) => trend.baseline;
    case "current":
      return ({ trend }) => trend.current;
    case "change":
      // Metrics have different units; what they share is the share of the baseline.
      return ({ trend }) => trend.changePercent ?? Math.sign(trend.change) * Number.MAX_VALUE;
    case "sessions":
      return ({ trend }) => trend.sessions;
  }
}
