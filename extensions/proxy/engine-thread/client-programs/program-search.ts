import type { CaptureEvent, ClientNamed } from "../../../../src/engine/capture/event.ts";
import { evictOldest } from "../../../../src/engine/model/evict-oldest.ts";
import type { Milliseconds } from "../../../../src/engine/model/units.ts";
import type { LocalClient } from "../../data-thread/network/network-options.ts";

/**
 * Scans use at most 1 % (1 / `SHARE`) of one processor, averaged over `RECKONED`.
 * Thanks to the average, new clients are usually looked up at once.
 */
const SHARE = 100;
const RECKONED: Milliseconds = 5_000;

/** The most clients that wait for a scan: as many as may be connected (docs/security.md L5). */
const MOST_WAITING = 1_000;

interface SearchOptions {
  /** Finds the names of programs, by connection. Programs that cannot be found are left out. */
  readonly find: (clients: readonly LocalClient[]) => Promise<ReadonlyMap<number, string>>;
  readonly onFound: (named: readonly ClientNamed[]) => void;
  /** Reads a monotonic clock. */
  readonly now?: () => Milliseconds;
  /** The process's CPU time so far. It does not increase while the process waits for a busy processor. */
  readonly used?: () => Milliseconds;
}

/**
 * Looks up the programs of clients, several clients in one scan, each client once. Clients that exit before their scan
 * stay unnamed.
 */
export class ProgramSearch {
  readonly #options: SearchOptions;
  readonly #now: () => Milliseconds;
  readonly #used: () => Milliseconds;
  #waiting: LocalClient[] = [];
  #isLooking = false;
  /** From this time on, the CPU time of all scans so far is within `SHARE`. */
  #paid: Milliseconds = Number.NEGATIVE_INFINITY;

  constructor(options: SearchOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#used = options.used ?? processorTime;
  }

  add(client: LocalClient): void {
    this.#waiting.push(client);
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
  }

  /** Scans for waiting clients, unless the share is used up. */
  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    while (this.#waiting.length > 0 && this.#now() >= this.#paid - RECKONED) await this.#lookOnce();
    this.#isLooking = false;
  }

  async #lookOnce(): Promise<void> {
    const clients = this.#waiting;
    this.#waiting = [];
    const [began, before] = [this.#now(), this.#used()];
    const programs = await this.#options.find(clients);
    this.#paid = Math.max(this.#paid, began) + SHARE * (this.#used() - before);
    const named = Array.from(programs, ([connection, program]) =>
      Object.freeze({ type: "client-named" as const, connection, program }),
    );
    if (named.length > 0) this.#options.onFound(named);
  }
}

function processorTime(): Milliseconds {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

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
