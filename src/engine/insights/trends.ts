import type { EndpointStats } from "../messages/latency-messages.ts";
import type { Settings } from "../model/settings.ts";
import type { Change, Trend, TrendMetric } from "../model/trend.ts";
import type { Milliseconds } from "../model/units.ts";
import {
  type EndpointSamples,
  type LatencySample,
  medianOf,
  type Sample,
  type SizeSample,
} from "../stats/percentile.ts";
import {
  type Band,
  errorVerdict,
  latencyVerdicts,
  SampleBaseline,
  SIGNIFICANT,
  sizeVerdict,
  type Verdict,
  verdictsBetween,
} from "./figure-change.ts";

/** docs/specification.md, Trend: trends compare with at most this many completed sessions, the most recent ones. */
export const BASELINE_SESSIONS = 10;

/** docs/specification.md, Trend: an endpoint in fewer sessions than this has no trend. */
export const MINIMUM_SESSIONS = 3;

/** An endpoint's row in one session, with samples of its values. */
export interface SampledStats extends EndpointStats {
  readonly sampled: EndpointSamples;
}

/** The endpoints of a completed session that have a row, and so at least 5 requests. */
export interface BaselineSession {
  readonly endpoints: readonly SampledStats[];
}

export type StableBands = Readonly<Record<TrendMetric, Band>>;

/** docs/specification.md, Stable band: the bands that the user has set. */
export function bandsOf(settings: Settings): StableBands {
  return {
    latency: { percent: settings.stableLatencyPercent, absolute: settings.stableLatencyMs, atMost: 20 },
    errorRate: { percent: 0, absolute: settings.stableErrorPoints },
    payload: { percent: settings.stablePayloadPercent, absolute: settings.stablePayloadBytes },
  };
}

export const METRICS: readonly TrendMetric[] = Object.freeze(["latency", "errorRate", "payload"]);

/**
 * One endpoint's figures in the sessions of its baseline, oldest first. Sessions without a value of a metric are
 * skipped.
 */
export class EndpointBaseline {
  readonly #stats: readonly EndpointStats[];
  readonly #latencies: SampleBaseline<LatencySample>;
  readonly #sizes: SampleBaseline<SizeSample>;

  constructor(sessions: readonly SampledStats[]) {
    this.#stats = sessions;
    this.#latencies = new SampleBaseline(sessions.flatMap(({ sampled }) => sampled.latencies ?? []));
    this.#sizes = new SampleBaseline(sessions.flatMap(({ sampled }) => sampled.sizes ?? []));
  }

  /** The latencies of all sessions together; `null` if there are none. */
  get latencies(): Sample | null {
    return this.#latencies.sessions.length === 0 ? null : this.#latencies.pooled;
  }

  /** The figure in each session that has it, oldest first. */
  series(metric: TrendMetric): readonly number[] {
    switch (metric) {
      case "latency":
        return this.#latencies.sessions.map(({ p95 }) => p95);
      case "errorRate":
        return this.#stats.map(({ errorRate }) => errorRate);
      case "payload":
        return this.#sizes.sessions.map(({ mean }) => mean);
    }
  }

  /**
   * The trend; `null` if the row has no value of the metric, or no session has one. `significant`: a change counts
   * below this p.
   */
  trendOf(row: SampledStats, metric: TrendMetric, band: Band, significant = SIGNIFICANT): Trend | null {
    const sessions = this.series(metric).length;
    const found = sessions === 0 ? null : this.#changeOf(row, metric, band, significant);
    return found === null ? null : trendIn(row, metric, found, sessions);
  }

