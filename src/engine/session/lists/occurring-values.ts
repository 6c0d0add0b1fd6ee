import type { OccurringValue, OccurringValues } from "../../messages/traffic-messages.ts";
import { hostOf } from "../../model/endpoint.ts";
import type { Session } from "../session.ts";
import type { WholeColumn } from "../table/column.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";

/** Rows that are counted at a time. Default; not from a specification. */
const BLOCK = 4_096;
/** RFC 9110, 15: three digits. */
const STATUSES = 1_000;
/** Largest number of values listed for a key. Default; not from a specification. */
const MOST = 200;

/** The methods, statuses and other values of the exchanges in the table, most frequent first. */
export function occurringValuesOf(session: Session): OccurringValues {
  const { table } = session;
  const texts = (column: WholeColumn) =>
    countsOf(table, column, table.texts.size, (number) => table.texts.textAt(number));
  const types = new Map<string, number>();
  for (const [type, exchanges] of texts(table.contentType)) {
    const essence = type.split(";", 1)[0]?.trim() ?? "";
    types.set(essence, (types.get(essence) ?? 0) + exchanges);
  }
  return Object.freeze({
    status: topOf(countsOf(table, table.status, STATUSES, String)),
    method: topOf(texts(table.method)),
    type: topOf(types),
    protocol: topOf(texts(table.protocol)),
    client: topOf(texts(table.program)),
    host: topOf(hostCountsOf(session)),
  });
}

/** Exchanges by host, including evicted ones. */
export function hostCountsOf({ table, origins }: Session): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [number, exchanges] of origins) {
    const host = hostOf(table.texts.textAt(number) ?? "");
    counts.set(host, (counts.get(host) ?? 0) + exchanges);
  }
  return counts;
}

/** Exchanges by a column's text; `size`: more than its greatest number. Rows without one (0) are left out. */
function countsOf(
  { firstRow, nextRow }: ExchangeTable,
  column: WholeColumn,
  size: number,
  textOf: (number: number) => string | null,
): ReadonlyMap<string, number> {
  const byNumber = new Uint32Array(size);
  const rows = new Uint32Array(BLOCK);
  for (let begin = firstRow; begin < nextRow; begin += BLOCK) {
    const count = Math.min(BLOCK, nextRow - begin);
    for (let place = 0; place < count; place += 1) rows[place] = begin + place;
    const numbers = column.read(rows, count);
    for (let place = 0; place < count; place += 1) {
      const number = numbers[place] as number;
      byNumber[number] = (byNumber[number] as number) + 1;
    }
  }
  const counts = new Map<string, number>();
  for (const [number, exchanges] of byNumber.entries()) {
    const text = number === 0 || exchanges === 0 ? null : textOf(number);
    if (text !== null && text !== "") counts.set(text, exchanges);
  }
  return counts;
}

function topOf(counts: ReadonlyMap<string, number>): readonly OccurringValue[] {
  const values = Array.from(counts, ([value, exchanges]) => Object.freeze({ value, exchanges }));
  return Object.freeze(values.sort((a, b) => b.exchanges - a.exchanges || (a.value < b.value ? -1 : 1)).slice(0, MOST));
}
