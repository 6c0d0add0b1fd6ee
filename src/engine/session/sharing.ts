import type { Sharing } from "../messages/exchange-messages.ts";
import type { WholeColumn } from "./column.ts";
import { connectionOf } from "./exchange-codes.ts";
import type { ExchangeTable } from "./exchange-table.ts";
import { LONGEST_TARGET } from "./finding-records.ts";
import type { Session } from "./session.ts";

/** Our choice: rows looked at before an exchange and after it, about a millisecond's worth. */
const REACH = 10_000;

/** Who else was on the exchange's connection to its server while it ran; `null` where none carried it. */
export function serverSharingOf(session: Session, row: number): Sharing | null {
  const { table } = session;
  const { connection } = table;
  const number = connectionOf(connection.at(row));
  if (number === null) return null;
  const opener = session.connections.openerOf(number);
  const opened = opener === null ? null : table.rowOf(opener);
  // Nothing was on it before it was there.
  const first = opened === null ? table.firstRow : Math.max(table.firstRow, opened - table.disorder);
  const openedBy = opened === null || opened === row ? null : table.exchangeAt(opened);
  return Object.freeze({
    ...othersOn(connection, table, row, first),
    openedBy: openedBy && { method: openedBy.method, target: openedBy.target.slice(0, LONGEST_TARGET) },
  });
}

/** The same of the client's connection, of which nobody says for what it was opened; `null` where it is not known. */
export function clientSharingOf({ table }: Session, row: number): Sharing | null {
  const { clientConnection } = table;
  if (connectionOf(clientConnection.at(row)) === null) return null;
  return Object.freeze({ ...othersOn(clientConnection, table, row, table.firstRow), openedBy: null });
}

/** Rows of the same connection that overlap in time, from `first` on. */
function othersOn(
  connection: WholeColumn,
  table: ExchangeTable,
  row: number,
  first: number,
): Omit<Sharing, "openedBy"> {
  const same = connection.at(row);
  const start = table.instants.startAt(row);
  const end = endOf(table, row);
  const from = Math.max(first, row - REACH);
  const to = Math.min(table.nextRow, row + REACH);
  let others = 0;
  let seen = from;
  for (; seen < to; seen += 1) {
    const isLater = (seen > row || table.disorder > 0) && table.instants.startAt(seen) > end;
    if (isLater && table.disorder === 0) break;
    if (!isLater && connection.at(seen) === same && endOf(table, seen) >= start) others += 1;
  }
  return { others: others - 1, more: from > first || (seen === to && to < table.nextRow) };
}

/** What is in flight goes on. */
function endOf(table: ExchangeTable, row: number): number {
  const end = table.endTime.at(row);
  return Number.isNaN(end) ? Number.POSITIVE_INFINITY : end;
}
