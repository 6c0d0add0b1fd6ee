import type {
  CaptureEvent,
  ClientNamed,
  ClientSecured,
  ConnectionOpened,
} from "../../../../src/engine/capture/event.ts";
import { evictOldest } from "../../../../src/engine/model/evict-oldest.ts";

/**
 * The most connections whose facts are remembered: servers' with their certificates, and names of clients, take some
 * MB.
 */
const MOST_CONNECTIONS = 4_000;
const MOST_NAMES = 100_000;

/** The facts of connections on both sides, and which of them the current session has. Connections outlast a session. */
export class KnownConnections {
  readonly #servers = new KnownFacts<ConnectionOpened>(MOST_CONNECTIONS);
  readonly #clients = new KnownFacts<ClientSecured>(MOST_CONNECTIONS);
  readonly #names = new KnownFacts<ClientNamed>(MOST_NAMES);

  /** Returns the facts of connections that carried an exchange of these events and were opened before this session. */
  openedEarlier(events: readonly CaptureEvent[]): readonly (ConnectionOpened | ClientSecured)[] {
    const earlier: (ConnectionOpened | ClientSecured | null)[] = [];
    for (const event of events) {
      if (event.type === "connection-opened") this.#servers.storeTold(event.id, event);
      else if (event.type === "client-secured") this.#clients.storeTold(event.connection, event);
      else if (event.type === "request-started") earlier.push(this.#clients.see(event.clientConnection));
      else if (event.type === "exchange-ended") earlier.push(this.#servers.see(event.connection));
    }
    return earlier.filter((facts) => facts !== null);
  }

  /** Returns the names of clients that made their first requests of this session, as far as they are known. */
  namesIn(events: readonly CaptureEvent[]): readonly ClientNamed[] {
    const starts = events.filter((event) => event.type === "request-started");
    return starts.map((event) => this.#names.see(event.clientConnection)).filter((name) => name !== null);
  }

  /** Stores names. Returns those of clients that the session has seen; `namesIn` returns the others later. */
  name(clients: readonly ClientNamed[]): readonly ClientNamed[] {
    return clients.filter((client) => this.#names.store(client.connection, client));
  }

  /** Called when another session begins: it has no facts yet. */
  forgetSeen(): void {
    for (const known of [this.#servers, this.#clients, this.#names]) known.forgetSeen();
  }
}

class KnownFacts<Facts> {
  readonly #most: number;
  /** By the connection's number, the one used latest at the end. */
  readonly #facts = new Map<number, Facts>();
  readonly #seen = new Map<number, true>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns whether the session has seen the connection. */
  store(connection: number, facts: Facts): boolean {
    this.#facts.delete(connection);
    this.#facts.set(connection, facts);
    evictOldest(this.#facts, this.#most);
    return this.#seen.has(connection);
  }

  /** Stores facts that the session has. */
  storeTold(connection: number, facts: Facts): void {
    this.store(connection, facts);
    this.see(connection);
  }

  /** The connection's facts if they are known and the session had not seen it, else `null`. */
  see(connection: number | null): Facts | null {
    if (connection === null || this.#seen.has(connection)) return null;
    this.#seen.set(connection, true);
    evictOldest(this.#seen, this.#most);
    const facts = this.#facts.get(connection);
    if (facts !== undefined) this.store(connection, facts);
    return facts ?? null;
  }

  forgetSeen(): void {
    this.#seen.clear();
  }
}
