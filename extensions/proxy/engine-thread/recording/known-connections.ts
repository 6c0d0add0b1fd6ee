import type { CaptureEvent, ConnectionOpened } from "../../../../src/engine/capture/event.ts";
import { evictOldest } from "../../../../src/engine/model/evict-oldest.ts";

/** The most server connections that are remembered; with their certificates they take some MB. */
const MOST = 4_000;

/** The facts of server connections, and which of them the current session has. Connections outlast a session. */
export class KnownConnections {
  /** By number, the one used latest at the end. */
  readonly #facts = new Map<number, ConnectionOpened>();
  readonly #told = new Map<number, true>();

  /** Returns the facts of connections that carried an exchange of these events and were opened before this session. */
  openedEarlier(events: readonly CaptureEvent[]): readonly ConnectionOpened[] {
    const earlier: ConnectionOpened[] = [];
    for (const event of events) {
      if (event.type === "connection-opened") this.#tell(event);
      if (event.type !== "exchange-ended" || event.connection === null || this.#told.has(event.connection)) continue;
      const facts = this.#facts.get(event.connection);
      if (facts === undefined) continue;
      this.#tell(facts);
      earlier.push(facts);
    }
    return earlier;
  }

  /** Called when another session begins: it has no facts yet. */
  forgetTold(): void {
    this.#told.clear();
  }

  #tell(facts: ConnectionOpened): void {
    this.#facts.delete(facts.id);
    this.#facts.set(facts.id, facts);
    const [oldest] = this.#facts.keys();
    if (this.#facts.size > MOST && oldest !== undefined) this.#facts.delete(oldest);
    this.#told.set(facts.id, true);
    evictOldest(this.#told, MOST);
  }
}
