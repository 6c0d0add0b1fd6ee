import { BASELINE_SESSIONS, type SampledStats } from "../../../src/engine/insights/trends.ts";
import type { EndpointStats } from "../../../src/engine/messages/latency-messages.ts";
import { type Endpoint, operationIn } from "../../../src/engine/model/endpoint.ts";
import { evictOldest } from "../../../src/engine/model/evict-oldest.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { figuresOf, type SessionFigures } from "../../../src/engine/session/lists/figures.ts";
import type { PastSession } from "../../../src/engine/session/lists/history.ts";
import type { Session } from "../../../src/engine/session/session.ts";
import {
  type LatencySample,
  MOST_VALUES,
  type Sample,
  type SizeSample,
  sampleOf,
} from "../../../src/engine/stats/sample.ts";
import type { SessionFacts } from "../storage/session-facts.ts";

/**
 * The most sessions whose figures are cached: those of a baseline, and as many for
 * comparisons.
 */
const MOST_HELD = 2 * BASELINE_SESSIONS;

/**
 * The most endpoints stored per session, those with the most requests: some 4 MB of JSON, whose parsing cannot be
 * sliced and takes some 30 ms.
 */
const MOST_ENDPOINTS = 10_000;

/** How many endpoints are checked in one slice, in some 5 ms. */
const CHECKED_AT_ONCE = 1_000;

/** The most values stored for all endpoints together, some 3 MB. */
const MOST_KEPT = 400_000;
/**
 * The number of values that each endpoint may store even if all endpoints together
 * then exceed `MOST_KEPT`.
 */
const LEAST_VALUES = 20;

/** Significant digits of a stored value. Statistical tests compare ranks, and no measurement is more precise. */
const DIGITS = 4;

/** The figures to store when a session ends. */
export function keptFiguresOf(session: Session): SessionFigures {
  const figures = figuresOf(session);
  const { latencies } = figures;
  const endpoints = busiestOf(figures.endpoints);
  const share = Math.floor(MOST_KEPT / Math.max(1, 2 * endpoints.length));
  const most = Math.min(MOST_VALUES, Math.max(LEAST_VALUES, share));
  return Object.freeze({
    ...figures,
    latencies: latencies === null ? null : keptSample(latencies, MOST_VALUES),
    endpoints: Object.freeze(endpoints.map((stats) => keptStats(stats, most))),
  });
}

function busiestOf(endpoints: readonly SampledStats[]): readonly SampledStats[] {
  if (endpoints.length <= MOST_ENDPOINTS) return endpoints;
  return endpoints.toSorted((one, other) => other.requests - one.requests).slice(0, MOST_ENDPOINTS);
}

function keptStats(stats: SampledStats, most: number): SampledStats {
  const { latencies, sizes } = stats.sampled;
  const sampled = Object.freeze({
    latencies: latencies === null ? null : keptSample(latencies, most),
    sizes: sizes === null ? null : keptSample(sizes, most),
  });
  return Object.freeze({ ...stats, sampled });
}

function keptSample<One extends Sample>(sample: One, most: number): One {
  const values = Array.from(sampleOf(sample.values, most).values, (value) => Number(value.toPrecision(DIGITS)));
  return Object.freeze({ ...sample, values: Object.freeze(values) });
}

/** The figures of ended sessions, read once and cached. */
export class StoredFigures {
  readonly #read: (id: string) => unknown;
  readonly #held = new Map<string, SessionFigures | null>();
  /** How often figures were removed. */
  #removals = 0;

  /** `read`: returns a session's stored figures. */
  constructor(read: (id: string) => unknown) {
    this.#read = read;
  }

