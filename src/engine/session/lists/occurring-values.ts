import type { OccurringValue, OccurringValues } from "../../messages/traffic-messages.ts";
import { hostOf } from "../../model/endpoint.ts";
import type { Session } from "../session.ts";
import type { WholeColumn } from "../table/column.ts";

/** Rows that are counted at a time. Default; not from a specification. */
const BLOCK = 4_096;
/** docs/specification.md, Filter: values of a term that are told. */
const MOST = 20;

/** What the exchanges in the table have as method, status and so on, most frequent first. */
export function occurringValuesOf(session: Session): OccurringValues {
  const { table } = session;
  const texts = (column: WholeColumn) =>
    countsOf(column, table.firstRow, table.nextRow, (number) => table.texts.textAt(number));
  const types = new Map<string, number>();
  for (const [type, exchanges] of texts(table.contentType)) {
    const essence = type.split(";", 1)[0]?.trim() ?? "";
    types.set(essence, (types.get(essence) ?? 0) + exchanges);
  }
  return Object.freeze({
    status: topOf(countsOf(table.status, table.firstRow, table.nextRow, (status) => String(status))),
    method: topOf(texts(table.method)),
    type: topOf(types),
    protocol: topOf(texts(table.protocol)),
    client: topOf(texts(table.program)),
    host: topOf(hostCountsOf(session)),
  });
}

/** Exchanges by host, evicted ones too. */
export function hostCountsOf({ table, origins }: Session): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [number, exchanges] of origins) {
    const host = hostOf(table.texts.textAt(number) ?? "");
    counts.set(host, (counts.get(host) ?? 0) + exchanges);
  }
  return counts;
}

/** Exchanges by a column's text; rows without one (0) are left out. */
function countsOf(
  column: WholeColumn,
  from: number,
  to: number,
  textOf: (number: number) => string | null,
): ReadonlyMap<string, number> {
  const byNumber = new Map<number, number>();
  const rows = new Uint32Array(BLOCK);
  for (let begin = from; begin < to; begin += BLOCK) {
    const count = Math.min(BLOCK, to - begin);
    for (let place = 0; place < count; place += 1) rows[place] = begin + place;
    const numbers = column.read(rows, count);
    for (let place = 0; place < count; place += 1) {
      const number = numbers[place] as number;
      byNumber.set(number, (byNumber.get(number) ?? 0) + 1);
    }
  }
  byNumber.delete(0);
  return new Map(
    [...byNumber].flatMap(([number, count]) => {
      const text = textOf(number);
      return text === null || text === "" ? [] : [[text, count] as const];
    }),
  );
}

function topOf(counts: ReadonlyMap<string, number>): readonly OccurringValue[] {
  const values = Array.from(counts, ([value, exchanges]) => Object.freeze({ value, exchanges }));
  return Object.freeze(values.sort((a, b) => b.exchanges - a.exchanges || (a.value < b.value ? -1 : 1)).slice(0, MOST));
}
