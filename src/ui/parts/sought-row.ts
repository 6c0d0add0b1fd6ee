import type { VirtualListOptions } from "./list-options.ts";
import type { Place } from "./picked-rows.ts";

type Rows = Pick<VirtualListOptions<unknown>, "keyAt" | "indexOf" | "placeOf">;

/**
 * A row that was chosen elsewhere, until it is in sight. Where one stands that is not held is asked for, and told later; then
 * the rows there are asked for, and it is among them.
 */
export class SoughtRow {
  readonly #rows: Rows;
  readonly #told: () => void;
  #key: Place["key"] | null = null;
  /** Where it stood when that was told. */
  #index: number | null = null;

  /** `told`: it has become known where the row stands. */
  constructor(rows: Rows, told: () => void) {
    this.#rows = rows;
    this.#told = told;
  }

  seek(key: Place["key"]): void {
    this.#key = key;
    this.#index = null;
  }

  /** Asks where it stands, unless it is held. */
  ask(): void {
    const key = this.#key;
    if (key === null || this.#rows.indexOf(key) !== null) return;
    this.#rows.placeOf?.(key, (index) => {
      if (this.#key !== key) return;
      if (index === null) this.forget();
      this.#index = index;
      this.#told();
    });
  }

  /** Nobody waits for it any more. */
  forget(): void {
    this.#key = null;
    this.#index = null;
  }

  /** Where to go for it now; `null`: nowhere. */
  take(): number | null {
    if (this.#key === null) return null;
    const held = this.#rows.indexOf(this.#key);
    const told = this.#index;
    // Others stand there by now.
    const hasGone = told !== null && this.#rows.keyAt(told) !== null;
    if (held !== null || hasGone) this.forget();
    return held ?? (hasGone ? null : told);
  }
}
