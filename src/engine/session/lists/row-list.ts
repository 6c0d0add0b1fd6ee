import { lowerBound } from "../../stats/lower-bound.ts";

/**
 * Row numbers in ascending order, in an array that grows:
 *
 *   … forgotten │ 3 17 18 20 │ … spare
 */
export class RowList {
  /** Holds the rows at the indexes from `#from` to before `#to`. */
  #rows = new Uint32Array(1_024);
  #from = 0;
  #to = 0;

  /** The rows in order. Valid until the next change. */
  get rows(): Uint32Array {
    return this.#rows.subarray(this.#from, this.#to);
  }

  /** Appends these rows, in their order. */
  append(rows: Uint32Array): void {
    this.#makeRoom(rows.length);
    this.#rows.set(rows, this.#to);
    this.#to += rows.length;
  }

  /** Inserts the row if `held` is true, else removes it. */
  set(row: number, held: boolean): void {
    this.#makeRoom(1);
    const index = this.#indexOf(row);
    const isHeld = index < this.#to && this.#rows[index] === row;
    if (held === isHeld) return;
    if (held) this.#rows.copyWithin(index + 1, index, this.#to);
    else this.#rows.copyWithin(index, index + 1, this.#to);
    if (held) this.#rows[index] = row;
    this.#to += held ? 1 : -1;
  }

  forgetBefore(row: number): void {
    this.#from = this.#indexOf(row);
  }

  /** Makes space for `more` rows after the present ones. May move the present rows. */
  #makeRoom(more: number): void {
    if (this.#to + more <= this.#rows.length) return;
    const { rows } = this;
    this.#rows = new Uint32Array(2 * rows.length + Math.max(1_024, more));
    this.#rows.set(rows);
    this.#from = 0;
    this.#to = rows.length;
  }

  /** The index of the first row that is at least `row`. New rows usually belong at the end. */
  #indexOf(row: number): number {
    if (this.#from === this.#to || (this.#rows[this.#to - 1] as number) < row) return this.#to;
    return lowerBound(this.#from, this.#to, (index) => (this.#rows[index] as number) >= row);
  }
}
