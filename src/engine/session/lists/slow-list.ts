import { causeKeyOf, type SlowRecord } from "../../messages/latency-messages.ts";
import type { ListQuery } from "../../messages/messages.ts";
import type { Milliseconds } from "../../model/units.ts";
import type { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import type { SlowCausesFound } from "../evaluation/insights.ts";
import { forEachSlow } from "../evaluation/slow-cause-search.ts";
import { Matcher } from "../filter/matcher.ts";
import type { Filter } from "../filter/term.ts";
import type { Session } from "../session.ts";
import { slowGroupAt } from "./slow-groups.ts";
import { TopK } from "./sorted-window.ts";
import type { Rows } from "./traffic-list.ts";

type SlowQuery = Omit<Extract<ListQuery, { readonly view: "slow" }>, "view" | "filter">;

/**
 * The slow requests in the table. The request with the most time above its endpoint's usual latency comes first.
 * `causes` is called only if the query asks for a single group.
 */
export function slowRows(
  session: Session,
  filter: Filter,
  query: SlowQuery,
  evaluator: InsightEvaluator,
  causes: () => SlowCausesFound,
): Rows<SlowRecord> {
  const { group } = query;
  const grouped = group === null ? null : { group, causes: causes() };
  const { total, matched, rows } = slowFound(session, filter, query, evaluator, grouped);
  return { total, matched, records: [...recordsOf(session, rows, evaluator)] };
}

/** All slow requests, for an export. Skips requests that are evicted or no longer slow when they are written. */
export function slowRecords(session: Session, filter: Filter, evaluator: InsightEvaluator): Iterable<SlowRecord> {
  const all = { cause: "all", endpoint: null, range: { from: 0, count: Number.MAX_SAFE_INTEGER } } as const;
  return recordsOf(session, slowFound(session, filter, all, evaluator, null).rows, evaluator);
}

function* recordsOf(
  { table }: Session,
  rows: Uint32Array,
  evaluator: InsightEvaluator,
): Generator<SlowRecord, void, undefined> {
  for (const row of rows) {
    if (row < table.firstRow) continue;
    const record = evaluator.slowRecord(row);
    if (record !== null) yield record;
  }
}

/** The key of a group to list, and the causes by which requests are grouped. */
interface Grouped {
  readonly group: string;
  readonly causes: SlowCausesFound;
}

function slowFound(
  session: Session,
  filter: Filter,
  { cause, endpoint, range }: Omit<SlowQuery, "group">,
  evaluator: InsightEvaluator,
  grouped: Grouped | null,
): { total: number; matched: number; rows: Uint32Array } {
  const matcher = new Matcher(session.table, filter);
  const isFiltered = matcher.filtersAnything || matcher.judged.length > 0;
  const isWhole = !isFiltered && cause === "all" && grouped === null;
  const one = endpoint === null ? null : session.table.endpoints.find(endpoint);
  const topRows = new TopK(range.from + range.count);
  let matched = 0;
  // For a single endpoint, skips computing the counts of all endpoints, which may take long.
  const counts = one === null ? evaluator.slowCounts() : null;
  for (let number = one ?? 1; number <= (one ?? session.tallies.last); number += 1) {
    if (counts?.[number] === 0) continue;
    const usual = evaluator.usualLatency(number);
    const greatest = session.tallies.at(number)?.greatest ?? Number.NEGATIVE_INFINITY;
    if (isWhole && usual - greatest > topRows.greatest) continue;
    const visit = (row: number, latency: Milliseconds): void => {
      if (isFiltered && !(matcher.matches(row) && matcher.matchesNow(row, evaluator))) return;
      if (cause !== "all" && evaluator.causeAt(row) !== cause) return;
      if (grouped !== null && groupKeyAt(session, row, number, evaluator, grouped.causes) !== grouped.group) return;
      matched += 1;
      topRows.add(row, usual - latency);
    };
    forEachSlow(session, evaluator, number, visit);
  }
  const total = one === null ? evaluator.slowTotal : evaluator.slowCount(one);
  return { total, matched: isWhole ? total : matched, rows: topRows.rows(range.from) };
}

function groupKeyAt(
  session: Session,
  row: number,
  endpoint: number,
  evaluator: InsightEvaluator,
  causes: SlowCausesFound,
): string {
  const group = slowGroupAt(session, row, endpoint, evaluator, causes);
  if (typeof group !== "number") return group;
  const attribute = causes.causesOf(endpoint)[group]?.attribute;
  return attribute === undefined ? "none" : causeKeyOf({ kind: "attribute", ...attribute });
}
