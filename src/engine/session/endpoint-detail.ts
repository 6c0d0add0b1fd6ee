import type { EndpointDetail } from "../messages/latency-messages.ts";
import type { Endpoint } from "../model/endpoint.ts";
import type { ExchangeId, Instant, Milliseconds } from "../model/units.ts";
import { histogramOf } from "../stats/histogram.ts";
import type { LatencyTally } from "../stats/latency-tally.ts";
import { percentileBy } from "../stats/percentile.ts";
import { selectRank } from "../stats/selection.ts";
import { endpointStatsOf } from "./endpoint-lists.ts";
import type { ExchangeTable } from "./exchange-table.ts";
import type { Judge } from "./judge.ts";
import type { Session } from "./session.ts";
import { slowCountOf } from "./slow-list.ts";

/** Our choice: at most so many slices of the session, and no shorter ones. */
const SLICES = 40;
const SHORTEST: Milliseconds = 1_000;

/** The endpoint's panel; `null` while it has no row. */
export function endpointDetailOf(session: Session, endpoint: Endpoint, judge: Judge): EndpointDetail | null {
  const tally = session.tally(endpoint);
  const stats = tally === null ? null : endpointStatsOf(tally);
  if (tally === null || stats === null) return null;
  const { phases, latency } = tally.means();
  return Object.freeze({
    stats,
    histogram: histogramOf(tally.latencies),
    series: seriesOf(session, tally.latencies),
    meanPhases: phases,
    meanLatency: latency,
    slow: slowCountOf(session, judge, session.table.endpoints.find(endpoint)),
    ...tally.connections,
    compressionRatio: tally.payload.compressionRatio,
    contentEncoding: tally.contentEncoding,
  });
}

/** Exact percentiles of slices of the session, by when requests began; of those that are still in the list. */
function seriesOf({ table, summary }: Session, latencies: LatencyTally): EndpointDetail["series"] {
  const start = summary.start ?? 0;
  let length = SHORTEST;
  const last = table.nextRow === 0 ? 0 : table.lastStart - start;
  while (last / length >= SLICES) length *= 2;
  const sliceOf = (id: number): number | null => sliceAt(table, id, start, length);

  const counts = new Uint32Array(SLICES);
  latencies.forEachAbove(-1, (_, id) => {
    const slice = sliceOf(id);
    if (slice !== null) counts[slice] = (counts[slice] ?? 0) + 1;
  });
  const values = Array.from(counts, (count) => new Float64Array(count));
  counts.fill(0);
  latencies.forEachAbove(-1, (latency, id) => {
    const slice = sliceOf(id);
    if (slice === null) return;
    const place = counts[slice] ?? 0;
    const held = values[slice];
    if (held !== undefined) held[place] = latency;
    counts[slice] = place + 1;
  });
  return values.flatMap((held, slice) => {
    if (held.length === 0) return [];
    const percentile = (share: number): number =>
      percentileBy(held.length, share, (rank) => selectRank(held, held.length, rank));
    const at = (start + slice * length) as Instant;
    return [Object.freeze({ at, p50: percentile(0.5), p95: percentile(0.95), samples: held.length })];
  });
}

function sliceAt(table: ExchangeTable, id: number, start: number, length: Milliseconds): number | null {
  const row = table.rowOf(id as ExchangeId);
  if (row === null) return null;
  return Math.min(SLICES - 1, Math.max(0, Math.floor((table.instants.startAt(row) - start) / length)));
}
