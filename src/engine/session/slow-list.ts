import type { SlowRecord } from "../messages/latency-messages.ts";
import type { ListQuery } from "../messages/messages.ts";
import type { Filter } from "./filter.ts";
import type { Judge } from "./judge.ts";
import { Matcher } from "./matcher.ts";
import { selectRows } from "./row-selection.ts";
import type { Session } from "./session.ts";
import { forEachSlow, slowCountOf } from "./slow-rows.ts";
import type { Rows } from "./traffic-list.ts";

type SlowQuery = Extract<ListQuery, { readonly view: "slow" }>;

/** Slow requests that are still in the list, the larger excess over a threshold it broke first. */
export function slowRows(
  session: Session,
  filter: Filter,
  { cause, endpoint, range }: Omit<SlowQuery, "view" | "filter">,
  judge: Judge,
): Rows<SlowRecord> {
  const matcher = new Matcher(session.table, filter);
  const isWhole = !matcher.isChoosy && matcher.judged.length === 0 && cause === "all";
  const one = endpoint === null ? null : session.table.endpoints.find(endpoint);
  const to = range.from + range.count;
  const excesses: number[] = [];
  const rows: number[] = [];
  let total = 0;
  for (let number = one ?? 1; number <= (one ?? session.tallies.length); number += 1) {
    total += slowCountOf(session, judge, number);
    const before = rows.length;
    // Of the whole list none can be in the window that has as many of its own endpoint before it.
    const isEnough = (): boolean => isWhole && rows.length - before >= to;
    forEachSlow(
      session,
      judge,
      number,
      (row, excess) => {
        if (!isWhole && !(matcher.matches(row) && matcher.holdsNow(row, judge))) return;
        if (cause !== "all" && judge.causeAt(row) !== cause) return;
        excesses.push(-excess);
        rows.push(row);
      },
      isEnough,
    );
  }
  const matched = isWhole ? total : rows.length;
  const window = selectRows(Float64Array.from(excesses), Uint32Array.from(rows), range.from, to);
  return { total, matched, records: Array.from(window).flatMap((row) => judge.slowRecord(row) ?? []) };
}

/** How many requests are slow and still in the list; looks again only at endpoints that changed. */
export class SlowCounter {
  readonly #session: Session;
  /** By the endpoint's number less one. */
  readonly #known: Known[] = [];

  constructor(session: Session) {
    this.#session = session;
  }

  count(judge: Judge): number {
    const { tallies } = this.#session;
    let sum = 0;
    for (const [index, { version, left }] of tallies.entries()) {
      const limit = judge.slowLimit(index + 1);
      let known = this.#known[index];
      if (known === undefined || known.version !== version || known.left !== left || known.limit !== limit) {
        known = { version, left, limit, count: slowCountOf(this.#session, judge, index + 1) };
        this.#known[index] = known;
      }
      sum += known.count;
    }
    return sum;
  }
}

/** A count, and what it was made of. */
interface Known {
  readonly version: number;
  readonly left: number;
  readonly limit: number;
  readonly count: number;
}
