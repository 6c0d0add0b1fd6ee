import type { Milliseconds } from "../../model/units.ts";
import { lowerBound } from "../../stats/lower-bound.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";

/**
 * `MOST_ROWS`: the most rows read, which takes about 10 ms. `ROWS_BEFORE`: how many rows before a request are searched
 * for others in flight at the request's start.
 */
const MOST_ROWS = 20_000;
const ROWS_BEFORE = 5_000;

/** An endpoint's recorded latencies, with and without other requests in flight to the same server. */
export interface RecordedBeside {
  /**
   * The number of other requests in flight to the server when the row's request started; `null` if too many of the rows
   * before it were evicted.
   */
  readonly beside: number | null;
  /**
   * Latencies of the endpoint's requests. `alone`: of requests that started while no other request was in flight to the
   * server; `beside`: of all others.
   */
  readonly latencies: { readonly alone: readonly Milliseconds[]; readonly beside: readonly Milliseconds[] };
}

/**
 * Reads the latest rows, or, for an older row, the rows around it. For each request, counts the other requests that
 * were in flight at its start. Requests that started later do not count, since long requests overlap more of them.
 * Streams and uncounted exchanges do not count. The requests of the first rows read count only as others, since rows
 * before these were not read.
 */
export function recordedBeside(table: ExchangeTable, row: number): RecordedBeside {
  const begin = Math.max(table.firstRow, Math.min(row - ROWS_BEFORE, table.nextRow - MOST_ROWS));
  const end = Math.min(table.nextRow, begin + MOST_ROWS);
  const judgedFrom = begin === 0 ? 0 : begin + ROWS_BEFORE;
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
    if (each < judgedFrom || table.endpoint.at(each) !== endpoint || Number.isNaN(latency)) continue;
    latencies[inFlight(each) === 0 ? "alone" : "beside"].push(latency);
  }
  return { beside: row < judgedFrom ? null : inFlight(row), latencies };
}

/** How many of the ascending instants are at most `at`. */
function countUpTo(ascending: Float64Array, at: number): number {
  return lowerBound(0, ascending.length, (index) => (ascending[index] as number) > at);
}

/** The end of an exchange; infinite if `end` is NaN, which means in flight. */
function orNever(end: number): number {
  return Number.isNaN(end) ? Number.POSITIVE_INFINITY : end;
}
