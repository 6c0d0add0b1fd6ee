import { readyOf } from "../../insights/interval.ts";
import type { Walk } from "../../insights/links/walks.ts";
import type { ParallelGroup } from "../../insights/parallel-groups.ts";
import type {
  ChainRecord,
  Chains,
  GroupColumn,
  GroupRecord,
  RepeatRecord,
  Step,
} from "../../messages/chain-messages.ts";
import type { FindingExchange } from "../../messages/finding-messages.ts";
import type { Range, Sort } from "../../messages/list-messages.ts";
import { type Exchange, statusOf } from "../../model/exchange.ts";
import { spansOf, waitOf } from "../../model/phases.ts";
import type { Repeat } from "../../model/repeat.ts";
import type { ExchangeId, Instant } from "../../model/units.ts";
import { cachedFor } from "../evaluation/cached.ts";
import type { ChainsFound, GroupsFound, RepeatsFound } from "../evaluation/insights.ts";
import type { Session } from "../session.ts";
import { exchangesAt } from "./matched-rows.ts";
import { sortedWindow } from "./sorted-window.ts";
import type { Rows } from "./traffic-list.ts";

/**
 * Limits of chain-messages.ts: the most steps of a chain (`MOST_STEPS`), the most exchanges of a group or repeat
 * (`MOST_EXCHANGES`), and the most characters of a target (`LONGEST_TARGET`).
 */
const MOST_STEPS = 100;
const MOST_EXCHANGES = 50;
export const LONGEST_TARGET = 512;

/**
 * The listed walks, each with the breakdown of its longest occurrence. A walk is left out if one of the shown steps of
 * that occurrence was evicted. `rows`: selects walks with an exchange at one of these rows; `null` selects all.
 */
export function chainsOf(session: Session, found: ChainsFound, rows: Uint32Array | null = null): Chains {
  const { walks, chainGap, progress, leftOut } = found;
  const records = walks.map((walk) => chainRecordOf(session, walk));
  const shownWalks = rows === null ? null : walksAt(session, found, rows);
  return Object.freeze({
    chains: records.filter(
      (record, walk) => record !== null && shownWalks?.has(walk) !== false,
    ) as readonly ChainRecord[],
    total: records.filter((record) => record !== null).length,
    progress: session.table.nextRow === 0 ? 1 : progress,
    leftOut,
    chainGap,
  });
}

/** The indexes of the walks to which an exchange at one of these rows belongs. */
function walksAt({ table }: Session, { positionOf }: ChainsFound, rows: Uint32Array): ReadonlySet<number> {
  const walks = new Set<number>();
  for (const row of rows) {
    const position = positionOf(table.ids.at(row) as ExchangeId);
    if (position !== null) walks.add(position.walk);
  }
  return walks;
}

function chainRecordOf(session: Session, { count, median, first, longest, couldSave }: Walk): ChainRecord | null {
  const { duration, client, clientTime, retryAfterTime, steps, links } = longest;
  const shown = steps.slice(0, MOST_STEPS).flatMap(({ id }) => stepOf(session, id) ?? []);
  if (shown.length < Math.min(steps.length, MOST_STEPS)) return null;
  return Object.freeze({
    key: first,
    count,
    median,
    duration,
    client,
    length: steps.length,
    steps: shown,
    links: links.slice(0, shown.length - 1),
    clientTime,
    retryAfterTime,
    proven: links.filter(({ kind }) => kind === "proven").length,
    couldSave,
  });
}

/**
 * The requested range of the parallel groups. Groups whose first `MOST_EXCHANGES` exchanges were all evicted are left
 * out.
 */
export function groupRows(
  session: Session,
  found: GroupsFound,
  { column, descending }: Sort<GroupColumn>,
  range: Range,
): Rows<GroupRecord> {
  const isKept = (id: ExchangeId) => session.table.rowOf(id) !== null;
  const groups = found.groups.filter(({ exchanges }) => exchanges.slice(0, MOST_EXCHANGES).some(isKept));
  const listed = sortedWindow(groups, (group) => keyOf(group, column), descending, range);
  const records = listed.map((group) => groupRecordOf(session, group));
  return { total: groups.length, matched: groups.length, records };
}

