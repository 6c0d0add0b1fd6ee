import type { Milliseconds } from "../../../../../src/engine/model/units.ts";
import type { Address } from "../network-options.ts";
import { LookupError } from "./lookup-error.ts";
import type { HelperMessage, LookupAnswer, LookupQuestion } from "./lookup-script.ts";

/** The most look-ups at once in one helper process. */
export const MOST_IN_HELPER = 250;

/** The threads of a helper process: libuv gives half of them to look-ups. */
export const HELPER_THREADS = 2 * MOST_IN_HELPER;

/** How long a helper process without look-ups is kept. */
const IDLE: Milliseconds = 60_000;

interface HelperProcess {
  send(question: LookupQuestion): void;
  /** Ends the process at once; `onEnd` is called then, too. */
  kill(): void;
}

/** Starts a helper process. Calls `onEnd` once, also if the process cannot be started. */
export type StartHelper = (onMessage: (message: HelperMessage) => void, onEnd: () => void) => HelperProcess;

const ENDED = "The helper process has ended.";

interface PendingLookup {
  readonly name: string;
  readonly begun: () => void;
  /** Settles the look-up; later calls do nothing. */
  readonly settle: (result: LookupAnswer | Error) => void;
  isAwaited: boolean;
}

/**
 * getaddrinfo in a process of its own, since a look-up cannot be cancelled and keeps its thread. After a look-up was
 * abandoned, takes no more; then it ends its process once no look-up is awaited.
 */
export class LookupHelper {
  readonly #process: HelperProcess;
  readonly #idleTime: Milliseconds;
  readonly #onEnd: (helper: LookupHelper) => void;
  /** The look-ups without an answer, by id, also the abandoned ones. */
  readonly #pending = new Map<number, PendingLookup>();
  #lastId = 0;
  #isReady = false;
  #isRetired = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(start: StartHelper, onEnd: (helper: LookupHelper) => void, idle: Milliseconds = IDLE) {
    this.#onEnd = onEnd;
    this.#idleTime = idle;
    this.#process = start(
      (message) => this.#onMessage(message),
      () => this.#ended(new Error(ENDED)),
    );
  }

  get takesMore(): boolean {
    return !this.#isRetired && this.#pending.size < MOST_IN_HELPER;
  }

  /**
   * Rejects with a `LookupError`, the signal's reason, or another error if the process ends. `begun`: called if the
   * process had to start first, once it has.
   */
  lookup(name: string, signal: AbortSignal, begun: () => void): Promise<readonly Address[]> {
    clearTimeout(this.#idle);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const settle = (result: LookupAnswer | Error): void => {
        pending.isAwaited = false;
        if (result instanceof Error) return reject(result);
        if (result.code !== null) return reject(new LookupError(result.code, name));
        resolve(result.addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 })));
      };
      const pending: PendingLookup = { name, begun, settle, isAwaited: true };
      this.#pending.set(id, pending);
      signal.addEventListener("abort", () => this.#abandon(pending, signal.reason), { once: true });
      if (this.#isReady) this.#process.send({ id, name });
    });
  }

  /** Ends the process; its look-ups reject with `reason`. */
  kill(reason: Error): void {
    this.#ended(reason);
    this.#process.kill();
  }

  #onMessage(message: HelperMessage): void {
    if (message === "ready") {
      this.#isReady = true;
      for (const [id, { name, begun }] of this.#pending) {
        begun();
        this.#process.send({ id, name });
      }
      return;
    }
    this.#pending.get(message.id)?.settle(message);
    this.#pending.delete(message.id);
    this.#tidy();
  }

  #abandon(pending: PendingLookup, reason: Error): void {
    if (!pending.isAwaited) return;
    pending.settle(reason);
    this.#isRetired = true;
    this.#tidy();
  }

  #tidy(): void {
    const isAwaited = [...this.#pending.values()].some((pending) => pending.isAwaited);
    if (this.#isRetired && !isAwaited) return this.kill(new Error(ENDED));
    if (this.#pending.size > 0) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.kill(new Error(ENDED)), this.#idleTime);
    this.#idle.unref();
  }

  #ended(reason: Error): void {
    this.#isRetired = true;
    clearTimeout(this.#idle);
    const lookups = [...this.#pending.values()];
    this.#pending.clear();
    for (const one of lookups) one.settle(reason);
    this.#onEnd(this);
  }
}
