import type { Range } from "../../../engine/messages/list-messages.ts";
import type { VirtualListOptions } from "./list-options.ts";

/** Rows requested beyond each edge of the visible ones. Default; not from a specification. */
const MARGIN = 60;

/** A range start beyond every list's end requests the last rows (messages.ts, Range). */
const AT_THE_END = Number.MAX_SAFE_INTEGER;

const NOTHING: Range = Object.freeze({ from: 0, count: 0 });

/** The initial range of a list that is read from its end, before its length is known. */
export const LAST_ROWS: Range = Object.freeze({ from: AT_THE_END, count: 2 * MARGIN });

/** The range of rows that a list requests: the mounted ones and a margin, so that scrolling finds them loaded. */
export class RequestedRange {
  readonly #options: Pick<VirtualListOptions<unknown>, "asked" | "follows" | "wanted">;
  #asked: Range;

  constructor(options: Pick<VirtualListOptions<unknown>, "asked" | "follows" | "wanted">) {
    this.#options = options;
    this.#asked = options.asked ?? NOTHING;
  }

  /**
   * Requests another range once the mounted rows come within half a margin of the edge of the last one; the list has
   * `total`.
   */
  cover(first: number, mounted: number, total: number): void {
    const { count } = this.#asked;
    const last = this.#asked.from === AT_THE_END;
    const from = last ? Math.max(0, total - count) : this.#asked.from;
    const above = from === 0 || first - from >= MARGIN / 2;
    const below = last || from + count - (first + mounted) >= MARGIN / 2;
    if (above && below) return;
    const atEnd = this.#options.follows() && first + mounted >= total;
    this.#request(atEnd ? endOf(mounted) : { from: Math.max(0, first - MARGIN), count: mounted + 2 * MARGIN });
  }

  /** After a new order or filter: requests the range at which such a list starts. */
  restart(mounted: number): void {
    this.#request(this.#options.follows() ? endOf(mounted) : { from: 0, count: mounted + 2 * MARGIN });
  }

  /** Resets the state, so that the next `cover` requests its range. */
  clear(): void {
    this.#asked = NOTHING;
  }

  #request(range: Range): void {
    this.#asked = range;
    this.#options.wanted(range);
  }
}

function endOf(mounted: number): Range {
  return { from: AT_THE_END, count: mounted + MARGIN };
}
