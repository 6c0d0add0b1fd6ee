import { readyOf } from "../insights/interval.ts";
import type {
  ChainRecord,
  Chains,
  GroupColumn,
  GroupRecord,
  RepeatRecord,
  Step,
} from "../messages/finding-messages.ts";
import type { Range, Sort } from "../messages/list-messages.ts";
import { statusOf } from "../model/exchange.ts";
import type { Chain, ParallelGroup, Repeat } from "../model/findings.ts";
import { spansOf } from "../model/span.ts";
import type { ExchangeId, Instant } from "../model/units.ts";
import { windowOf } from "./endpoint-lists.ts";
import type { ChainsFound, Overlaps } from "./findings.ts";
import type { Session } from "./session.ts";
import type { Rows } from "./traffic-list.ts";

/** finding-messages.ts: steps of a chain, exchanges of a group or repeat, characters of a target. */
const MOST_STEPS = 100;
const MOST_EXCHANGES = 50;
export const LONGEST_TARGET = 512;

/** The listed chains with their breakdown. Of one whose exchanges have left the list nothing could be shown. */
export function chainsOf(session: Session, { chains, chainGap, progress }: ChainsFound): Chains {
  return Object.freeze({
    chains: chains.flatMap((chain) => chainRecordOf(session, chain) ?? []),
    progress,
    chainGap,
  });
}

function chainRecordOf(session: Session, { duration, client, steps, edges, couldSave }: Chain): ChainRecord | null {
  const shown = steps.slice(0, MOST_STEPS).flatMap(({ id }) => stepOf(session, id) ?? []);
  if (shown.length < Math.min(steps.length, MOST_STEPS)) return null;
  return Object.freeze({
    duration,
    client,
    length: steps.length,
    steps: shown,
    edges: edges.slice(0, shown.length - 1),
    gaps: edges.reduce((sum, { gap }) => sum + Math.max(0, gap), 0),
    proven: edges.filter(({ kind }) => kind === "proven").length,
    couldSave,
  });
}

/** Parallel groups that are still in the list. */
export function groupRows(
  session: Session,
  { groups }: Overlaps,
  { column, descending }: Sort<GroupColumn>,
  range: Range,
): Rows<GroupRecord> {
  const sign = descending ? -1 : 1;
  const keys = Float64Array.from(groups, (group) => sign * keyOf(group, column));
  const records = windowOf(groups, keys, range).flatMap((group) => groupRecordOf(session, group) ?? []);
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

function groupRecordOf(session: Session, group: ParallelGroup): GroupRecord | null {
  const { client, exchanges, start, end } = group;
  const steps = exchanges.slice(0, MOST_EXCHANGES).flatMap((id) => stepOf(session, id) ?? []);
  if (steps.length === 0) return null;
  const key = `group ${exchanges[0]}`;
  return Object.freeze({
    key,
    client,
    exchanges: exchanges.length,
    steps,
    start,
    end,
    atOnce: remembered(atOnceOfGroups, group, () => atOnceOf(session, group)),
  });
}

/** The most that ran at one moment. */
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

/** N+1 bursts and duplicates that are still in the list. */
export function repeatRows(session: Session, { repeats }: Overlaps, { from, count }: Range): Rows<RepeatRecord> {
  const records = repeats.slice(from, from + count).flatMap((repeat) => repeatRecordOf(session, repeat) ?? []);
  return { total: repeats.length, matched: repeats.length, records };
}

function repeatRecordOf(session: Session, repeat: Repeat): RepeatRecord | null {
  const { kind, client, template, exchanges } = repeat;
  const sums = remembered(sumsOfRepeats, repeat, () => sumsOf(session, repeat));
  if (sums === null) return null;
  return Object.freeze({
    key: `${kind} ${exchanges[0]}`,
    kind,
    client,
    template: template.slice(0, LONGEST_TARGET),
    exchanges: exchanges.length,
    ids: exchanges.slice(0, MOST_EXCHANGES),
    ...sums,
  });
}

type Sums = Pick<RepeatRecord, "start" | "end" | "bytes" | "failed" | "streams">;

function sumsOf({ table }: Session, { exchanges }: Repeat): Sums | null {
  const rows = exchanges.flatMap((id) => table.rowOf(id) ?? []);
  const [first] = rows;
  if (first === undefined) return null;
  let end = 0;
  let bytes = 0;
  let failed = 0;
  let streams = false;
  for (const row of rows) {
    if (table.isErrorAt(row)) failed += 1;
    streams ||= table.isLastingAt(row);
    end = Math.max(end, table.endTime.at(row) || table.instants.startAt(row));
    bytes += table.encodedBodySize.at(row);
  }
  return { start: table.instants.startAt(first) as Instant, end: end as Instant, bytes, failed, streams };
}

function stepOf(session: Session, id: ExchangeId): Step | null {
  const exchange = session.exchange(id);
  if (exchange === null) return null;
  const { method, origin, target, outcome, instants, endTime } = exchange;
  return Object.freeze({
    id,
    method,
    origin,
    target: target.slice(0, LONGEST_TARGET),
    status: statusOf(outcome),
    errorType: outcome?.kind === "failed" ? outcome.errorType : null,
    start: instants.startTime,
    end: instants.responseEnd ?? endTime ?? instants.startTime,
    spans: spansOf(instants),
  });
}

/** Findings are frozen; what was reckoned of one holds as long as it does. */
const atOnceOfGroups = new WeakMap<ParallelGroup, number>();
const sumsOfRepeats = new WeakMap<Repeat, Sums | null>();

function remembered<Key extends object, Value>(known: WeakMap<Key, Value>, key: Key, reckon: () => Value): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const value = reckon();
  known.set(key, value);
  return value;
}
