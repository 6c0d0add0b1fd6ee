import type { ConnectionOpened } from "../../capture/event.ts";
import { evictOldest } from "../../model/evict-oldest.ts";
import type { ExchangeId } from "../../model/units.ts";
import type { ExchangeTable } from "./exchange-table.ts";

/** The most connections of each side whose facts are kept. */
export const CONNECTION_CAP = 4_000;

/** The most connections whose addresses are kept for later rows. This takes some MB. */
const ADDRESS_CAP = 100_000;

/** The facts of the latest server connections, by number. */
export class ServerConnections {
  readonly #facts = new Map<number, ConnectionOpened>();
  readonly #addresses = new Map<number, number>();
  readonly #openers = new Map<number, ExchangeId>();

  /**
   * Records an open connection, and drops the oldest ones beyond the caps. `address`: the number of the address among
   * the table's texts.
   */
  open(facts: ConnectionOpened, address: number): void {
    this.#facts.set(facts.id, facts);
    this.#addresses.set(facts.id, address);
    evictOldest(this.#facts, CONNECTION_CAP);
    evictOldest(this.#addresses, ADDRESS_CAP);
  }

  /** Records for which exchange the connection was opened. To be called once that exchange has ended. */
  openedFor(connection: number, exchange: ExchangeId): void {
    this.#openers.set(connection, exchange);
    evictOldest(this.#openers, CONNECTION_CAP);
  }

  /** The connection's facts; `null` until it is open, and after too many later connections. */
  factsOf(connection: number): ConnectionOpened | null {
    return this.#facts.get(connection) ?? null;
  }

  /** The number of the connection's address; 0 if it is unknown. */
  addressOf(connection: number): number {
    return this.#addresses.get(connection) ?? 0;
  }

  /**
   * The exchange for which the connection was opened; `null` until that exchange has ended, and after too many later
   * connections.
   */
  openerOf(connection: number): ExchangeId | null {
    return this.#openers.get(connection) ?? null;
  }
}

/** The most connections whose program names are kept for later rows. This takes some MB. */
const PROGRAM_CAP = 100_000;

/**
 * How many of the latest rows can still get a program. The program of a connection is found milliseconds after the
 * first request, or seconds after it under load.
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
    const { texts, kept, program: column, firstRow, nextRow } = this.#table;
    const number = texts.numberOf(program);
    if (this.#programs.get(connection) === number) return [];
    this.#programs.set(connection, number);
    evictOldest(this.#programs, PROGRAM_CAP);
    const code = kept.clientConnection.codeOf(connection);
    const named: number[] = [];
    for (let row = Math.max(firstRow, nextRow - LATE_ROWS); row < nextRow; row += 1) {
      if (kept.clientConnection.at(row) !== code) continue;
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
