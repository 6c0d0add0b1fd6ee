/** Our choice: a reader that is further behind than this looks at everything again. */
const CAPACITY = 65_536;

/** Which rows changed, in order, for readers that each remember how far they have read. */
export class ChangeLog {
  #rows: number[] = [];
  #before = 0;

  /** Where a reader stands that has read all. */
  get end(): number {
    return this.#before + this.#rows.length;
  }

  add(row: number): void {
    this.#rows.push(row);
    if (this.#rows.length < 2 * CAPACITY) return;
    this.#before += CAPACITY;
    this.#rows = this.#rows.slice(CAPACITY);
  }

  /** The rows that changed since a reader stood at `position`; `null` if that is no longer known. */
  since(position: number): readonly number[] | null {
    return position < this.#before ? null : this.#rows.slice(position - this.#before);
  }
}
