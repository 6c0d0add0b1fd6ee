import { selectRows } from "./row-selection.ts";

/** The rows of the greatest keys among those that are told, of equal ones the lowest rows. */
export class Foremost {
  readonly #count: number;
  /** The keys turned round, as `selectRows` has them, and beside each its row. */
  #keys: number[] = [];
  #rows: number[] = [];
  #least = Number.NEGATIVE_INFINITY;

  /** `count`: so many of them. */
  constructor(count: number) {
    this.#count = count;
  }

  /** A row of a smaller key is none of them. */
  get least(): number {
    return this.#least;
  }

  add(row: number, key: number): void {
    if (key < this.#least) return;
    this.#keys.push(-key);
    this.#rows.push(row);
    if (this.#rows.length > 2 * this.#count + SPARE) this.#sortOut();
  }

  /** Those from place `from` on, the greatest key first. */
  rows(from: number): Uint32Array {
    return selectRows(Float64Array.from(this.#keys), Uint32Array.from(this.#rows), from, this.#count);
  }

  #sortOut(): void {
    const [keys, rows] = [Float64Array.from(this.#keys), Uint32Array.from(this.#rows)];
    selectRows(keys, rows, 0, this.#count); // moves them to the front
    this.#keys = [...keys.subarray(0, this.#count)];
    this.#rows = [...rows.subarray(0, this.#count)];
    this.#least = -this.#keys.reduce((greatest, key) => Math.max(greatest, key), Number.NEGATIVE_INFINITY);
  }
}

/** Our choice: so many more than twice those that are wanted are gathered before they are sorted out. */
const SPARE = 256;
