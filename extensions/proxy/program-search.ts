import type { ClientNamed } from "../../src/engine/capture/event.ts";
import type { Milliseconds } from "../../src/engine/model/units.ts";
import type { LocalClient } from "./network/network-options.ts";

/** Our choice: a hundredth of one processor's time at most goes into looking, reckoned over so long: what is new is looked for at once. */
const SHARE = 100;
const RECKONED: Milliseconds = 5_000;

/** security.md, L5: there are no more clients at a time. */
const MOST_WAITING = 1_000;

interface SearchOptions {
  /** Programs' names by the numbers of connections, as far as they can be found. */
  readonly find: (clients: readonly LocalClient[]) => Promise<ReadonlyMap<number, string>>;
  readonly onFound: (named: readonly ClientNamed[]) => void;
  /** A clock that never goes back. */
  readonly now?: () => Milliseconds;
  /** Processor time of the whole process so far: who waits for a busy processor has not used it. */
  readonly used?: () => Milliseconds;
}

/** Finds out which programs clients are, several by one look. Each is looked for once: who has gone meanwhile stays unknown. */
export class ProgramSearch {
  readonly #options: SearchOptions;
  readonly #now: () => Milliseconds;
  readonly #used: () => Milliseconds;
  #waiting: LocalClient[] = [];
  #isLooking = false;
  /** When the looks so far will have taken no more than their share. */
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

  /** Looks for those that wait, unless that has taken long enough lately. */
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
