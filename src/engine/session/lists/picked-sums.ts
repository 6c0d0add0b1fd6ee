import type { Sort } from "../../messages/list-messages.ts";
import type { PickedStretch, PickedSums, TrafficColumn } from "../../messages/traffic-messages.ts";
import type { Milliseconds } from "../../model/units.ts";
import { percentileOf } from "../../stats/percentile.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";
import type { TrafficOrder } from "./traffic-order.ts";

/** Sums over those of `rows` that are in at least one of the ranges (`stretches`) of the sorted list. */
export function pickedSumsOf(
  table: ExchangeTable,
  rows: Uint32Array,
  order: TrafficOrder,
  sort: Sort<TrafficColumn>,
  stretches: readonly PickedStretch[],
): PickedSums {
  const isPicked = membership(table, order.comparison(sort), stretches);
  const latencies: Milliseconds[] = [];
  let count = 0;
  let errors = 0;
  let bytes = 0;
  for (const row of rows) {
    if (!isPicked(row)) continue;
    count += 1;
    bytes += table.encodedBodySize.at(row) + table.requestBodySize.at(row);
    if (table.isErrorAt(row)) errors += 1;
    const latency = table.latencyAt(row);
    if (!Number.isNaN(latency)) latencies.push(latency);
  }
  const ascending = Float64Array.from(latencies).sort();
  const at = (share: number): Milliseconds | null => (ascending.length === 0 ? null : percentileOf(ascending, share));
  return Object.freeze({ count, errors, bytes, p50: at(0.5), p95: at(0.95), longest: at(1) });
}

/**
 * A test for whether a row is in one of the ranges. If an end of a range was evicted, the range is open on that side. A
 * range whose ends were all evicted is dropped.
 */
export function membership(
  table: ExchangeTable,
  compare: (row: number, other: number) => number,
  stretches: readonly PickedStretch[],
): (row: number) => boolean {
  const known = stretches.flatMap(({ from, to }) => {
    const [first, last] = [from, to].map((id) => (id === null ? null : table.rowOf(id)));
    const isGone = (from !== null || to !== null) && first === null && last === null;
    return isGone ? [] : [{ first: first ?? null, last: last ?? null }];
  });
  return (row) =>
    known.some(
      ({ first, last }) => (first === null || compare(first, row) <= 0) && (last === null || compare(row, last) <= 0),
    );
}
