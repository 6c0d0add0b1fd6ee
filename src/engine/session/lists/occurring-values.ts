import type { OccurringValues, ROW_KEYS } from "../../messages/traffic-messages.ts";
import { hostOf } from "../../model/endpoint.ts";
import { FINDING_KINDS } from "../../model/finding.ts";
import type { FoundFindings } from "../evaluation/found-findings.ts";
import type { Session } from "../session.ts";
import type { RepeatingTextColumn, WholeColumn } from "../table/column.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";
import type { TargetParts } from "../table/long-targets.ts";

/** Rows that are counted at a time. */
const BLOCK = 4_096;
/** A status has three digits (RFC 9110, 15). */
const STATUSES = 1_000;
/** The most values listed for a key. */
const MOST = 200;

/** The values of a key (such as methods or statuses) that occur in the table, the most frequent first. */
export function occurringValuesOf(session: Session, key: (typeof ROW_KEYS)[number]): OccurringValues {
  const { table } = session;
  const texts = (column: WholeColumn) =>
    countsOf(table, column, table.texts.size, (number) => table.texts.textAt(number));
  switch (key) {
    case "status":
      return topOf(countsOf(table, table.status, STATUSES, String));
    case "method":
    case "protocol":
      return topOf(texts(table[key]));
    case "client":
      return topOf(texts(table.program));
    case "type":
      return topOf(essencesOf(texts(table.contentType)));
    case "host":
      return topOf(hostCountsOf(session));
    case "page":
      return occurringTextsOf(table, table.page);
  }
}

/** The kinds of findings, and the number of exchanges that findings of each kind cover. */
export function occurringFindingsOf(found: FoundFindings | null): OccurringValues {
  const kinds = found === null ? [] : FINDING_KINDS;
  const counts = kinds.map((kind) => [kind, found?.idsOf(kind).size ?? 0] as const);
  return topOf(new Map(counts.filter(([, exchanges]) => exchanges > 0)));
}

/** The texts in a column, without those that the column stores for single rows. */
export function occurringTextsOf(table: ExchangeTable, { numbers, texts }: RepeatingTextColumn): OccurringValues {
  return topOf(countsOf(table, numbers, texts.size, (number) => texts.textAt(number)));
}

/** The parts of the targets in the table, the most frequent first. */
export function occurringPartsOf(table: ExchangeTable, parts: TargetParts): OccurringValues {
  const { numbers, texts } = table.ownTargets;
  return topOf(parts.countsOf(numberCountsOf(table, numbers, texts.size)));
}

function essencesOf(types: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [type, exchanges] of types) {
    const essence = type.split(";", 1)[0]?.trim() ?? "";
    counts.set(essence, (counts.get(essence) ?? 0) + exchanges);
  }
  return counts;
}

export function clientCountsOf({ table }: Session): ReadonlyMap<string, number> {
  return countsOf(table, table.client, table.texts.size, (number) => table.texts.textAt(number));
}

/** The number of exchanges of each host, including evicted ones. */
export function hostCountsOf({ table, origins }: Session): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [number, exchanges] of origins) {
    const host = hostOf(table.texts.textAt(number) ?? "");
    counts.set(host, (counts.get(host) ?? 0) + exchanges);
  }
  return counts;
}

/** Counts the exchanges for each number in a column. `size`: greater than every number in the column. */
function numberCountsOf(table: ExchangeTable, column: WholeColumn, size: number): Uint32Array {
  const { firstRow, nextRow } = table;
  const byNumber = new Uint32Array(size);
  const rows = new Uint32Array(BLOCK);
  for (let begin = firstRow; begin < nextRow; begin += BLOCK) {
    const count = Math.min(BLOCK, nextRow - begin);
    for (let index = 0; index < count; index += 1) rows[index] = begin + index;
    const numbers = column.read(rows, count);
    for (let index = 0; index < count; index += 1) {
      if (table.hasHidden && table.isHiddenAt(begin + index)) continue;
      const number = numbers[index] as number;
      byNumber[number] = (byNumber[number] as number) + 1;
    }
  }
  return byNumber;
}

/**
 * The number of exchanges for each text in a column. Rows without a text (number 0) are left out. `size`: as in
 * `numberCountsOf`.
 */
function countsOf(
  table: ExchangeTable,
  column: WholeColumn,
  size: number,
  textOf: (number: number) => string | null,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [number, exchanges] of numberCountsOf(table, column, size).entries()) {
    const text = number === 0 || exchanges === 0 ? null : textOf(number);
    if (text !== null && text !== "") counts.set(text, exchanges);
  }
  return counts;
}

/** The values that occur most often, the most frequent first. */
export function topOf(counts: ReadonlyMap<string, number>): OccurringValues {
  const values = Array.from(counts, ([value, exchanges]) => Object.freeze({ value, exchanges }));
  return Object.freeze(values.sort((a, b) => b.exchanges - a.exchanges || (a.value < b.value ? -1 : 1)).slice(0, MOST));
}
