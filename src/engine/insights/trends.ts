import type { EndpointStats } from "../messages/latency-messages.ts";
import type { Direction, Trend, TrendMetric } from "../model/findings.ts";
import type { Settings } from "../model/settings.ts";
import { percentileOf } from "../stats/percentile.ts";

/** Seed, Limits: trends look at the most recent 10 completed sessions. */
export const BASELINE_SESSIONS = 10;

/** Seed, Limits: fewer sessions of an endpoint than this and its trend is omitted. */
export const MINIMUM_SESSIONS = 3;

/** A completed session's endpoints that had a row, so 5 requests and more. */
export interface BaselineSession {
  readonly endpoints: readonly EndpointStats[];
}

/** Within one of the two a change counts as stable. */
export interface Band {
  /** Percent of the baseline. */
  readonly percent: number;
  /** In the metric's own unit. */
  readonly absolute: number;
}

export type StableBands = Readonly<Record<TrendMetric, Band>>;

/** decisions.md, Stable band: as a user set them. */
export function bandsOf(settings: Settings): StableBands {
  return {
    latency: { percent: settings.stableLatencyPercent, absolute: settings.stableLatencyMs },
    errorRate: { percent: 0, absolute: settings.stableErrorPoints },
    payload: { percent: settings.stablePayloadPercent, absolute: settings.stablePayloadBytes },
  };
}

/** What the baseline's sessions say of each endpoint. */
export class BaselineFigures {
  readonly #past = new Map<string, EndpointStats[]>();

  /** `sessions`: completed baseline sessions, oldest first; the latest 10 count. */
  constructor(sessions: readonly BaselineSession[]) {
    for (const { endpoints } of sessions.slice(-BASELINE_SESSIONS)) {
      for (const stats of endpoints) {
        const past = this.#past.get(stats.endpoint);
        if (past === undefined) this.#past.set(stats.endpoint, [stats]);
        else past.push(stats);
      }
    }
  }

  /** The endpoint's figure in each session that has it, oldest first. */
  seriesOf({ endpoint }: EndpointStats, metric: TrendMetric): readonly number[] {
    return (this.#past.get(endpoint) ?? []).flatMap((stats) => figureOf(stats, metric) ?? []);
  }

  /** How the endpoint does against the median of its latest sessions; `null` with fewer than 3, and without a figure now. */
  trendOf(row: EndpointStats, metric: TrendMetric, bands: StableBands): Trend | null {
    const current = figureOf(row, metric);
    const values = this.seriesOf(row, metric);
    if (current === null || values.length < MINIMUM_SESSIONS) return null;
    const { method, origin, path } = row;
    const change = changeOf(medianOf(values), current, bands[metric]);
    return Object.freeze({ method, origin, path, metric, current, sessions: values.length, ...change });
  }
}

export const METRICS: readonly TrendMetric[] = Object.freeze(["latency", "errorRate", "payload"]);

/** At least one value. */
export function medianOf(values: readonly number[]): number {
  return percentileOf(
    values.toSorted((left, right) => left - right),
    0.5,
  );
}

/** Where a figure has gone from its baseline. */
export function directionFrom(baseline: number, current: number, band: Band): Direction {
  const change = current - baseline;
  if (Math.abs(change) <= stableWidth(baseline, band)) return "stable";
  return change > 0 ? "up" : "down";
}

/** Within this from a baseline to either side a change counts as stable. */
export function stableWidth(baseline: number, band: Band): number {
  return Math.max(band.absolute, (band.percent / 100) * baseline);
}

/** `null`: the endpoint had no latency sample, or no whole response. */
function figureOf(stats: EndpointStats, metric: TrendMetric): number | null {
  switch (metric) {
    case "latency":
      return stats.p95;
    case "errorRate":
      return stats.errorRate;
    case "payload":
      return stats.avgSize;
  }
}

function changeOf(
  baseline: number,
  current: number,
  band: Band,
): Pick<Trend, "baseline" | "change" | "changePercent" | "direction"> {
  const change = current - baseline;
  const changePercent = baseline === 0 ? null : (change / baseline) * 100;
  return { baseline, change, changePercent, direction: directionFrom(baseline, current, band) };
}
