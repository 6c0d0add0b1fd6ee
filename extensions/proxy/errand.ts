import { setImmediate, setTimeout } from "node:timers/promises";
import type { Milliseconds } from "../../src/engine/model/units.ts";

/** Our choice: work is done in bites of about this length, and at most half of the thread's time goes into it. */
const BITE: Milliseconds = 8;
const REST = 1;

/** Our choice: the shortest rest before the same work is done again, and that rest in lengths of the work. */
const SHORTEST_REST: Milliseconds = 250;
const RESTS = 2;

/** Work that may take long, on a thread that must not be away for long: call `pause` often, it returns at once until it is time. */
export class Bites {
  readonly #rest: number;
  #began = performance.now();

  /** `rest`: pauses in lengths of the bites. */
  constructor(rest = REST) {
    this.#rest = rest;
  }

  async pause(): Promise<void> {
    const worked = performance.now() - this.#began;
    if (worked < BITE) return;
    // What waits is done first; then nobody is kept from the processor for longer than we had it.
    await setImmediate();
    await setTimeout(worked * this.#rest, undefined, { ref: false });
    this.#began = performance.now();
  }
}

/** Work that is done again and again while somebody asks for it, with rests in between; who asks after a rest does not wait. */
export class Errand {
  readonly #work: () => Promise<void>;
  #wanted = false;
  #busy = false;
  #restsUntil = 0;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  ask(): void {
    this.#wanted = true;
    if (!this.#busy) void this.#run();
  }

  async #run(): Promise<void> {
    this.#busy = true;
    try {
      while (this.#wanted) {
        await setTimeout(Math.max(0, this.#restsUntil - performance.now()), undefined, { ref: false });
        this.#wanted = false;
        const began = performance.now();
        try {
          await this.#work();
        } finally {
          const ended = performance.now();
          this.#restsUntil = ended + Math.max(SHORTEST_REST, RESTS * (ended - began));
        }
      }
    } finally {
      this.#busy = false;
    }
  }
}
