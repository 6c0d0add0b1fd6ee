import type { SlowRecord } from "../messages/latency-messages.ts";
import type { ListQuery } from "../messages/messages.ts";
import type { Filter } from "./filter.ts";
import { Foremost } from "./foremost.ts";
import type { Judge } from "./judge.ts";
import { Matcher } from "./matcher.ts";
import type { Session } from "./session.ts";
import { forEachSlow } from "./slow-rows.ts";
import type { Rows } from "./traffic-list.ts";

type Asked = Omit<Extract<ListQuery, { readonly view: "slow" }>, "view" | "filter">;

/** Slow requests that are still in the list, the larger excess over a threshold it broke first. */
export function slowRows(session: Session, filter: Filter, query: Asked, judge: Judge): Rows<SlowRecord> {
  const { total, matched, rows } = slowFound(session, filter, query, judge);
  return { total, matched, records: [...recordsOf(session, rows, judge)] };
}

/** All of them, for an export; one that was forgotten meanwhile, or is slow no longer, is left out. */
export function slowRecords(session: Session, filter: Filter, judge: Judge): Iterable<SlowRecord> {
  const all = { cause: "all", endpoint: null, range: { from: 0, count: Number.MAX_SAFE_INTEGER } } as const;
  return recordsOf(session, slowFound(session, filter, all, judge).rows, judge);
}

function* recordsOf({ table }: Session, rows: Uint32Array, judge: Judge): Generator<SlowRecord, void, undefined> {
  for (const row of rows) {
    const record = row < table.firstRow ? null : judge.slowRecord(row);
    if (record !== null) yield record;
  }
}

function slowFound(
  session: Session,
  filter: Filter,
  { cause, endpoint, range }: Asked,
  judge: Judge,
): { total: number; matched: number; rows: Uint32Array } {
  const matcher = new Matcher(session.table, filter);
  const isWhole = !matcher.isChoosy && matcher.judged.length === 0 && cause === "all";
  const one = endpoint === null ? null : session.table.endpoints.find(endpoint);
  const to = range.from + range.count;
  const foremost = new Foremost(to);
  let matched = 0;
  // Each only once it is asked for: to tell all of them may take long.
  const counts = one === null ? judge.slowCounts() : null;
  for (let number = one ?? 1; number <= (one ?? session.tallies.last); number += 1) {
    if (counts?.[number] === 0) continue;
    const greatest = session.tallies.at(number)?.greatest ?? Number.NEGATIVE_INFINITY;
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
  return { total, matched: isWhole ? total : matched, rows: foremost.rows(range.from) };
}
