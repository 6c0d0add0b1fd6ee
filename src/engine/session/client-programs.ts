import { forgetOldest } from "../model/forget-oldest.ts";
import { connectionCodeOf } from "./exchange-codes.ts";
import type { ExchangeTable } from "./exchange-table.ts";

/** Our choice: names of so many connections are kept for rows to come, some MB. */
const CONNECTION_CAP = 100_000;

/** Our choice: a name comes some milliseconds after its connection's first request, a few seconds at most under load: it is given to so many of the latest rows. */
const LATE_ROWS = 8_192;

/** Which programs clients are, by the numbers of their connections: of rows that came before a name was known, and after. */
export class ClientPrograms {
  readonly #table: ExchangeTable;
  /** The number of the name among the texts of the table. */
  readonly #programs = new Map<number, number>();

  constructor(table: ExchangeTable) {
    this.#table = table;
  }

  /** The rows that have it now, and had not. */
  name(connection: number, program: string): readonly number[] {
    const { texts, clientConnection, program: column, firstRow, nextRow } = this.#table;
    const number = texts.numberOf(program);
    if (this.#programs.get(connection) === number) return [];
    this.#programs.set(connection, number);
    forgetOldest(this.#programs, CONNECTION_CAP);
    const code = connectionCodeOf(connection);
    const named: number[] = [];
    for (let row = Math.max(firstRow, nextRow - LATE_ROWS); row < nextRow; row += 1) {
      if (clientConnection.at(row) !== code) continue;
      column.put(row, number);
      named.push(row);
    }
    return named;
  }

  /** A row has come. */
  begin(row: number, connection: number | null): void {
    const number = connection === null ? undefined : this.#programs.get(connection);
    if (number !== undefined) this.#table.program.put(row, number);
  }
}
