import type { Problem } from "../../../src/engine/model/result.ts";
import type { Milliseconds } from "../../../src/engine/model/units.ts";
import type {
  AnalysisStart,
  BodyMatches,
  FromAnalysis,
  Grouping,
  Question,
  Reply,
  ToAnalysis,
  WorkMessage,
  WorkOrder,
} from "../analysis-thread/analysis-messages.ts";
import { onThreadEnd, type ReaderThread, readerThread } from "../threads.ts";

/** How long a thread lives after the last question. */
const KEPT: Milliseconds = 300_000;

/** The pause before a failed thread is started again. It doubles with each failure in a row. */
const FIRST_PAUSE: Milliseconds = 1_000;
const LONGEST_PAUSE: Milliseconds = 60_000;

export type AnalysisWorker = ReaderThread<unknown, FromAnalysis>;

interface AnalysisThreadOptions {
  readonly start: () => AnalysisStart;
  /** Called with why the thread failed, as a phrase; with `null` once it answers again. */
  readonly onTrouble: (trouble: string | null) => void;
  readonly spawn?: (start: AnalysisStart) => AnalysisWorker;
  readonly now?: () => Milliseconds;
}

interface PendingQuestion {
  readonly onPartial: (reply: Reply) => void;
  /** `null`: the thread ended first. */
  readonly resolve: (reply: Reply | null) => void;
}

/** An export or a search that runs. */
export interface Running {
  readonly onMessage: (message: WorkMessage | BodyMatches) => void;
  /** Called if the thread ends first. `trouble`: why it failed; `null` if its session was closed. */
  readonly onEnd: (trouble: string | null) => void;
}

/** The refusal of an export or a search while a failed thread is not started again yet. */
const NOT_YET = "The analysis failed a moment ago and is started again. Try again in a few seconds.";
const CLOSED = "This session was closed.";

/**
 * The analysis thread of one session: started by the first question, ended five minutes after the last one. A thread
 * that fails is started again by the next question after a pause.
 */
export class AnalysisThread {
  readonly #options: AnalysisThreadOptions;
  readonly #spawn: (start: AnalysisStart) => AnalysisWorker;
  readonly #now: () => Milliseconds;
  #worker: AnalysisWorker | null = null;
  #grouping: Grouping | undefined;
  readonly #pending = new Map<number, PendingQuestion>();
  readonly #begun = new Map<number, (refusal: Problem | null) => void>();
  readonly #running = new Map<number, Running>();
  #number = 0;
  #lastUse: Milliseconds = 0;
  #failures = 0;
  #pauseUntil: Milliseconds = Number.NEGATIVE_INFINITY;
  #ending: NodeJS.Timeout | null = null;
  #isEnded = false;

  constructor(options: AnalysisThreadOptions) {
    this.#options = options;
    this.#spawn = options.spawn ?? ((start) => readerThread("analysis", start));
    this.#now = options.now ?? (() => performance.now());
  }

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /**
   * Asks a question. Resolves with its last reply; with `null` if the thread has ended. `onPartial`: called with each
   * earlier reply.
   */
  ask(question: Question, onPartial: (reply: Reply) => void = () => {}): Promise<Reply | null> {
    this.use();
    if (this.#isEnded || this.#now() < this.#pauseUntil) return Promise.resolve(null);
    this.#number += 1;
    const number = this.#number;
    this.#post({ ...question, number });
    return new Promise((resolve) => this.#pending.set(number, { onPartial, resolve }));
  }

  /** Begins an export or a search. Resolves with why it is refused; with `null` once it has begun. */
  beginWork(order: WorkOrder, running: Running): Promise<Problem | null> {
    this.use();
    if (this.#isEnded) return Promise.resolve(CLOSED);
    if (this.#now() < this.#pauseUntil) return Promise.resolve(NOT_YET);
    this.#running.set(order.number, running);
    this.#post(order);
    return new Promise((resolve) => this.#begun.set(order.number, resolve));
  }

  /** Passes on what a UI client says about its export or search. */
  tell(message: Exclude<ToAnalysis, Question | WorkOrder>): void {
    this.#worker?.postMessage(message);
  }

  /** Called when a view uses results, so that the thread stays. */
  use(): void {
    this.#lastUse = this.#now();
  }

  /** Ends the thread if it has not been used for five minutes. Called by a timer while it runs. */
  async endIfUnused(): Promise<void> {
    if (this.#running.size === 0 && this.#now() - this.#lastUse >= KEPT) await this.#stop();
  }

  /** Ends the thread for good. Resolves once its files are closed. */
  async endThread(): Promise<void> {
    this.#isEnded = true;
    await this.#stop();
  }

  #started(): AnalysisWorker {
    if (this.#worker !== null) return this.#worker;
    const worker = this.#spawn(this.#options.start());
    this.#worker = worker;
    this.#grouping = undefined;
    worker.on("message", (reply) => {
      if (this.#worker === worker) this.#take(reply);
    });
    onThreadEnd(worker, (trouble) => {
      if (this.#worker === worker) this.#fail(trouble);
    });
    worker.unref();
    this.#ending = setInterval(() => void this.endIfUnused(), KEPT / 10).unref();
    return worker;
  }

  /** Sends a message, without the grouping if the worker knows it. */
  #post({ grouping, ...rest }: (Question & { readonly number: number }) | WorkOrder): void {
    const worker = this.#started();
    const isKnown = this.#grouping !== undefined && this.#grouping === grouping;
    if (!isKnown) this.#grouping = grouping;
    worker.postMessage({ ...rest, ...(isKnown ? {} : { grouping }) });
  }

  #take(reply: FromAnalysis): void {
    if (this.#failures > 0) this.#options.onTrouble(null);
    this.#failures = 0;
    if ("refusal" in reply) {
      if (reply.refusal !== null) this.#running.delete(reply.work);
      this.#begun.get(reply.work)?.(reply.refusal);
      this.#begun.delete(reply.work);
      return;
    }
    if ("message" in reply) {
      const { work, message } = reply;
      this.#running.get(work)?.onMessage(message);
      if (message.done) {
        this.#running.delete(work);
        this.use();
      }
      return;
    }
    const pending = this.#pending.get(reply.number);
    if (!reply.isFinal) return pending?.onPartial(reply);
    this.#pending.delete(reply.number);
    pending?.resolve(reply);
  }

  #fail(trouble: string): void {
    this.#pauseUntil = this.#now() + Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.#failures);
    this.#failures += 1;
    this.#forget(trouble);
    this.#options.onTrouble(trouble);
  }

  async #stop(): Promise<void> {
    const worker = this.#worker;
    this.#forget(null);
    await worker?.terminate();
  }

  /** `trouble`: why the thread failed; `null` if it did not. */
  #forget(trouble: string | null): void {
    this.#worker = null;
    if (this.#ending !== null) clearInterval(this.#ending);
    this.#ending = null;
    for (const { resolve } of this.#pending.values()) resolve(null);
    this.#pending.clear();
    for (const resolve of this.#begun.values()) resolve(trouble === null ? CLOSED : NOT_YET);
    for (const [number, { onEnd }] of this.#running) if (!this.#begun.has(number)) onEnd(trouble);
    this.#begun.clear();
    this.#running.clear();
  }
}
