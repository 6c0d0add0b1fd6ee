import type { ConnectionOpened } from "../../capture/event.ts";
import { evictOldest } from "../../model/evict-oldest.ts";
import type { ExchangeId } from "../../model/units.ts";

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
