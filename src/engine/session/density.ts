import type { Density, TimeRange } from "../messages/timeline-messages.ts";
import type { Instant } from "../model/units.ts";
import type { ExchangeTable } from "./exchange-table.ts";
import { rowsAround } from "./rows-around.ts";

/** How many of the exchanges at `rows` began in each of `count` equal parts of `between` (`null`: of the whole session). */
export function densityOf(table: ExchangeTable, rows: Uint32Array, between: TimeRange | null, count: number): Density {
  const whole = wholeOf(table);
  const { from, to } = between ?? whole ?? NOWHERE;
  const sliceLength = Math.max(0, to - from) / count;
  const requests = new Uint32Array(count);
  const errors = new Uint32Array(count);
  const bound = (slice: number): number => from + slice * sliceLength;
  let matched = 0;
  // Rows come nearly by start: most fall into the slice of the row before.
  let slice = 0;
  let begin = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const row of rowsAround(table, rows, from, to)) {
    const start = table.instants.startAt(row);
    if (start < from || start > to) continue;
    if (start < begin || start >= end) {
      slice = sliceLength === 0 ? count - 1 : Math.min(count - 1, Math.floor((start - from) / sliceLength));
      while (slice > 0 && start < bound(slice)) slice -= 1;
      while (slice < count - 1 && start >= bound(slice + 1)) slice += 1;
      begin = bound(slice);
      end = slice === count - 1 ? Number.POSITIVE_INFINITY : bound(slice + 1);
    }
    matched += 1;
    requests[slice] = (requests[slice] as number) + 1;
    if (table.isErrorAt(row)) errors[slice] = (errors[slice] as number) + 1;
  }
  return Object.freeze({
    start: whole === null ? null : from,
    end: whole === null ? null : to,
    sliceLength,
    slices: Array.from(requests, (number, place) => ({ requests: number, errors: errors[place] as number })),
    matched,
    whole,
  });
}

const NOWHERE: TimeRange = { from: 0 as Instant, to: 0 as Instant };

/** From the first start to the last start or end; `null` without a row. */
function wholeOf(table: ExchangeTable): TimeRange | null {
  const { firstRow, nextRow, lastTime } = table;
  if (firstRow === nextRow) return null;
  let from = table.instants.startAt(firstRow);
  const end = Math.min(nextRow, firstRow + table.disorder + 1);
  for (let row = firstRow; row < end; row += 1) from = Math.min(from, table.instants.startAt(row));
  return Object.freeze({ from: from as Instant, to: lastTime as Instant });
}
