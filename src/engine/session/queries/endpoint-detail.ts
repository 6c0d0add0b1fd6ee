import type { EndpointDetail } from "../../messages/latency-messages.ts";
import type { Endpoint } from "../../model/endpoint.ts";
import type { Milliseconds } from "../../model/units.ts";
import { histogramOf } from "../../stats/histogram.ts";
import { LatencyTally } from "../../stats/latency-tally.ts";
import { percentileInterval } from "../../stats/percentile.ts";
import { EndpointSlices, type SliceForm } from "../evaluation/endpoint-slices.ts";
import type { FoundFindings } from "../evaluation/found-findings.ts";
import type { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import { endpointStatsOf } from "../lists/endpoint-lists.ts";
import type { Session } from "../session.ts";

/** From this many samples on, p95 is precise enough to be shown without an interval. */
const FEW_SAMPLES = 1_000;

/** The latencies of one slice, and the results last computed from them. */
interface Latencies {
  readonly tally: LatencyTally;
  known: Known;
}

interface Known {
  readonly samples: number;
  readonly p50: Milliseconds;
  readonly p95: Milliseconds;
  /** The edges of the histogram, and the number of samples from each edge to the next. */
  readonly edges: readonly Milliseconds[];
  readonly counts: readonly number[];
}

const NOTHING: Known = Object.freeze({ samples: 0, p50: 0, p95: 0, edges: [], counts: [] });

const LATENCIES: SliceForm<Latencies> = {
  empty: () => ({ tally: new LatencyTally({ keepsIds: false }), known: NOTHING }),
  add: ({ tally }, row, table) => {
    const latency = table.latencyAt(row);
    if (!Number.isNaN(latency)) tally.record(latency, 0);
  },
};

/** The detail panel of one endpoint. Caches the costly parts for the last endpoint. */
export class EndpointDetails {
  readonly #slices = new EndpointSlices(LATENCIES);

  /**
   * Returns `null` if the endpoint has fewer than `MINIMUM_REQUESTS` requests. `found`: `null` before the first search
   * is complete.
   */
  of(
    session: Session,
    endpoint: Endpoint,
    evaluator: InsightEvaluator,
    found: FoundFindings | null = null,
  ): EndpointDetail | null {
    const tally = session.tally(endpoint);
    const stats = tally === null ? null : endpointStatsOf(tally);
    if (tally === null || stats === null) return null;
    const { phases, latency } = tally.means();
    const number = session.table.endpoints.find(endpoint);
    const histogram = histogramOf(tally.latencies);
    return Object.freeze({
      stats,
      histogram,
      p95Between: p95IntervalOf(tally.latencies),
      series: this.#seriesOf(session, endpoint, histogram),
      sliceLength: this.#slices.length,
      meanPhases: phases,
      meanLatency: latency,
      slow: evaluator.slowCount(number),
      findings: found?.namesAt(session, number) ?? [],
      models: found?.modelsAt(session, number) ?? [],
      http3: found?.http3At(stats.origin) ?? null,
      ...tally.connections,
      compressionRatio: tally.payload.compressionRatio,
      contentEncoding: tally.contentEncoding,
    });
  }

  /** For each slice of the session, the exact percentiles of the endpoint's rows that started in the slice. */
  #seriesOf(session: Session, endpoint: Endpoint, histogram: EndpointDetail["histogram"]): EndpointDetail["series"] {
    const edges = histogram.map(({ lo }) => lo);
    return this.#slices.read(session, endpoint).flatMap(({ at, figures }) => {
      const { samples, p50, p95, counts } = knownOf(figures, edges);
      return samples === 0 ? [] : [Object.freeze({ at, p50, p95, samples, counts })];
    });
  }
}

function p95IntervalOf(latencies: LatencyTally): EndpointDetail["p95Between"] {
  if (latencies.count === 0 || latencies.count >= FEW_SAMPLES) return null;
  const { low, high } = percentileInterval(latencies.count, 0.95);
  const ascending = latencies.ascending();
  return Object.freeze({
    low: ascending[low ?? 0] as Milliseconds,
    high: high === null ? null : (ascending[high] as Milliseconds),
  });
}

/**
 * The percentiles and counts of a slice. They are computed again only if samples were added or the edges changed, since
 * most slices of a session are complete.
 */
function knownOf(latencies: Latencies, edges: readonly Milliseconds[]): Known {
  const { tally, known } = latencies;
  const { count: samples } = tally;
  const isSame = known.samples === samples;
  if (isSame && edges.length === known.edges.length && edges.every((edge, index) => edge === known.edges[index]))
    return known;
  const [p50 = 0, p95 = 0] = isSame ? [known.p50, known.p95] : (tally.percentiles([0.5, 0.95]) ?? []);
  latencies.known = { samples, p50, p95, edges, counts: tally.countsFrom(edges) };
  return latencies.known;
}
