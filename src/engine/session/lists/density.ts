import type { Density, TimeRange } from "../../messages/timeline-messages.ts";
import type { Instant } from "../../model/units.ts";
import type { Session } from "../session.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";
import { searchRange } from "../table/rows-by-start.ts";

/**
 * Counts how many exchanges at `rows` started in each of `count` equal parts of `between`. If `between` is `null`, the
 * whole session is divided.
 */
export function densityOf(session: Session, rows: Uint32Array, between: TimeRange | null, count: number): Density {
  const { table } = session;
  const whole = wholeOf(table);
  const { from, to } = between ?? whole ?? NOWHERE;
  const sliceLength = Math.max(0, to - from) / count;
  const requests = new Uint32Array(count);
  const errors = new Uint32Array(count);
  const bound = (slice: number): number => from + slice * sliceLength;
  let matched = 0;
  const put = (some: Uint32Array, slice: number): void => {
    matched += some.length;
    requests[slice] = (requests[slice] as number) + some.length;
    errors[slice] = (errors[slice] as number) + table.errorsAmong(some);
  };
  /** Counts one row in the part that contains its start. */
  const countRow = (row: number): void => {
    const start = table.instants.startAt(row);
    if (start < from || start > to) return;
    let slice = sliceLength === 0 ? count - 1 : Math.min(count - 1, Math.floor((start - from) / sliceLength));
    while (slice > 0 && start < bound(slice)) slice -= 1;
    while (slice < count - 1 && start >= bound(slice + 1)) slice += 1;
    put(Uint32Array.of(row), slice);
  };
  let begin = searchRange(table, rows, (start) => start < from);
  let next = begin.from;
  for (let slice = 0; slice < count; slice += 1) {
    const isLast = slice === count - 1;
    const end = searchRange(table, rows, (start) => (isLast ? start <= to : start < bound(slice + 1)));
    for (; next < begin.to; next += 1) countRow(rows[next] as number);
    if (next < end.from) put(rows.subarray(next, end.from), slice);
    next = Math.max(next, end.from);
    begin = end;
  }
  for (; next < begin.to; next += 1) countRow(rows[next] as number);
  return Object.freeze({
    start: whole === null ? null : from,
    end: whole === null ? null : to,
    sliceLength,
    slices: Array.from(requests, (number, slice) => ({ requests: number, errors: errors[slice] as number })),
    matched,
    whole,
    matching: rows.length === table.size ? whole : boundsOf(table, rows),
    ended: session.endedAt !== null,
  });
}

const NOWHERE: TimeRange = { from: 0 as Instant, to: 0 as Instant };

/** From the first start to the last start or end; `null` if there are no rows. */
function wholeOf(table: ExchangeTable): TimeRange | null {
  const from = table.earliestStart();
  return from === null ? null : Object.freeze({ from, to: table.lastTime as Instant });
}

function boundsOf(table: ExchangeTable, rows: Uint32Array): TimeRange | null {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const row of rows.subarray(0, table.disorder + 1)) from = Math.min(from, table.instants.startAt(row));
  for (const row of rows) {
    const end = table.endTime.at(row);
    to = Math.max(to, Number.isNaN(end) ? table.lastTime : end);
  }
  return rows.length === 0 ? null : Object.freeze({ from: from as Instant, to: to as Instant });
}
