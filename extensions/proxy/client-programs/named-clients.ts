import type { CaptureEvent, ClientNamed } from "../../../src/engine/capture/event.ts";
import { evictOldest } from "../../../src/engine/model/evict-oldest.ts";

/** Default; not from a specification: the latest connections that are kept; some MB. */
const MOST = 100_000;

/** Which clients have a name, and which of them the current session has seen, because connections outlive sessions. */
export class NamedClients {
  /** By connection. */
  readonly #names = new Map<number, ClientNamed>();
  readonly #seen = new Map<number, true>();

  /** Stores names; returns those the session has seen. The others are returned by `begin`. */
  name(clients: readonly ClientNamed[]): readonly ClientNamed[] {
    for (const client of clients) {
      this.#names.set(client.connection, client);
      evictOldest(this.#names, MOST);
    }
    return clients.filter(({ connection }) => this.#seen.has(connection));
  }

  /** The names of clients that appear first in these events. */
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

  /** Another session begins. */
  forgetSeen(): void {
    this.#seen.clear();
  }
}
