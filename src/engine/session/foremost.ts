/**
 * The rows of the least keys among those that are told, of equal ones the lowest rows; NaN keys last. They are kept in a heap,
 * the last of them on top, so that one look at each is enough, and nothing is made for it.
 */
export class Foremost {
  readonly #count: number;
  #keys = new Float64Array(64);
  #rows = new Uint32Array(64);
  #size = 0;

  /** `count`: so many of them. */
  constructor(count: number) {
    this.#count = count;
  }

  /** A row of a greater key is none of them. */
  get greatest(): number {
    if (this.#count === 0) return Number.NEGATIVE_INFINITY;
    return this.#size < this.#count ? Number.POSITIVE_INFINITY : (this.#keys[0] as number);
  }

  add(row: number, given: number): void {
    const key = Number.isNaN(given) ? Number.POSITIVE_INFINITY : given;
    if (this.#size < this.#count) {
      if (this.#size === this.#rows.length) this.#grow();
      this.#size += 1;
      this.#rise(row, key);
    } else if (key <= this.greatest && this.#isBehind(0, row, key)) this.#sink(row, key);
  }

  /** Those from place `from` on, the least key first. */
  rows(from: number): Uint32Array {
    const keys = this.#keys;
    const rows = this.#rows;
    const places = Array.from({ length: this.#size }, (_, place) => place);
    places.sort((a, b) => {
      const [left, right] = [keys[a] as number, keys[b] as number];
      return left === right ? (rows[a] as number) - (rows[b] as number) : left - right;
    });
    return Uint32Array.from(places.slice(from), (place) => rows[place] as number);
  }

  /** From the last place up to its own. */
  #rise(row: number, key: number): void {
    let at = this.#size - 1;
    for (let above = (at - 1) >> 1; at > 0 && !this.#isBehind(above, row, key); above = (at - 1) >> 1) {
      this.#put(at, this.#rows[above] as number, this.#keys[above] as number);
      at = above;
    }
    this.#put(at, row, key);
  }

  /** In the place of the top, down to its own. */
  #sink(row: number, key: number): void {
    let at = 0;
    for (let below = 1; below < this.#size; below = 2 * at + 1) {
      const right = below + 1;
      if (right < this.#size && this.#isBehind(right, this.#rows[below] as number, this.#keys[below] as number))
        below = right;
      if (!this.#isBehind(below, row, key)) break;
      this.#put(at, this.#rows[below] as number, this.#keys[below] as number);
      at = below;
    }
    this.#put(at, row, key);
  }

  /** Whether what lies at a place comes after that row. */
  #isBehind(place: number, row: number, key: number): boolean {
    const other = this.#keys[place] as number;
    return other > key || (other === key && (this.#rows[place] as number) > row);
  }

  #put(place: number, row: number, key: number): void {
    this.#rows[place] = row;
    this.#keys[place] = key;
  }

  #grow(): void {
    const [keys, rows] = [new Float64Array(2 * this.#size), new Uint32Array(2 * this.#size)];
    keys.set(this.#keys);
    rows.set(this.#rows);
    this.#keys = keys;
    this.#rows = rows;
  }
}
