/** Row changes kept; readers further behind rescan all rows. Default; not from a specification. */
const CAPACITY = 65_536;

/** The changed rows in order, for readers that each keep their own read position. */
export class ChangeLog {
  #rows: number[] = [];
  #before = 0;

  /** The position of a reader that is up to date. */
  get length(): number {
    return this.#before + this.#rows.length;
  }

  add(row: number): void {
    this.#rows.push(row);
    if (this.#rows.length < 2 * CAPACITY) return;
    this.#before += CAPACITY;
    this.#rows = this.#rows.slice(CAPACITY);
  }

  /** The rows changed since `position`; `null` if the log no longer reaches back that far. */
  since(position: number): readonly number[] | null {
    return position < this.#before ? null : this.#rows.slice(position - this.#before);
  }
}
