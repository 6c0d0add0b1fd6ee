import { lowerBound } from "../../stats/lower-bound.ts";

/** Rows per block, for which one latest earlier start is kept. Default; not from a specification. */
const BLOCK = 64;

/**
 * The most places between a row and its place by start. Rows are nearly sorted: a request whose head arrives slowly is
 * added late.
 *
 *   starts  1 2 4 5 3 6      3 came two rows late: no row is further than two places from where it belongs
 */
export class StartOrderSkew {
  /** Per block of rows, the latest start of all rows before it. */
  readonly #latestBefore: number[] = [];
  #latest = Number.NEGATIVE_INFINITY;
  #most = 0;

  /** The latest start of all; -Infinity without rows. */
  get latest(): number {
    return this.#latest;
  }

  /** The skew in rows: an upper bound, at most one block too large; 0: rows are sorted by start. */
  get most(): number {
    return this.#most;
  }

  /** Adds the next row; rows count up from 0. */
  add(row: number, start: number): void {
    if (row % BLOCK === 0) this.#latestBefore.push(this.#latest);
    if (start >= this.#latest) this.#latest = start;
    else this.#most = Math.max(this.#most, row - this.#firstAfter(start));
  }

  /** A row before which every start is at most `start`. */
  #firstAfter(start: number): number {
    const blocks = this.#latestBefore;
    const behind = lowerBound(0, blocks.length, (block) => (blocks[block] as number) > start);
    return Math.max(0, behind - 1) * BLOCK;
  }
}
