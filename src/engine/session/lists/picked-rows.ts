import type { PickedStretch, PickedSums } from "../../messages/traffic-messages.ts";
import type { Milliseconds } from "../../model/units.ts";
import { percentileBy, selectRank } from "../../stats/percentile.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";

/** Comparisons per slice of work; a slice takes some 10 ms. */
const COMPARISONS_AT_ONCE = 50_000;

type Compare = (row: number, other: number) => number;

/** Those of `rows` that are in at least one of the ranges (`stretches`) of the sorted list, and their sums. */
export class PickedRows {
  readonly #table: ExchangeTable;
  /** The rows that were tested and are picked are moved to its beginning. */
  readonly #rows: Uint32Array;
  readonly #comparison: () => Compare;
  readonly #stretches: readonly PickedStretch[];
  #next = 0;
  #count = 0;
  #errors = 0;
  #bytes = 0;
  readonly #latencies: Milliseconds[] = [];
  #sums: PickedSums | null = null;

  /** `rows`: oldest first; changed here. `comparison`: returns how two rows of the list compare now. */
  constructor(table: ExchangeTable, rows: Uint32Array, comparison: () => Compare, stretches: readonly PickedStretch[]) {
    this.#table = table;
    this.#rows = rows;
    this.#comparison = comparison;
    this.#stretches = stretches;
  }

  /** Does one slice of the work; returns `false` if there is more. */
  advance(most = COMPARISONS_AT_ONCE): boolean {
    // Between two slices, ends and rows may be evicted.
    const isPicked = membership(this.#table, this.#comparison(), this.#stretches);
    const end = Math.min(this.#rows.length, this.#next + Math.ceil(most / this.#stretches.length));
    for (; this.#next < end; this.#next += 1) {
      const row = this.#rows[this.#next] as number;
      if (row >= this.#table.firstRow && isPicked(row)) this.#add(row);
    }
    return this.#next === this.#rows.length;
  }

  /** Completes the work and returns the rows that are still in the table, oldest first. */
  rows(): Uint32Array {
    this.advance(Number.POSITIVE_INFINITY);
    return this.#rows.subarray(0, this.#count).filter((row) => row >= this.#table.firstRow);
  }

  /** Completes the work and returns the sums. */
  sums(): PickedSums {
    this.advance(Number.POSITIVE_INFINITY);
    this.#sums ??= this.#summed();
    return this.#sums;
  }

  #add(row: number): void {
    const { encodedBodySize, requestBodySize } = this.#table;
    this.#rows[this.#count] = row;
    this.#count += 1;
    this.#bytes += encodedBodySize.at(row) + requestBodySize.at(row);
    if (this.#table.isErrorAt(row)) this.#errors += 1;
    const latency = this.#table.latencyAt(row);
    if (!Number.isNaN(latency)) this.#latencies.push(latency);
  }

  #summed(): PickedSums {
    const samples = Float64Array.from(this.#latencies);
    const { length } = samples;
    const at = (share: number): Milliseconds | null =>
      length === 0 ? null : percentileBy(length, share, (rank) => selectRank(samples, length, rank));
    const [count, errors, bytes] = [this.#count, this.#errors, this.#bytes];
    return Object.freeze({ count, errors, bytes, p50: at(0.5), p95: at(0.95), longest: at(1) });
  }
}

/**
 * A test for whether a row is in one of the ranges. If an end of a range was evicted, the range is open on that side. A
 * range whose ends were all evicted is dropped.
 */
function membership(
  table: ExchangeTable,
  compare: Compare,
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
