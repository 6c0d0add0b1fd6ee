import type { VirtualListOptions } from "./list-options.ts";
import type { RowPosition } from "./selected-rows.ts";

type Rows = Pick<VirtualListOptions<unknown>, "keyAt" | "indexOf" | "positionOf">;

/**
 * A row to scroll to, chosen outside the list. If the row is not loaded, its index is requested first, then the rows
 * around the index.
 */
export class PendingReveal {
  readonly #rows: Rows;
  readonly #onKnown: () => void;
  #key: RowPosition["key"] | null = null;
  /** The index that `positionOf` reported last; `null` if it is unknown. */
  #index: number | null = null;

  /** `onKnown`: called when the index becomes known. */
  constructor(rows: Rows, onKnown: () => void) {
    this.#rows = rows;
    this.#onKnown = onKnown;
  }

  seek(key: RowPosition["key"]): void {
    this.#key = key;
    this.#index = null;
  }

  /** Requests the index, unless the row is loaded. */
  ask(): void {
    const key = this.#key;
    if (key === null || this.#rows.indexOf(key) !== null) return;
    this.#rows.positionOf?.(key, (index) => {
      if (this.#key !== key) return;
      if (index === null) this.clear();
      this.#index = index;
      this.#onKnown();
    });
  }

  clear(): void {
    this.#key = null;
    this.#index = null;
  }

  /** The index to scroll to now; `null`: none. */
  resolve(): number | null {
    if (this.#key === null) return null;
    const loaded = this.#rows.indexOf(this.#key);
    const reported = this.#index;
    // Whether another row is at the reported index by now, so that the index is outdated.
    const hasGone = reported !== null && this.#rows.keyAt(reported) !== null;
    if (loaded !== null || hasGone) this.clear();
    return loaded ?? (hasGone ? null : reported);
  }
}
