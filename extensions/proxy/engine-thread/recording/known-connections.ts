import type { CaptureEvent, ClientSecured, ConnectionOpened } from "../../../../src/engine/capture/event.ts";
import { evictOldest } from "../../../../src/engine/model/evict-oldest.ts";

/** The most connections of each side that are remembered; servers' with their certificates take some MB. */
const MOST = 4_000;

/** The facts of connections on both sides, and which of them the current session has. Connections outlast a session. */
export class KnownConnections {
  readonly #servers = new KnownFacts<ConnectionOpened>();
  readonly #clients = new KnownFacts<ClientSecured>();

  /** Returns the facts of connections that carried an exchange of these events and were opened before this session. */
  openedEarlier(events: readonly CaptureEvent[]): readonly (ConnectionOpened | ClientSecured)[] {
    const earlier: (ConnectionOpened | ClientSecured | null)[] = [];
    for (const event of events) {
      if (event.type === "connection-opened") this.#servers.addFacts(event.id, event);
      else if (event.type === "client-secured") this.#clients.addFacts(event.connection, event);
      else if (event.type === "request-started") earlier.push(this.#clients.untold(event.clientConnection));
      else if (event.type === "exchange-ended") earlier.push(this.#servers.untold(event.connection));
    }
    return earlier.filter((facts) => facts !== null);
  }

  /** Called when another session begins: it has no facts yet. */
  forgetTold(): void {
    this.#servers.forgetTold();
    this.#clients.forgetTold();
  }
}

class KnownFacts<Facts> {
  /** By the connection's number, the one used latest at the end. */
  readonly #facts = new Map<number, Facts>();
  readonly #told = new Map<number, true>();

  addFacts(connection: number, facts: Facts): void {
    this.#facts.delete(connection);
    this.#facts.set(connection, facts);
    const [oldest] = this.#facts.keys();
    if (this.#facts.size > MOST && oldest !== undefined) this.#facts.delete(oldest);
    this.#told.set(connection, true);
    evictOldest(this.#told, MOST);
  }

  /** The connection's facts if they are known and the session lacks them, else `null`. The session then has them. */
  untold(connection: number | null): Facts | null {
    if (connection === null || this.#told.has(connection)) return null;
    const facts = this.#facts.get(connection);
    if (facts === undefined) return null;
    this.addFacts(connection, facts);
    return facts;
  }

  forgetTold(): void {
    this.#told.clear();
  }
}
