import type { CaptureEvent, ClientNamed } from "../../../../src/engine/capture/event.ts";
import { evictOldest } from "../../../../src/engine/model/evict-oldest.ts";

/** The most connections that are remembered; they take some MB. The oldest are evicted. */
const MOST = 100_000;

/**
 * The names of clients, and which clients the current session has seen. Names outlast a session, since connections do.
 */
export class NamedClients {
  /** Names, by the number of the client's connection. */
  readonly #names = new Map<number, ClientNamed>();
  readonly #seen = new Map<number, true>();

  /** Stores names. Returns the names of clients that the session has seen; `begin` returns the other names later. */
  name(clients: readonly ClientNamed[]): readonly ClientNamed[] {
    for (const client of clients) {
      this.#names.set(client.connection, client);
      evictOldest(this.#names, MOST);
    }
    return clients.filter(({ connection }) => this.#seen.has(connection));
  }

  /**
   * Marks the clients of these events as seen. Returns the names of clients that the session had not seen before, as
   * far as they are known.
   */
  begin(events: readonly CaptureEvent[]): readonly ClientNamed[] {
    const known: ClientNamed[] = [];
    for (const event of events) {
      if (event.type !== "request-started" || event.clientConnection === null) continue;
      if (this.#seen.has(event.clientConnection)) continue;
      this.#seen.set(event.clientConnection, true);
      evictOldest(this.#seen, MOST);
      const name = this.#names.get(event.clientConnection);
      if (name !== undefined) known.push(name);
    }
    return known;
  }

  /** Called when another session begins: it has seen no clients yet. */
  forgetSeen(): void {
    this.#seen.clear();
  }
}