function keyOf({ start, end, exchanges }: ParallelGroup, column: GroupColumn): number {
  switch (column) {
    case "start":
      return start;
    case "exchanges":
      return exchanges.length;
    case "duration":
      return end - start;
  }
}

function groupRecordOf(session: Session, group: ParallelGroup): GroupRecord {
  const { client, exchanges, start, end } = group;
  const steps = exchanges.slice(0, MOST_EXCHANGES).flatMap((id) => stepOf(session, id) ?? []);
  const key = `group ${exchanges[0]}`;
  return Object.freeze({
    key,
    client,
    exchanges: exchanges.length,
    steps,
    start,
    end,
    atOnce: cachedFor(atOnceOfGroups, group, () => atOnceOf(session, group)),
  });
}

/** The largest number of the group's exchanges in flight at once. */
function atOnceOf({ table }: Session, { exchanges }: ParallelGroup): number {
  const rows = exchanges.flatMap((id) => table.rowOf(id) ?? []);
  const starts = Float64Array.from(rows, (row) => table.instants.startAt(row)).sort();
  const ends = Float64Array.from(rows, (row) => {
    const [start, end] = [table.instants.startAt(row), table.intervalEndAt(row)];
    return readyOf({ start: start as Instant, end: end as Instant });
  }).sort();
  let most = 0;
  let over = 0;
  for (let begun = 0; begun < starts.length; begun += 1) {
    while ((ends[over] ?? Number.POSITIVE_INFINITY) < (starts[begun] as number)) over += 1;
    most = Math.max(most, begun + 1 - over);
  }
  return most;
}

/**
 * The requested range of the repeats. Repeats whose first exchange was evicted are left out. `rows`: selects repeats
 * with an exchange at one of these rows; `null` selects all.
 */
export function repeatRows(
  session: Session,
  found: RepeatsFound,
  { from, count }: Range,
  rows: Uint32Array | null = null,
): Rows<RepeatRecord> {
  const { table } = session;
  const holds = rows === null ? () => true : exchangesAt(table, rows);
  const repeats = found.repeats.flatMap((repeat) => {
    const row = table.rowOf(repeat.exchanges[0] as ExchangeId);
    return row === null ? [] : { repeat, start: table.instants.startAt(row) as Instant };
  });
  const matched = repeats.filter(({ repeat }) => repeat.exchanges.some(holds));
  const records = matched.slice(from, from + count).map(({ repeat, start }) => repeatRecordOf(repeat, start));
  return { total: repeats.length, matched: matched.length, records };
}

function repeatRecordOf(repeat: Repeat, start: Instant): RepeatRecord {
  const { kind, template, exchanges, summary, time, isUpTo, bytes } = repeat;
  return Object.freeze({
    key: `${kind} ${exchanges[0]}`,
    kind,
    template: template.slice(0, LONGEST_TARGET),
    summary,
    exchanges: exchanges.length,
    ids: exchanges.slice(0, MOST_EXCHANGES),
    time,
    isUpTo,
    bytes,
    start,
  });
}

function stepOf(session: Session, id: ExchangeId): Step | null {
  const exchange = session.exchange(id);
  if (exchange === null) return null;
  const spans = spansOf(exchange.instants, waitOf(exchange), exchange.slowed);
  return Object.freeze({ ...findingExchangeOf(exchange), spans });
}

export function findingExchangeOf({
  id,
  method,
  origin,
  target,
  outcome,
  instants,
  endTime,
}: Exchange): FindingExchange {
  return Object.freeze({
    id,
    method,
    origin,
    target: target.slice(0, LONGEST_TARGET),
    status: statusOf(outcome),
    errorType: outcome?.kind === "failed" ? outcome.errorType : null,
    start: instants.startTime,
    end: instants.responseEnd ?? endTime ?? instants.startTime,
  });
}

/** Cached as long as the group exists. The group is frozen, so the result stays valid. */
const atOnceOfGroups = new WeakMap<ParallelGroup, number>();
