import type { ConnectionOpened } from "../../capture/event.ts";
import { evictOldest } from "../../model/evict-oldest.ts";
import type { ExchangeId } from "../../model/units.ts";

/** Server connections whose facts are kept, latest first. Default; not from a specification. */
const CONNECTION_CAP = 4_000;

/** Connections whose addresses are kept for later rows, some MB. Default; not from a specification. */
const ADDRESS_CAP = 100_000;

/** The facts of the latest server connections, by number. */
export class ServerConnections {
  readonly #facts = new Map<number, ConnectionOpened>();
  readonly #addresses = new Map<number, number>();
  readonly #openers = new Map<number, ExchangeId>();

  /** `address`: the number of its address among the table's texts. */
  open(facts: ConnectionOpened, address: number): void {
    this.#facts.set(facts.id, facts);
    this.#addresses.set(facts.id, address);
    evictOldest(this.#facts, CONNECTION_CAP);
    evictOldest(this.#addresses, ADDRESS_CAP);
  }

  /** Records the ended exchange that the connection was opened for. */
  openedFor(connection: number, exchange: ExchangeId): void {
    this.#openers.set(connection, exchange);
    evictOldest(this.#openers, CONNECTION_CAP);
  }

  /** `null` until the connection is open, and after too many later ones. */
  factsOf(connection: number): ConnectionOpened | null {
    return this.#facts.get(connection) ?? null;
  }

  /** The number of its address; 0 where it is unknown. */
  addressOf(connection: number): number {
    return this.#addresses.get(connection) ?? 0;
  }

  /** The exchange it was opened for; `null` until that exchange has ended, and after too many later connections. */
  openerOf(connection: number): ExchangeId | null {
    return this.#openers.get(connection) ?? null;
  }
}
