import type { SlowRecord } from "../messages/latency-messages.ts";
import type { ListQuery } from "../messages/messages.ts";
import type { Filter } from "./filter.ts";
import { Foremost } from "./foremost.ts";
import type { Judge } from "./judge.ts";
import { Matcher } from "./matcher.ts";
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
  counter = new SlowCounter(session),
): Rows<SlowRecord> {
  const matcher = new Matcher(session.table, filter);
  const isWhole = !matcher.isChoosy && matcher.judged.length === 0 && cause === "all";
  const one = endpoint === null ? null : session.table.endpoints.find(endpoint);
  const to = range.from + range.count;
  const foremost = new Foremost(to);
  let matched = 0;
  for (let number = one ?? 1; number <= (one ?? session.tallies.length); number += 1) {
    const greatest = session.tallies[number - 1]?.greatest ?? Number.NEGATIVE_INFINITY;
    if (isWhole && greatest - judge.slowLimit(number) < foremost.least) continue;
    const before = matched;
    // Of the whole list none can be in the window that has as many of its own endpoint before it.
    const isEnough = (): boolean => isWhole && matched - before >= to;
    forEachSlow(
      session,
      judge,
      number,
      (row, excess) => {
        if (!isWhole && !(matcher.matches(row) && matcher.holdsNow(row, judge))) return;
        if (cause !== "all" && judge.causeAt(row) !== cause) return;
        matched += 1;
        foremost.add(row, excess);
      },
      isEnough,
    );
  }
  const total = one === null ? counter.count(judge) : slowCountOf(session, judge, one);
  const records = Array.from(foremost.rows(range.from)).flatMap((row) => judge.slowRecord(row) ?? []);
  return { total, matched: isWhole ? total : matched, records };
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