  #changeOf(row: SampledStats, metric: TrendMetric, band: Band, significant: number): Found | null {
    const { latencies, sizes } = row.sampled;
    switch (metric) {
      case "latency":
        if (latencies === null) return null;
        return latencyChange(
          latencies,
          this.#latencies,
          latencyVerdicts(latencies, this.#latencies, band, significant),
        );
      case "errorRate": {
        const verdict = errorVerdict(row, this.#stats, band, significant);
        return foundOf(changeOf(medianOf(this.series(metric)), row.errorRate, verdict), verdict, row.requests);
      }
      case "payload": {
        if (sizes === null) return null;
        const verdict = sizeVerdict(sizes, this.#sizes, band, significant);
        return foundOf(changeOf(this.#sizes.rangeOf("mean").middle, sizes.mean, verdict), verdict, sizes.count);
      }
    }
  }
}

/** The trend of an endpoint's latencies from one session to another (`verdictsBetween`); `null` without latencies. */
export function latencyTrendBetween(
  before: SampledStats,
  now: SampledStats,
  band: Band,
  significant: number,
): Trend | null {
  const [earlier, later] = [before.sampled.latencies, now.sampled.latencies];
  if (earlier === null || later === null) return null;
  const verdicts = verdictsBetween(earlier, later, band, significant);
  return trendIn(now, "latency", latencyChange(later, new SampleBaseline([earlier]), verdicts), 1);
}

/** The figures of all endpoints in the baseline sessions. */
export class BaselineFigures {
  readonly #past = new Map<string, SampledStats[]>();
  /** Made when they are asked for, since making them for all endpoints takes longer than reading them. */
  readonly #baselines = new Map<string, EndpointBaseline>();

  /** `sessions`: the completed sessions of the baseline, oldest first. The latest 10 count. */
  constructor(sessions: readonly BaselineSession[]) {
    for (const { endpoints } of sessions.slice(-BASELINE_SESSIONS)) {
      for (const stats of endpoints) {
        const own = this.#past.get(stats.endpoint);
        if (own === undefined) this.#past.set(stats.endpoint, [stats]);
        else own.push(stats);
      }
    }
  }

  /** The endpoint's figure in each session that has it, oldest first. */
  seriesOf({ endpoint }: EndpointStats, metric: TrendMetric): readonly number[] {
    return this.#baselineOf(endpoint)?.series(metric) ?? [];
  }

  /** The endpoint's latencies in its latest sessions together; `null` if there are none. */
  latenciesOf({ endpoint }: EndpointStats): Sample | null {
    return this.#baselineOf(endpoint)?.latencies ?? null;
  }

  /**
   * The endpoint's trend, compared with its latest sessions; `null` if there are fewer than 3 sessions, or no current
   * figure.
   */
  trendOf(row: SampledStats, metric: TrendMetric, bands: StableBands): Trend | null {
    const baseline = this.#baselineOf(row.endpoint);
    if (baseline === null || baseline.series(metric).length < MINIMUM_SESSIONS) return null;
    return baseline.trendOf(row, metric, bands[metric]);
  }

  #baselineOf(endpoint: string): EndpointBaseline | null {
    const known = this.#baselines.get(endpoint);
    const own = this.#past.get(endpoint);
    if (known !== undefined || own === undefined) return known ?? null;
    const made = new EndpointBaseline(own);
    this.#baselines.set(endpoint, made);
    return made;
  }
}

type Figures = Omit<Change, "note">;

/** A trend whose note is computed when it is read. */
interface Found {
  readonly told: Figures & Pick<Trend, "n" | "percentiles">;
  readonly note: string | null;
}

function trendIn(
  { method, origin, path, operation }: EndpointStats,
  metric: TrendMetric,
  found: Found,
  sessions: number,
): Trend {
  return withNote({ method, origin, path, operation, metric, ...found.told, sessions }, () => found.note);
}

function foundOf(figures: Figures, verdict: Verdict, n: number): Found {
  return {
    told: { ...figures, n, percentiles: null },
    get note() {
      return verdict.note;
    },
  };
}

function latencyChange(
  current: LatencySample,
  baseline: SampleBaseline<LatencySample>,
  verdicts: ReturnType<typeof latencyVerdicts>,
): Found {
  const of = (name: "p50" | "p95") => changeOf(baseline.rangeOf(name).middle, current[name], verdicts[name]);
  const [middle, tail] = [of("p50"), of("p95")];
  const direction = tail.direction === "stable" ? middle.direction : tail.direction;
  const p50 = withNote({ ...middle }, () => verdicts.p50.note);
  const p95 = withNote({ ...tail }, () => verdicts.p95.note);
  return {
    told: { ...tail, direction, n: current.count, percentiles: { p50, p95 } },
    get note() {
      return noteOf(p50, p95);
    },
  };
}

function withNote<Told extends object>(told: Told, note: () => string | null): Told & { readonly note: string | null } {
  return Object.freeze(Object.defineProperty(told, "note", { enumerable: true, get: note })) as Told & {
    readonly note: string | null;
  };
}

/**
 * The note of a latency trend. If only p50 changed, the note says how. If neither percentile changed, the note says why
 * no change could be detected: for p50 if p50 has too few values, else for p95. `null` if p95 changed, or if the data
 * suffice.
 */
function noteOf(p50: Change, p95: Change): string | null {
  if (p95.direction !== "stable") return null;
  if (p50.direction !== "stable") return `by p50: ${shortened(p50.baseline)} → ${shortened(p50.current)} ms`;
  if (p50.note !== null) return p50.note;
  return p95.note === null ? null : `tail: ${p95.note}`;
}

/** Rounds to three digits. */
function shortened(length: Milliseconds): string {
  return String(Number(length.toPrecision(3)));
}

function changeOf(baseline: number, current: number, { direction }: Verdict): Figures {
  const change = current - baseline;
  const changePercent = baseline === 0 ? null : (change / baseline) * 100;
  return { direction, baseline, current, change, changePercent };
}
