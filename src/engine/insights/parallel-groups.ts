import type { ExchangeId, Instant } from "../model/units.ts";
import { lowerBound } from "../stats/lower-bound.ts";
import { type Interval, readyOf } from "./interval.ts";

/** Exchanges of one client, each of which overlaps at least one other exchange of the group. */
export interface ParallelGroup {
  readonly client: string;
  /** At least 2 exchanges, in the order of their starts. */
  readonly exchanges: readonly ExchangeId[];
  readonly start: Instant;
  readonly end: Instant;
}

/**
 * docs/specification.md, Parallel group: an interval that overlaps more than this many consecutive intervals joins no
 * group.
 */
const MOST_IN_TURN = 5;

/**
 * Finds the parallel groups of every client. Intervals must be added by start. If starts are equal, the longer interval
 * comes first, so that an interval of length 0 lies within it.
 *
 *     a ├──────┤
 *     b     ├──────┤       a overlaps b, b overlaps c: one group
 *     c          ├────┤
 *     d               ├──┤ starts as c ends: not in the group
 */
export class ParallelSweep {
  readonly #clients = new Map<string, Interval[]>();

  add(interval: Interval): void {
    const own = this.#clients.get(interval.client);
    if (own === undefined) this.#clients.set(interval.client, [interval]);
    else own.push(interval);
  }

  /** The groups, by start. Call this after all intervals were added. */
  find(): readonly ParallelGroup[] {
    const groups: ParallelGroup[] = [];
    for (const [client, own] of this.#clients) {
      const side = new SideBySide(own);
      let open: OpenGroup | null = null;
      for (const interval of own) {
        if (side.isBesideManyInTurn(interval)) continue;
        if (open !== null && interval.start < open.ready) {
          join(open, interval);
          continue;
        }
        if (open !== null) close(open, client, groups);
        open = { exchanges: [interval.id], start: interval.start, end: interval.end, ready: readyOf(interval) };
      }
      if (open !== null) close(open, client, groups);
    }
    return Object.freeze(groups.sort((left, right) => left.start - right.start));
  }
}

interface OpenGroup {
  readonly exchanges: ExchangeId[];
  readonly start: Instant;
  end: Instant;
  /** The latest `readyOf` of the members. An interval that starts at this instant or later opens another group. */
  ready: Instant;
}

function join(group: OpenGroup, interval: Interval): void {
  group.exchanges.push(interval.id);
  if (interval.end > group.end) group.end = interval.end;
  const ready = readyOf(interval);
  if (ready > group.ready) group.ready = ready;
}

function close({ exchanges, start, end }: OpenGroup, client: string, groups: ParallelGroup[]): void {
  if (exchanges.length < 2) return;
  groups.push(Object.freeze({ client, exchanges: Object.freeze(exchanges), start, end }));
}

/** Finds exchanges beside which the same client ran many others one after another. */
class SideBySide {
  readonly #starts: Float64Array;
  /** By index in `#starts`: the earliest `readyOf` of this interval and all later ones. */
  readonly #earliest: Float64Array;
  readonly #readies: Float64Array;

  /** `intervals`: by start. */
  constructor(intervals: readonly Interval[]) {
    const lasting = intervals.filter((interval) => readyOf(interval) > interval.start);
    this.#starts = Float64Array.from(lasting, ({ start }) => start);
    this.#earliest = Float64Array.from(lasting, readyOf);
    this.#readies = this.#earliest.toSorted();
    for (let index = lasting.length - 2; index >= 0; index -= 1)
      this.#earliest[index] = Math.min(this.#earliest[index] as number, this.#earliest[index + 1] as number);
  }

  /**
   * Whether more than `MOST_IN_TURN` intervals run one after another beside `interval`. Counts greedily: first the
   * overlapping interval that ends first. The next is the one that ends first of all that start after that end.
   */
  isBesideManyInTurn(interval: Interval): boolean {
    const ready = readyOf(interval);
    // Overlapping intervals that end with `interval` or later all overlap each other, so only one of them counts.
    let at = this.#readies[firstIn(this.#readies, (ready) => ready > interval.start)] ?? ready;
    for (let count = 1; at < ready; count += 1) {
      if (count > MOST_IN_TURN) return true;
      const last = at;
      const next = firstIn(this.#starts, (start) => start >= last);
      if ((this.#starts[next] ?? ready) >= ready) return false;
      at = this.#earliest[next] as number;
      if (at >= ready) return count >= MOST_IN_TURN;
    }
    return false;
  }
}

/**
 * The index of the first value for which `passes` is true; the length if there is none. `passes` must then be true for
 * all later values, too.
 */
function firstIn(values: Float64Array, passes: (value: number) => boolean): number {
  return lowerBound(0, values.length, (index) => passes(values[index] as number));
}
