import { evictOldest } from "../../model/evict-oldest.ts";
import { connectionCodeOf } from "./exchange-codes.ts";
import type { ExchangeTable } from "./exchange-table.ts";

/** Connections whose program names are kept for later rows, some MB. Default; not from a specification. */
const CONNECTION_CAP = 100_000;

/**
 * The latest rows that a late name is applied to: names arrive milliseconds after a connection's first request, a few
 * seconds under load. Default; not from a specification.
 */
const LATE_ROWS = 8_192;

/** Client programs by connection number, applied to rows before and after a name is known. */
export class ClientPrograms {
  readonly #table: ExchangeTable;
  /** The number of the name among the table's texts. */
  readonly #programs = new Map<number, number>();

  constructor(table: ExchangeTable) {
    this.#table = table;
  }

  /** Returns the rows that received the name. */
  name(connection: number, program: string): readonly number[] {
    const { texts, clientConnection, program: column, firstRow, nextRow } = this.#table;
    const number = texts.numberOf(program);
    if (this.#programs.get(connection) === number) return [];
    this.#programs.set(connection, number);
    evictOldest(this.#programs, CONNECTION_CAP);
    const code = connectionCodeOf(connection);
    const named: number[] = [];
    for (let row = Math.max(firstRow, nextRow - LATE_ROWS); row < nextRow; row += 1) {
      if (clientConnection.at(row) !== code) continue;
      column.put(row, number);
      named.push(row);
    }
    return named;
  }

  /** Assigns a known name to a new row. */
  rowAdded(row: number, connection: number | null): void {
    const number = connection === null ? undefined : this.#programs.get(connection);
    if (number !== undefined) this.#table.program.put(row, number);
  }
}
