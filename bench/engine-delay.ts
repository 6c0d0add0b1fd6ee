import { setTimeout as pause } from "node:timers/promises";
import type { OpenPage } from "./page.ts";

/** Milliseconds from one query to the next. */
const EVERY = 20;

/**
 * Measures how long the engine's thread is blocked: the longest wait for a reply while the engine serves other UI
 * clients.
 */
export class EngineDelay {
  readonly #page: OpenPage;
  readonly #asking: Promise<void>;
  #over = false;
  #longest = 0;

  constructor(page: OpenPage) {
    this.#page = page;
    this.#asking = this.#ask();
  }

  /** The longest wait since the last call of this method, in ms. */
  longest(): number {
    const longest = this.#longest;
    this.#longest = 0;
    return longest;
  }

  async end(): Promise<void> {
    this.#over = true;
    await this.#asking;
    this.#page.close();
  }

  async #ask(): Promise<void> {
    while (!this.#over) {
      const began = performance.now();
      await this.#page.command({ type: "show-current" });
      this.#longest = Math.max(this.#longest, performance.now() - began);
      await pause(EVERY);
    }
  }
}
