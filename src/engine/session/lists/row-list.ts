import { lowerBound } from "../../stats/lower-bound.ts";

/** Rows in ascending order that need not all be in memory. */
export interface SlicedRows {
  readonly length: number;
  slice(begin: number, end: number): Uint32Array;
}

/**
 * Row numbers in ascending order. Rows without a gap are stored as two bounds, which saves 4 MB for a million rows.
 * Other rows are stored in an array that grows:
 *
 *   without a gap   from 17 to 20: 17 18 19        with a gap   │ 3 17 18 20 │ … spare
 */
export class RowList implements SlicedRows {
  /**
   * The array that holds the rows at the indexes from `#from` to before `#to`; `null` if these indexes are themselves
   * the rows.
   */
  #rows: Uint32Array | null = null;
  #from = 0;
  #to = 0;

  get length(): number {
    return this.#to - this.#from;
  }

  slice(begin: number, end: number): Uint32Array {
    if (this.#rows !== null) return this.view().slice(begin, end);
    const length = Math.max(0, Math.min(end, this.length) - begin);
    return Uint32Array.from({ length }, (_, index) => this.#from + begin + index);
  }

  /** Appends the rows from `first` to before `end`. */
  appendAll(first: number, end: number): void {
    if (first >= end) return;
    if (this.length === 0) this.#become(first);
    if (this.#rows === null && first === this.#to) this.#to = end;
    else this.appendEach(Uint32Array.from({ length: end - first }, (_, index) => first + index));
  }

  /** Appends these rows, in their order. */
  appendEach(rows: Uint32Array): void {
    if (rows.length === 0) return;
    const written = this.#written(rows.length);
    written.set(rows, this.#to);
    this.#to += rows.length;
  }

  /** Inserts the row if `held` is true, else removes it. */
  set(row: number, held: boolean): void {
    if (this.length === 0) this.#become(row);
    if (this.#rows === null && (held ? this.#from <= row && row <= this.#to : row < this.#from || row >= this.#to)) {
      if (held) this.#to = Math.max(this.#to, row + 1);
      return;
    }
    const rows = this.#written(1);
    const index = this.#indexOf(rows, row);
    const isHeld = index < this.#to && rows[index] === row;
    if (held === isHeld) return;
    if (held) rows.copyWithin(index + 1, index, this.#to);
    else rows.copyWithin(index, index + 1, this.#to);
    if (held) rows[index] = row;
    this.#to += held ? 1 : -1;
  }

  forgetBefore(row: number): void {
    this.#from = this.#rows === null ? Math.min(Math.max(row, this.#from), this.#to) : this.#indexOf(this.#rows, row);
  }

  /** The rows in order. Valid until the next change. */
  view(): Uint32Array {
    return this.#written(0).subarray(this.#from, this.#to);
  }

  /** Resets to an empty list that continues at `row`. */
  #become(row: number): void {
    this.#rows = null;
    this.#from = row;
    this.#to = row;
  }

  /** Returns the array, with space for `more` rows after the present ones. May move the present rows. */
  #written(more: number): Uint32Array {
    const { length } = this;
    if (this.#rows !== null && this.#to + more <= this.#rows.length) return this.#rows;
    const larger = new Uint32Array(Math.max(1_024, 2 * length, length + more));
    if (this.#rows !== null) larger.set(this.#rows.subarray(this.#from, this.#to));
    else for (let index = 0; index < length; index += 1) larger[index] = this.#from + index;
    this.#rows = larger;
    this.#from = 0;
    this.#to = length;
    return larger;
  }

  /** The index of the first row that is at least `row`. New rows usually belong at the end. */
  #indexOf(rows: Uint32Array, row: number): number {
    if (this.length === 0 || (rows[this.#to - 1] as number) < row) return this.#to;
    return lowerBound(this.#from, this.#to, (index) => (rows[index] as number) >= row);
  }
}
