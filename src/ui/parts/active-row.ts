import type { VirtualListOptions } from "./list-options.ts";
import type { Place } from "./picked-rows.ts";

type Rows = Pick<VirtualListOptions<unknown>, "keyAt" | "indexOf" | "moved" | "opened">;

/** Which row of a list is active: by its key, and where it is. One that was reached by keys before it is held has no key yet. */
export class ActiveRow {
  readonly #rows: Rows;
  #key: Place["key"] | null = null;
  #index = -1;
  /** Enter was pressed before its row was held. */
  #opens = false;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  get key(): Place["key"] | null {
    return this.#key;
  }

  /** -1 while none is active. */
  get index(): number {
    return this.#index;
  }

  /** `null` while none is active or its key is not known. */
  get place(): Place | null {
    return this.#key === null ? null : Object.freeze({ key: this.#key, index: this.#index });
  }

  /** `null` = none. */
  set(key: Place["key"] | null): void {
    this.#opens = false;
    this.#key = key;
    this.#index = key === null ? -1 : (this.#rows.indexOf(key) ?? this.#index);
  }

  /** A key has moved it there. */
  move(index: number): void {
    this.#opens = false;
    this.#index = index;
    this.#key = this.#rows.keyAt(index);
  }

  /** Enter: at once, or once its row is held. */
  open(): void {
    if (this.#key === null) this.#opens = true;
    else this.#rows.opened(this.#index, this.#key);
  }

  /** The list has changed: goes to where the row is now. True: one that was reached before it was held is known from here on. */
  follow(): boolean {
    if (this.#key !== null) {
      this.#index = this.#rows.indexOf(this.#key) ?? this.#index;
      return false;
    }
    if (this.#index < 0) return false;
    this.#key = this.#rows.keyAt(this.#index);
    return this.#key !== null;
  }

  /** Tells that a key has moved it, unless its row is not held: then that is told later. */
  tell(): void {
    if (this.#key === null) return;
    const opens = this.#opens;
    this.#opens = false;
    this.#rows.moved(this.#index, this.#key);
    if (opens) this.#rows.opened(this.#index, this.#key);
  }
}
