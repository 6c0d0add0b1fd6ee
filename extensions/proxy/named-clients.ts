import type { CaptureEvent, ClientNamed } from "../../src/engine/capture/event.ts";
import { forgetOldest } from "../../src/engine/model/forget-oldest.ts";

/** Our choice: so many connections are remembered, the latest; some MB. */
const MOST = 100_000;

/** Which clients have a name, and whether the session that is being recorded has seen them: connections outlive sessions. */
export class NamedClients {
  /** By their connections. */
  readonly #names = new Map<number, ClientNamed>();
  readonly #seen = new Map<number, true>();

  /** Those of them that the session has seen; of the others it hears when they appear. */
  name(clients: readonly ClientNamed[]): readonly ClientNamed[] {
    for (const client of clients) {
      this.#names.set(client.connection, client);
      forgetOldest(this.#names, MOST);
    }
    return clients.filter(({ connection }) => this.#seen.has(connection));
  }

  /** What is known of the clients that these events show for the first time. */
  begin(events: readonly CaptureEvent[]): readonly ClientNamed[] {
    const known: ClientNamed[] = [];
    for (const event of events) {
      if (event.type !== "request-started" || event.clientConnection === null) continue;
      if (this.#seen.has(event.clientConnection)) continue;
      this.#seen.set(event.clientConnection, true);
      forgetOldest(this.#seen, MOST);
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
