import type { Bytes } from "../../../../../src/engine/model/units.ts";

/** The most bytes held of unfinished messages of all exchanges. */
const MOST_HELD: Bytes = 64 * 1024 * 1024;
/** Above `MOST_HELD`, the most bytes held for each exchange, so that short messages are recorded even then. */
export const LEAST_HELD: Bytes = 16 * 1024;

/** Counts the bytes held of all exchanges' messages that are incomplete, or wait to be inflated. */
export class MessageBudget {
  readonly most: Bytes;
  held: Bytes = 0;

  constructor(most: Bytes = MOST_HELD) {
    this.most = most;
  }
}

/** The only budget of the thread, since all its exchanges share the thread's memory. */
const MESSAGES = new MessageBudget();

/** One exchange's part of a budget. */
export class MessageMemory {
  readonly #budget: MessageBudget;
  #held: Bytes = 0;
  #isClosed = false;

  constructor(budget: MessageBudget = MESSAGES) {
    this.#budget = budget;
  }

  /** Reserves `bytes`. Returns false, and reserves nothing, if the exchange may not hold them. */
  take(bytes: Bytes): boolean {
    const fits = this.#held + bytes <= LEAST_HELD || this.#budget.held + bytes <= this.#budget.most;
    if (this.#isClosed || !fits) return false;
    this.#held += bytes;
    this.#budget.held += bytes;
    return true;
  }

  /** Gives back bytes that `take` reserved. */
  give(bytes: Bytes): void {
    if (this.#isClosed) return;
    this.#held -= bytes;
    this.#budget.held -= bytes;
  }

  /** Gives back everything, and reserves nothing more. */
  close(): void {
    this.give(this.#held);
    this.#isClosed = true;
  }
}
