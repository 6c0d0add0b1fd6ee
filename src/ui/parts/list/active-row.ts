import type { VirtualListOptions } from "./list-options.ts";
import type { RowPosition } from "./selected-rows.ts";

type Rows = Pick<VirtualListOptions<unknown>, "keyAt" | "indexOf" | "moved" | "opened">;

/**
 * The active row of a list, by key and index. The key of a row reached by keyboard is unknown until that row is loaded.
 */
export class ActiveRow {
  readonly #rows: Rows;
  #key: RowPosition["key"] | null = null;
  #index = -1;
  /** Whether Enter was pressed before the row was loaded. */
  #opens = false;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  get key(): RowPosition["key"] | null {
    return this.#key;
  }

  /** -1 if no row is active. */
  get index(): number {
    return this.#index;
  }

  /** The active row; `null` if no row is active, or its key is unknown. */
  get position(): RowPosition | null {
    return this.#key === null ? null : Object.freeze({ key: this.#key, index: this.#index });
  }

  /** Makes a row active; `null`: no row. */
  set(key: RowPosition["key"] | null): void {
    this.#opens = false;
    this.#key = key;
    this.#index = key === null ? -1 : (this.#rows.indexOf(key) ?? this.#index);
  }

  /** Moves the active row by keyboard. */
  move(index: number): void {
    this.#opens = false;
    this.#index = index;
    this.#key = this.#rows.keyAt(index);
  }

  /** Opens the row at once, or when it is loaded. For the Enter key. */
  open(): void {
    if (this.#key === null) this.#opens = true;
    else this.#rows.opened(this.#key);
  }

  /** Updates the index after a change of the list. Returns true if the row's key just became known. */
  follow(): boolean {
    if (this.#key !== null) {
      this.#index = this.#rows.indexOf(this.#key) ?? this.#index;
      return false;
    }
    if (this.#index < 0) return false;
    this.#key = this.#rows.keyAt(this.#index);
    return this.#key !== null;
  }

  /** Reports a move by keyboard, and an Enter pressed since. Does nothing until the row's key is known. */
  tell(): void {
    if (this.#key === null) return;
    const opens = this.#opens;
    this.#opens = false;
    this.#rows.moved(this.#key);
    if (opens) this.#rows.opened(this.#key);
  }
}
