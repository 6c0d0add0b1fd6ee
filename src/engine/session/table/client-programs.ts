import { evictOldest } from "../../model/evict-oldest.ts";
import { connectionCodeOf } from "./exchange-codes.ts";
import type { ExchangeTable } from "./exchange-table.ts";

/** The most connections whose program names are kept for later rows. This takes some MB. */
const CONNECTION_CAP = 100_000;

/**
 * How many of the latest rows can still get a program. The program of a connection
 * is found milliseconds after the first request, or seconds after it under load.
 */
const LATE_ROWS = 8_192;

/**
 * The names of clients' programs, by connection number. Once a name is known, it is set in the connection's latest rows
 * and in new rows.
 */
export class ClientPrograms {
  readonly #table: ExchangeTable;
  /** The program by connection number, as the number of its name among the table's texts. */
  readonly #programs = new Map<number, number>();

  constructor(table: ExchangeTable) {
    this.#table = table;
  }

  /**
   * Records a connection's program, and sets it in those of the latest rows that belong to the connection. Returns
   * these rows.
   */
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

  /** Sets the program in a new row if the program of the row's connection is known. */
  rowAdded(row: number, connection: number | null): void {
    const number = connection === null ? undefined : this.#programs.get(connection);
    if (number !== undefined) this.#table.program.put(row, number);
  }
}
