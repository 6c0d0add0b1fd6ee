import { firstPlace } from "./first-place.ts";

/** Row numbers in ascending order, in one array that grows. */
export class RowList {
  #rows = new Uint32Array(1_024);
  #from = 0;
  #to = 0;

  get length(): number {
    return this.#to - this.#from;
  }

  at(index: number): number {
    return this.#rows[this.#from + index] as number;
  }

  /** Puts all rows from `first` to before `end` behind all others. */
  appendAll(first: number, end: number): void {
    if (this.#to + end - first > this.#rows.length) this.#grow(this.length + end - first);
    for (let row = first; row < end; row += 1) this.#rows[this.#to + row - first] = row;
    this.#to += Math.max(0, end - first);
  }

  /** Puts these rows behind all others, in their order. */
  appendEach(rows: Uint32Array): void {
    if (this.#to + rows.length > this.#rows.length) this.#grow(this.length + rows.length);
    this.#rows.set(rows, this.#to);
    this.#to += rows.length;
  }

  /** Puts the row in, or takes it out. */
  set(row: number, held: boolean): void {
    const place = this.#placeOf(row);
    const isHeld = place < this.#to && this.#rows[place] === row;
    if (held === isHeld) return;
    if (!held) {
      this.#rows.copyWithin(place, place + 1, this.#to);
      this.#to -= 1;
      return;
    }
    if (this.#to === this.#rows.length) this.#grow();
    const target = this.#placeOf(row);
    this.#rows.copyWithin(target + 1, target, this.#to);
    this.#rows[target] = row;
    this.#to += 1;
  }

  forgetBefore(row: number): void {
    this.#from = this.#placeOf(row);
  }

  /** The rows in order. Good until the next change. */
  view(): Uint32Array {
    return this.#rows.subarray(this.#from, this.#to);
  }

  /** The first place whose row is not less; new rows belong at the end. */
  #placeOf(row: number): number {
    if (this.length === 0 || (this.#rows[this.#to - 1] as number) < row) return this.#to;
    return firstPlace(this.#from, this.#to, (place) => (this.#rows[place] as number) >= row);
  }

  #grow(least = 0): void {
    const held = this.view();
    const larger = new Uint32Array(Math.max(1_024, 2 * held.length, least));
    larger.set(held);
    this.#rows = larger;
    this.#to = held.length;
    this.#from = 0;
  }
}
