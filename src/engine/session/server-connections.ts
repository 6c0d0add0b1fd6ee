import type { ConnectionOpened } from "../capture/event.ts";
import { forgetOldest } from "../model/forget-oldest.ts";
import type { ExchangeId } from "../model/units.ts";

/** Our choice: facts of so many server connections are kept, the latest. */
const CONNECTION_CAP = 4_000;

/** Our choice: addresses of so many are kept for rows to come, some MB. */
const ADDRESS_CAP = 100_000;

/** What is known of the latest connections to servers, by their numbers. */
export class ServerConnections {
  readonly #facts = new Map<number, ConnectionOpened>();
  readonly #addresses = new Map<number, number>();
  readonly #openers = new Map<number, ExchangeId>();

  /** `address`: the number of its address among the texts of the table. */
  open(facts: ConnectionOpened, address: number): void {
    this.#facts.set(facts.id, facts);
    this.#addresses.set(facts.id, address);
    forgetOldest(this.#facts, CONNECTION_CAP);
    forgetOldest(this.#addresses, ADDRESS_CAP);
  }

  /** The connection was opened for an exchange, which has ended. */
  openedFor(connection: number, exchange: ExchangeId): void {
    this.#openers.set(connection, exchange);
    forgetOldest(this.#openers, CONNECTION_CAP);
  }

  /** `null` until the connection stands, and when too many came after it. */
  factsOf(connection: number): ConnectionOpened | null {
    return this.#facts.get(connection) ?? null;
  }

  /** The number of its address; 0 where it is not known. */
  addressOf(connection: number): number {
    return this.#addresses.get(connection) ?? 0;
  }

  /** For which exchange it was opened; `null` until that one has ended, and when too many connections came after it. */
  openerOf(connection: number): ExchangeId | null {
    return this.#openers.get(connection) ?? null;
  }
}
