import { firstPlace } from "./first-place.ts";

/** Our choice: of so many rows one look at the latest start before them is kept. */
const BLOCK = 64;

/**
 * How far rows lie at most from their places by start. They come nearly so: whose head comes in slowly is told late.
 *
 *   starts  1 2 4 5 3 6      3 came two rows late: no row is further than two places from where it belongs
 */
export class Disorder {
  /** Before each block of rows the latest start of all rows before it. */
  readonly #latestBefore: number[] = [];
  #latest = Number.NEGATIVE_INFINITY;
  #most = 0;

  /** Of all starts; -Infinity of none. */
  get latest(): number {
    return this.#latest;
  }

  /** In rows, at least that far, at most a block more; 0: rows come by start. */
  get most(): number {
    return this.#most;
  }

  /** Rows count up from 0. */
  add(row: number, start: number): void {
    if (row % BLOCK === 0) this.#latestBefore.push(this.#latest);
    if (start >= this.#latest) this.#latest = start;
    else this.#most = Math.max(this.#most, row - this.#firstAfter(start));
  }

  /** A row before which none starts later than that. */
  #firstAfter(start: number): number {
    const blocks = this.#latestBefore;
    const behind = firstPlace(0, blocks.length, (block) => (blocks[block] as number) > start);
    return Math.max(0, behind - 1) * BLOCK;
  }
}
