import * as v from "valibot";
import { BASELINE_SESSIONS, type SampledStats } from "../../../src/engine/insights/trends.ts";
import { type Endpoint, operationIn } from "../../../src/engine/model/endpoint.ts";
import { evictOldest } from "../../../src/engine/model/evict-oldest.ts";
import type { Bytes, Instant } from "../../../src/engine/model/units.ts";
import { figuresOf, type SessionFigures } from "../../../src/engine/session/lists/figures.ts";
import type { PastSession } from "../../../src/engine/session/lists/history.ts";
import type { Session } from "../../../src/engine/session/session.ts";
import { MOST_VALUES, type Sample, sampleOf } from "../../../src/engine/stats/percentile.ts";
import type { SessionFacts } from "../storage/session-facts.ts";

/** The most sessions whose figures are cached: those of a baseline, and as many for comparisons. */
const MOST_HELD = 2 * BASELINE_SESSIONS;

/** The most endpoints stored per session, those with the most requests. */
const MOST_ENDPOINTS = 2_000;
/** The most bytes of their JSON, because neither writing nor parsing it can be sliced: some 20 ms. */
const MOST_BYTES: Bytes = 2 * 1024 * 1024;

/** How many endpoints are checked in one slice, in some 5 ms. */
const CHECKED_AT_ONCE = 1_000;

/** The most values stored for all endpoints together, some 1 MB. */
const MOST_KEPT = 100_000;
/** The number of values that each endpoint may store even if all endpoints together then exceed `MOST_KEPT`. */
const LEAST_VALUES = 20;

/**
 * Significant digits of a stored value: the microseconds of a latency below 10 s. Fewer would make values equal that
 * are not, and so change the ranks that tests compare.
 */
const DIGITS = 7;

/**
 * The session's figures as they are stored. Its sums are whole; of the endpoints, those with the most requests, as many
 * as fit into `MOST_ENDPOINTS` and `MOST_BYTES`.
 */
export function keptFiguresOf(session: Session): SessionFigures {
  const figures = figuresOf(session, MOST_ENDPOINTS);
  const { latencies, endpoints } = figures;
  const share = Math.floor(MOST_KEPT / Math.max(1, 2 * endpoints.length));
  const most = Math.min(MOST_VALUES, Math.max(LEAST_VALUES, share));
  return Object.freeze({
    ...figures,
    latencies: latencies === null ? null : keptSample(latencies, MOST_VALUES),
    endpoints: Object.freeze(fitting(endpoints, (stats) => keptStats(stats, most))),
  });
}

/** The first endpoints, as `keep` changes them, up to the first that does not fit into `MOST_BYTES`. */
function fitting(
  endpoints: readonly SampledStats[],
  keep: (stats: SampledStats) => SampledStats,
): readonly SampledStats[] {
  const kept: SampledStats[] = [];
  let bytes = 0;
  for (const stats of endpoints) {
    const one = keep(stats);
    bytes += Buffer.byteLength(JSON.stringify(one)) + 1;
    if (bytes > MOST_BYTES) break;
    kept.push(one);
  }
  return kept;
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

const figure = v.nullable(v.pipe(v.number(), v.finite()));
const number = v.pipe(v.number(), v.finite());

const sample = {
  count: number,
  values: v.custom<readonly number[]>(
    (values) =>
      Array.isArray(values) &&
      values.length > 0 &&
      values.every((one, index) => Number.isFinite(one) && (index === 0 || one >= values[index - 1])),
  ),
};

/** A sample, or `null` if it is damaged. */
function sampleWith<Entries extends v.ObjectEntries>(entries: Entries) {
  const whole = v.pipe(
    v.object({ ...sample, ...entries }),
    v.check((one) => {
      const { count, values } = one as Sample;
      return values.length <= count;
    }),
    v.readonly(),
  );
  return v.fallback(v.nullable(whole), null);
}

const latencySample = sampleWith({ p50: number, p95: number });

const sampledStats = v.pipe(
  v.object({
    endpoint: v.pipe(
      v.string(),
      v.transform((text) => text as Endpoint),
    ),
    method: v.string(),
    origin: v.string(),
    path: v.string(),
    requests: number,
    errors: number,
    samples: number,
    p50: figure,
    p95: figure,
    p99: figure,
    avgSize: figure,
    avgDecodedSize: figure,
    avgRequestSize: number,
    errorRate: number,
    protocols: v.fallback(v.array(v.string()), []),
    sampled: v.object({ latencies: latencySample, sizes: sampleWith({ mean: number }) }),
  }),
  v.transform((stats) => Object.freeze({ ...stats, operation: operationIn(stats.endpoint) })),
);

const storedFigures = v.object({
  start: figure,
  exchanges: number,
  counted: number,
  errors: number,
  latencies: latencySample,
  bytes: number,
  endpoints: v.array(v.unknown()),
});

/** Checks stored figures in slices; `null` if they are invalid. Damaged endpoints are left out. */
function* figuresIn(stored: unknown): Generator<void, SessionFigures | null, undefined> {
  const figures = v.safeParse(storedFigures, stored);
  if (!figures.success) return null;
  const endpoints: SampledStats[] = [];
  for (const [index, value] of figures.output.endpoints.entries()) {
    if (index % CHECKED_AT_ONCE === CHECKED_AT_ONCE - 1) yield;
    const stats = v.safeParse(sampledStats, value);
    if (stats.success) endpoints.push(stats.output);
  }
  return Object.freeze({
    ...figures.output,
    start: figures.output.start as Instant | null,
    endpoints: Object.freeze(endpoints),
  });
}
