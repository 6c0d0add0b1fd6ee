import type { SlowRecord } from "../messages/latency-messages.ts";
import type { ListQuery } from "../messages/messages.ts";
import type { Filter } from "./filter.ts";
import { Foremost } from "./foremost.ts";
import type { Judge } from "./judge.ts";
import { Matcher } from "./matcher.ts";
import type { Session } from "./session.ts";
import { forEachSlow } from "./slow-rows.ts";
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
  const foremost = new Foremost(to);
  let matched = 0;
  // Each only once it is asked for: to tell all of them may take long.
  const counts = one === null ? judge.slowCounts() : null;
  for (let number = one ?? 1; number <= (one ?? session.tallies.length); number += 1) {
    if (counts?.[number] === 0) continue;
    const greatest = session.tallies[number - 1]?.greatest ?? Number.NEGATIVE_INFINITY;
    if (isWhole && judge.slowLimit(number) - greatest > foremost.greatest) continue;
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
        foremost.add(row, -excess);
      },
      isEnough,
    );
  }
  const total = one === null ? judge.slowTotal : judge.slowCount(one);
  const records = Array.from(foremost.rows(range.from)).flatMap((row) => judge.slowRecord(row) ?? []);
  return { total, matched: isWhole ? total : matched, records };
}
