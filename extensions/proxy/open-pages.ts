import type { FromEngine } from "../../src/engine/messages/messages.ts";
import type { PageSocket } from "./channel/loopback.ts";
import { type Desk, Page } from "./page.ts";

/** messages.ts: a window hears of changes at most ten times a second. */
const FLUSH_INTERVAL = 100;

/** Our choice: with more events than this since the last flush nobody reads along, and half as often is soon enough. */
const RUSH = 2_000;

/** Our choice: while nothing happens, this often it is asked what time alone has changed: each look wakes an idle machine. */
const QUIET_INTERVAL = 500;

/** Our choice: of the engine's time at most a fifth goes into answering pages, however much they show. */
const FLUSH_SHARE = 5;

/** The pages that are open, and how often they hear what has changed. */
export class OpenPages {
  readonly #pages = new Set<Page>();
  /** `null` while nobody looks: then nothing is to be said, and nothing wakes us for it. */
  #flushing: NodeJS.Timeout | null = null;
  /** The last flush had nothing to say. */
  #isQuiet = false;
  /** Events taken since the last flush. */
  #taken = 0;

  get isEmpty(): boolean {
    return this.#pages.size === 0;
  }

  /** One more, until its socket closes. */
  open(socket: PageSocket, desk: Desk): void {
    const page = new Page(socket, desk, () => this.stir());
    this.#pages.add(page);
    this.stir();
    socket.onClose(() => {
      this.#pages.delete(page);
      page.close();
    });
  }

  /** Says to all what nobody asked for. */
  broadcast(message: FromEngine): void {
    for (const page of this.#pages) page.tell(message);
  }

  /** Something has happened, or somebody looks: pages hear of it without waiting out the quiet. */
  stir(): void {
    if (this.isEmpty || (this.#flushing !== null && !this.#isQuiet)) return;
    if (this.#flushing !== null) clearTimeout(this.#flushing);
    this.#isQuiet = false;
    this.#flushing = setTimeout(() => this.#flush(), FLUSH_INTERVAL);
  }

  /** So many events came. */
  count(events: number): void {
    this.#taken += events;
  }

  /** Nothing more is told by itself. */
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
