import { lowerBound } from "../../stats/lower-bound.ts";

/** The rows of a block. For each block, the latest earlier start is kept. */
const BLOCK = 64;

/**
 * The largest distance between a row and its position in the order of starts. Rows are nearly sorted: only a request
 * whose head arrives slowly is added late.
 *
 *   starts  1 2 4 5 3 6      3 came two rows late: no row is further than two from its position
 */
export class StartOrderSkew {
  /** For each block of rows, the latest start of all rows before it. */
  readonly #latestBefore: number[] = [];
  #latest = Number.NEGATIVE_INFINITY;
  #most = 0;

  /** The latest start of all rows; -Infinity if there are none. */
  get latest(): number {
    return this.#latest;
  }

  /** The skew in rows, as an upper bound that is at most one block too large; 0 if the rows are sorted by start. */
  get most(): number {
    return this.#most;
  }

  /** Adds the next row; rows are numbered from 0. */
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
