import type { Problem } from "../../../../../src/engine/model/result.ts";
import type { ExchangeId } from "../../../../../src/engine/model/units.ts";
import type { ResendOptions } from "./resend.ts";

interface ReplayOptions {
  readonly times: number;
  readonly atOnce: number;
  /** Sends the request once, like `resend`. */
  readonly send: (options: ResendOptions) => Promise<Error | null>;
  /** Called with the exchange of each replay that has ended. */
  readonly onEnded: (exchange: ExchangeId) => void;
}

/** Replays one request, with at most `atOnce` replays in flight. */
export class Replay {
  readonly #options: ReplayOptions;
  readonly #stop = new AbortController();
  #left: number;
  #problem: string | null = null;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#left = options.times;
  }

  /** Resolves when all replays have ended: with `null`, or with a sentence that says why fewer were sent. */
  async run(): Promise<Problem | null> {
    await Promise.all(Array.from({ length: this.#options.atOnce }, () => this.#sendOn()));
    return this.#problem;
  }

  /** Sends no further replay, and closes those in flight. */
  stop(): void {
    this.#left = 0;
    this.#stop.abort();
  }

  async #sendOn(): Promise<void> {
    const { send, onEnded } = this.#options;
    const { signal } = this.#stop;
    while (this.#left > 0) {
      this.#left -= 1;
      let exchange: ExchangeId | null = null;
      const onStarted = (id: ExchangeId | null): void => {
        exchange = id;
      };
      const failure = await send({ onStarted, signal });
      if (signal.aborted) return;
      if (failure !== null) this.#fail(`The repeats ended early: ${failure.message}.`);
      else if (exchange === null) this.#fail(NOT_RECORDED);
      else onEnded(exchange);
    }
  }

  #fail(problem: string): void {
    this.#left = 0;
    this.#problem ??= problem;
  }
}

const NOT_RECORDED =
  "The repeats ended early: they were not recorded. Resume recording, and include the host in Settings, Capture.";
