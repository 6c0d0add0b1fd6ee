import { setTimeout as pause } from "node:timers/promises";
import type { OpenPage } from "./page.ts";

/** Milliseconds between two questions. */
const EVERY = 20;

/** How long a page waits for a reply at most while others are served: so long the engine's thread is away. */
export class Absence {
  readonly #page: OpenPage;
  readonly #asking: Promise<void>;
  #over = false;
  #longest = 0;

  constructor(page: OpenPage) {
    this.#page = page;
    this.#asking = this.#ask();
  }

  /** Since it was asked last. */
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
