import type { Milliseconds } from "../../model/units.ts";
import { lowerBound } from "../../stats/lower-bound.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";

/** Latest rows that are read. Default; not from a specification: 20,000 take some 10 ms. */
const MOST_ROWS = 20_000;

/** An endpoint's recorded latencies by what else was in flight to the same server. */
export interface RecordedBeside {
  /** Requests that were in flight when the row's request began. */
  readonly beside: number;
  /** Latencies of the endpoint's requests that began while no other was in flight, and of the others. */
  readonly latencies: { readonly alone: readonly Milliseconds[]; readonly beside: readonly Milliseconds[] };
}

/**
 * Reads the requests to the row's server around it. Only what was in flight at a request's beginning counts, since a
 * longer request meets more others for being longer. Streams and uncounted exchanges count as no others.
 */
export function recordedBeside(table: ExchangeTable, row: number): RecordedBeside {
  const begin = Math.max(table.firstRow, Math.min(row, table.nextRow - MOST_ROWS));
  const end = Math.min(table.nextRow, begin + MOST_ROWS);
  const origin = table.origin.at(row);
  const rows: number[] = [];
  for (let each = begin; each < end; each += 1)
    if (table.origin.at(each) === origin && !table.isUncountedAt(each) && !table.isLastingAt(each)) rows.push(each);
  const starts = Float64Array.from(rows, (each) => table.instants.startAt(each)).sort();
  const ends = Float64Array.from(rows, (each) => orNever(table.intervalEndAt(each))).sort();
  const inFlight = (each: number): number => {
    const at = table.instants.startAt(each);
    const own = table.isUncountedAt(each) || table.isLastingAt(each) ? 0 : 1;
    return Math.max(0, countUpTo(starts, at) - countUpTo(ends, at) - own);
  };
  const endpoint = table.endpoint.at(row);
  const latencies = { alone: [] as Milliseconds[], beside: [] as Milliseconds[] };
  for (const each of rows) {
    const latency = table.latencyAt(each);
    if (table.endpoint.at(each) !== endpoint || Number.isNaN(latency)) continue;
    latencies[inFlight(each) === 0 ? "alone" : "beside"].push(latency);
  }
  return { beside: inFlight(row), latencies };
}

/** How many of the ascending instants are at most `at`. */
function countUpTo(ascending: Float64Array, at: number): number {
  return lowerBound(0, ascending.length, (index) => (ascending[index] as number) > at);
}

/** In flight still. */
function orNever(end: number): number {
  return Number.isNaN(end) ? Number.POSITIVE_INFINITY : end;
}
