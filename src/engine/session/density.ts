import type { Density, TimeRange } from "../messages/insight-messages.ts";
import type { Instant } from "../model/units.ts";
import type { ExchangeTable } from "./exchange-table.ts";
import { placeOfStart } from "./timeline-list.ts";

/** How many of the exchanges at `rows` began in each of `count` equal parts of `between` (`null`: of the whole session). */
export function densityOf(table: ExchangeTable, rows: Uint32Array, between: TimeRange | null, count: number): Density {
  const whole = wholeOf(table);
  const { from, to } = between ?? whole ?? NOWHERE;
  const sliceLength = Math.max(0, to - from) / count;
  const requests = new Uint32Array(count);
  const errors = new Uint32Array(count);
  let matched = 0;
  const put = (row: number, slice: number): void => {
    matched += 1;
    requests[slice] = (requests[slice] as number) + 1;
    if (table.isErrorAt(row)) errors[slice] = (errors[slice] as number) + 1;
  };
  if (table.disorder === 0) {
    let place = placeOfStart(table, rows, from, false);
    for (let slice = 0; slice < count; slice += 1) {
      const isLast = slice === count - 1;
      const end = placeOfStart(table, rows, isLast ? to : from + (slice + 1) * sliceLength, isLast);
      for (; place < end; place += 1) put(rows[place] as number, slice);
    }
  } else {
    for (const row of rows) {
      const start = table.startTimeAt(row);
      if (start >= from && start <= to) put(row, sliceAt(start - from, sliceLength, count));
    }
  }
  return Object.freeze({
    start: whole === null ? null : from,
    end: whole === null ? null : to,
    sliceLength,
    slices: Array.from(requests, (number, slice) => ({ requests: number, errors: errors[slice] as number })),
    matched,
    whole,
  });
}

const NOWHERE: TimeRange = { from: 0 as Instant, to: 0 as Instant };

/** The slice that begins last at or before it; the multiples of the length are the bounds, as above. */
function sliceAt(since: number, length: number, count: number): number {
  let slice = length === 0 ? count - 1 : Math.min(count - 1, Math.floor(since / length));
  while (slice > 0 && since < slice * length) slice -= 1;
  while (slice < count - 1 && since >= (slice + 1) * length) slice += 1;
  return slice;
}

/** From the first start to the last start or end; `null` without a row. */
function wholeOf(table: ExchangeTable): TimeRange | null {
  const { firstRow, nextRow, lastTime } = table;
  if (firstRow === nextRow) return null;
  let from = table.startTimeAt(firstRow);
  const end = Math.min(nextRow, firstRow + table.disorder + 1);
  for (let row = firstRow; row < end; row += 1) from = Math.min(from, table.startTimeAt(row));
  return Object.freeze({ from: from as Instant, to: lastTime as Instant });
}