  of(id: string): SessionFigures | null {
    const held = this.#held.get(id);
    if (held !== undefined) return held;
    const slices = figuresIn(this.#read(id));
    let slice = slices.next();
    while (slice.done !== true) slice = slices.next();
    this.#held.set(id, slice.value);
    evictOldest(this.#held, MOST_HELD);
    return slice.value;
  }

  /**
   * The figures of a session, read in slices, and cached while there is room. `pause`: lets other work run between two
   * slices.
   */
  async ahead(id: string, pause: () => Promise<unknown>): Promise<SessionFigures | null> {
    const held = this.#held.get(id);
    if (held !== undefined) return held;
    const removals = this.#removals;
    const slices = figuresIn(this.#read(id));
    await pause();
    let slice = slices.next();
    for (; slice.done !== true; slice = slices.next()) await pause();
    if (removals === this.#removals && this.#held.size < MOST_HELD) this.#held.set(id, slice.value);
    return slice.value;
  }

  /** Removes the figures from the cache, after the stored ones were replaced or deleted. */
  remove(id: string): void {
    this.#held.delete(id);
    this.#removals += 1;
  }

  /**
   * The baseline (docs/specification.md, Trend): of these sessions, the latest 10 completed ones that count, oldest
   * first. A session counts if an endpoint reached 5 requests and the user did not exclude the session.
   */
  baseline(sessions: readonly SessionFacts[]): readonly PastSession[] {
    const found: PastSession[] = [];
    for (const { id, name, title, startedAt, state, baseline } of sessions.toReversed()) {
      if (found.length === BASELINE_SESSIONS) break;
      if (state !== "completed" || !baseline) continue;
      const figures = this.of(id);
      if (figures !== null && figures.endpoints.length > 0) found.push({ id, name, title, startedAt, figures });
    }
    return found.reverse();
  }
}

/** Checks stored figures in slices; `null` if they are invalid. Damaged endpoints are left out. */
function* figuresIn(stored: unknown): Generator<void, SessionFigures | null, undefined> {
  if (!isRecord(stored) || !Array.isArray(stored["endpoints"])) return null;
  const { start, exchanges, counted, errors, bytes } = stored;
  if (!isFigure(start)) return null;
  if (!isNumber(exchanges) || !isNumber(counted) || !isNumber(errors) || !isNumber(bytes)) return null;
  const endpoints: SampledStats[] = [];
  for (const [index, value] of stored["endpoints"].entries()) {
    if (index % CHECKED_AT_ONCE === CHECKED_AT_ONCE - 1) yield;
    const stats = sampledStatsIn(value);
    if (stats !== null) endpoints.push(stats);
  }
  const latencies = latenciesIn(stored["latencies"]);
  return Object.freeze({
    start: start as Instant | null,
    exchanges,
    counted,
    errors,
    latencies,
    bytes,
    endpoints: Object.freeze(endpoints),
  });
}

function sampledStatsIn(value: unknown): SampledStats | null {
  const stats = statsOf(value);
  const sampled = isRecord(value) ? value["sampled"] : null;
  if (stats === null || !isRecord(sampled)) return null;
  const { latencies, sizes } = sampled;
  return Object.freeze({
    ...stats,
    sampled: Object.freeze({ latencies: latenciesIn(latencies), sizes: sizesIn(sizes) }),
  });
}

function latenciesIn(value: unknown): LatencySample | null {
  const sample = sampleIn(value);
  if (sample === null || !isRecord(value)) return null;
  const { p50, p95 } = value;
  return isNumber(p50) && isNumber(p95) ? Object.freeze({ ...sample, p50, p95 }) : null;
}

function sizesIn(value: unknown): SizeSample | null {
  const sample = sampleIn(value);
  if (sample === null || !isRecord(value)) return null;
  const { mean } = value;
  return isNumber(mean) ? Object.freeze({ ...sample, mean }) : null;
}

function sampleIn(value: unknown): Sample | null {
  if (!isRecord(value)) return null;
  const { count, values } = value;
  if (!isNumber(count) || !Array.isArray(values) || values.length === 0 || values.length > count) return null;
  const isAscending = values.every((one, place) => isNumber(one) && (place === 0 || one >= values[place - 1]));
  return isAscending ? { count, values: Object.freeze(values) } : null;
}

function statsOf(value: unknown): EndpointStats | null {
  if (!isRecord(value)) return null;
  const { endpoint, method, origin, path, requests, errors, samples, p50, p95, p99 } = value;
  const { avgSize, avgDecodedSize, avgRequestSize, errorRate, protocols } = value;
  if (typeof endpoint !== "string" || typeof method !== "string") return null;
  if (typeof origin !== "string" || typeof path !== "string") return null;
  if (!isNumber(requests) || !isNumber(errors) || !isNumber(samples)) return null;
  if (!isNumber(avgRequestSize) || !isNumber(errorRate)) return null;
  if (!isFigure(p50) || !isFigure(p95) || !isFigure(p99) || !isFigure(avgSize) || !isFigure(avgDecodedSize))
    return null;
  return Object.freeze({
    endpoint: endpoint as Endpoint,
    method,
    origin,
    path,
    operation: operationIn(endpoint as Endpoint),
    requests,
    errors,
    samples,
    p50,
    p95,
    p99,
    avgSize,
    avgDecodedSize,
    avgRequestSize,
    errorRate,
    protocols: Object.freeze(Array.isArray(protocols) ? protocols.filter((one) => typeof one === "string") : []),
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isFigure(value: unknown): value is number | null {
  return value === null || isNumber(value);
}
