/** The log keeps at least this many row changes. A reader that is further behind reads all rows. */
const CAPACITY = 65_536;

/** The changed rows, in the order of the changes. Each reader keeps its own position. */
export class ChangeLog {
  #rows: number[] = [];
  #before = 0;

  /** The position of a reader that has read all changes. */
  get length(): number {
    return this.#before + this.#rows.length;
  }

  add(row: number): void {
    this.#rows.push(row);
    if (this.#rows.length < 2 * CAPACITY) return;
    this.#before += CAPACITY;
    this.#rows = this.#rows.slice(CAPACITY);
  }

  /** The rows changed since `position`; `null` if the log no longer has all of them. */
  since(position: number): readonly number[] | null {
    return position < this.#before ? null : this.#rows.slice(position - this.#before);
  }
}
