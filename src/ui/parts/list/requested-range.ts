import type { Range } from "../../../engine/messages/list-messages.ts";
import type { VirtualListOptions } from "./list-options.ts";

/** Rows requested above and below the visible rows. */
const MARGIN = 60;

/** A range that starts beyond the end of every list requests the last rows (list-messages.ts, Range). */
const AT_THE_END = Number.MAX_SAFE_INTEGER;

/** The initial range of a list that starts at its end; the list's length is unknown then. */
export const LAST_ROWS: Range = Object.freeze({ from: AT_THE_END, count: 2 * MARGIN });

/**
 * The range of rows that a list requests: the mounted rows and a margin, so that rows are loaded before the user
 * scrolls to them.
 */
export class RequestedRange {
  readonly #options: Pick<VirtualListOptions<unknown>, "requested" | "follows" | "wanted">;
  #requested: Range;

  constructor(options: Pick<VirtualListOptions<unknown>, "requested" | "follows" | "wanted">) {
    this.#options = options;
    this.#requested = options.requested;
  }

  /**
   * Requests another range when the mounted rows come within half a margin of an edge of the last range. The list has
   * `total` rows.
   */
  cover(first: number, mounted: number, total: number): void {
    const { count } = this.#requested;
    const last = this.#requested.from === AT_THE_END;
    const from = last ? Math.max(0, total - count) : this.#requested.from;
    const above = from === 0 || first - from >= MARGIN / 2;
    const below = last || from + count - (first + mounted) >= MARGIN / 2;
    if (above && below) return;
    const atEnd = this.#options.follows() && first + mounted >= total;
    this.#request(atEnd ? endOf(mounted) : { from: Math.max(0, first - MARGIN), count: mounted + 2 * MARGIN });
  }

  /** After a new order or filter: requests the range at which the list starts. */
  restart(mounted: number): void {
    this.#request(this.#options.follows() ? endOf(mounted) : { from: 0, count: mounted + 2 * MARGIN });
  }

  #request(range: Range): void {
    this.#requested = range;
    this.#options.wanted(range);
  }
}

function endOf(mounted: number): Range {
  return { from: AT_THE_END, count: mounted + MARGIN };
}
