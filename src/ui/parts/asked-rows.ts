import type { Range } from "../../engine/messages/list-messages.ts";
import type { VirtualListOptions } from "./list-options.ts";

/** Rows asked for beyond each edge of what is seen. Our choice. */
const MARGIN = 60;

/** Where the last rows begin, however many there are (messages.ts, Range). */
const AT_THE_END = Number.MAX_SAFE_INTEGER;

const NOTHING: Range = Object.freeze({ from: 0, count: 0 });

/** What a list that is read from its end asks for before its length is known. */
export const LAST_ROWS: Range = Object.freeze({ from: AT_THE_END, count: 2 * MARGIN });

/** Which rows a list has asked for: those that are mounted and a margin, so that scrolling on finds them held. */
export class AskedRows {
  readonly #options: Pick<VirtualListOptions<unknown>, "asked" | "follows" | "wanted">;
  #asked: Range;

  constructor(options: Pick<VirtualListOptions<unknown>, "asked" | "follows" | "wanted">) {
    this.#options = options;
    this.#asked = options.asked ?? NOTHING;
  }

  /** Asks for others once the mounted ones come within half a margin of the edge of those asked for last; the list has `total`. */
  cover(first: number, mounted: number, total: number): void {
    const { count } = this.#asked;
    const last = this.#asked.from === AT_THE_END;
    const from = last ? Math.max(0, total - count) : this.#asked.from;
    const above = from === 0 || first - from >= MARGIN / 2;
    const below = last || from + count - (first + mounted) >= MARGIN / 2;
    if (above && below) return;
    const atEnd = this.#options.follows() && first + mounted >= total;
    this.#ask(atEnd ? endOf(mounted) : { from: Math.max(0, first - MARGIN), count: mounted + 2 * MARGIN });
  }

  /** Another order or filter: asks for where such a list is read from. */
  restart(mounted: number): void {
    this.#ask(this.#options.follows() ? endOf(mounted) : { from: 0, count: mounted + 2 * MARGIN });
  }

  /** Nothing was asked for; the next to be covered will be. */
  forget(): void {
    this.#asked = NOTHING;
  }

  #ask(range: Range): void {
    this.#asked = range;
    this.#options.wanted(range);
  }
}

function endOf(mounted: number): Range {
  return { from: AT_THE_END, count: mounted + MARGIN };
}
