import type { Instant } from "../../../../src/engine/model/units.ts";

/**
 * Ends of a session, which wait for the data thread's cut: the engine may be behind the proxy, and what began before the
 * cut belongs to the old session.
 */
export class SessionCuts {
  readonly #ask: () => void;
  /** The waiting ends, in the order in which the data thread cuts. */
  readonly #waiting: ((at: Instant) => void)[] = [];

  /** `ask`: asks the data thread for a cut. */
  constructor(ask: () => void) {
    this.#ask = ask;
  }

  /** Calls `end` at the cut, between the events before and after it. Resolves with its result. */
  cut<Ended>(end: (at: Instant) => Ended): Promise<Ended> {
    return new Promise((resolve, reject) => {
      this.#waiting.push((at) => {
        try {
          resolve(end(at));
        } catch (error) {
          reject(error);
        }
      });
      this.#ask();
    });
  }

  /** Called when all events before the earliest waiting cut are folded. `at`: when the data thread cut. */
  reached(at: Instant): void {
    this.#waiting.shift()?.(at);
  }
}
