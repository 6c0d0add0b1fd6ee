import type { FromEngine } from "../../../../src/engine/messages/messages.ts";
import type { UiSocket } from "../channel/loopback.ts";
import { UiClient, type UiClientHost } from "./ui-client.ts";

/** messages.ts: a window gets at most ten updates a second. */
const FLUSH_INTERVAL = 100;

/** With more events than this since the last flush, the interval doubles. The list then changes too fast to be read. */
const RUSH = 2_000;

/** The interval while nothing happens. It is long, because each flush wakes an idle machine. */
const QUIET_INTERVAL = 1_000;

/** The pause after a flush is at least this many times as long as the flush. */
const FLUSH_SHARE = 5;

/** The connected UI clients, and how often they get updates. */
export class UiClients {
  readonly #pages = new Set<UiClient>();
  /** The timer of the next flush; `null` without UI clients, so that no timer wakes the machine. */
  #flushing: NodeJS.Timeout | null = null;
  /** Whether the last flush sent nothing. */
  #isQuiet = false;
  /** The number of events since the last flush. */
  #taken = 0;
  readonly #onMessage: () => void;

  /** `onMessage`: called after each message and each executed command of a UI client. */
  constructor(onMessage: () => void) {
    this.#onMessage = onMessage;
  }

  get isEmpty(): boolean {
    return this.#pages.size === 0;
  }

  /** Adds a UI client, which stays until its socket closes. */
  open(socket: UiSocket, handler: UiClientHost): void {
    const page = new UiClient(socket, handler, () => {
      this.#onMessage();
      this.stir();
    });
    this.#pages.add(page);
    page.start();
    this.stir();
    socket.onClose(() => {
      this.#pages.delete(page);
      page.close();
    });
  }

  broadcast(message: FromEngine): void {
    for (const page of this.#pages) page.send(message);
  }

  /** Called when something has happened: the next flush then comes after the short interval. */
  stir(): void {
    if (this.isEmpty || (this.#flushing !== null && !this.#isQuiet)) return;
    if (this.#flushing !== null) clearTimeout(this.#flushing);
    this.#isQuiet = false;
    this.#flushing = setTimeout(() => this.#flush(), FLUSH_INTERVAL);
  }

  /** Counts events since the last flush. */
  count(events: number): void {
    this.#taken += events;
  }

  stop(): void {
    if (this.#flushing !== null) clearTimeout(this.#flushing);
  }

  #flush(): void {
    if (this.isEmpty) {
      this.#flushing = null;
      return;
    }
    const began = performance.now();
    const told = [...this.#pages].map((page) => page.flush());
    const took = performance.now() - began;
    this.#isQuiet = !told.includes(true);
    const interval = this.#taken > RUSH ? 2 * FLUSH_INTERVAL : FLUSH_INTERVAL;
    this.#taken = 0;
    const pause = this.#isQuiet ? QUIET_INTERVAL : Math.max(interval, took * FLUSH_SHARE);
    this.#flushing = setTimeout(() => this.#flush(), pause);
  }
}
