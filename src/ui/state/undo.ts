const MOST_STEPS = 100;

/** Milliseconds for which a notice offers to undo a change, unless the change says for how long. The key undoes it later too. */
const OFFERED_MS = 20_000;

export interface UndoStep {
  /** A sentence about the change, for the notice that offers to undo it; "" without a notice. */
  readonly offer: string;
  /** For how many milliseconds the notice is shown; absent for the usual time. */
  readonly offeredMs?: number;
  /** Undoes the change. Resolves to a sentence with the outcome, also if that is no longer possible. */
  readonly undo: () => string | Promise<string>;
}

/** The changes of this window, which can be undone from the latest back. */
export class UndoStack {
  #steps: readonly UndoStep[] = [];
  readonly #listeners: ((text: string) => void)[] = [];
  #offering: ReturnType<typeof setTimeout> | undefined;
  #undoing: Promise<unknown> = Promise.resolve();

  push(step: UndoStep): void {
    this.#steps = [...this.#steps, step].slice(-MOST_STEPS);
    this.#offer(step.offer, step.offeredMs);
  }

  /** Undoes the latest change once earlier undos have ended; resolves to what to announce. */
  undo(): Promise<string> {
    const step = this.#steps.at(-1);
    this.#steps = this.#steps.slice(0, -1);
    this.#offer("");
    const outcome = this.#undoing.then(() => (step === undefined ? "There is nothing to undo." : step.undo()));
    this.#undoing = outcome.catch(() => {});
    return outcome;
  }

  /** Removes a change that can no longer be undone, or was undone otherwise. */
  remove(step: UndoStep): void {
    if (this.#steps.at(-1) === step) this.#offer("");
    this.#steps = this.#steps.filter((one) => one !== step);
  }

  /** The latest change; `null` if there is none. */
  get latest(): UndoStep | null {
    return this.#steps.at(-1) ?? null;
  }

  /** Removes the notice. The change can still be undone. */
  withdrawOffer(): void {
    this.#offer("");
  }

  /** Calls `listener` with the text of the notice that offers Undo; "" for no notice. */
  onOffer(listener: (text: string) => void): void {
    this.#listeners.push(listener);
  }

  #offer(text: string, offeredMs = OFFERED_MS): void {
    clearTimeout(this.#offering);
    for (const listener of this.#listeners) listener(text);
    if (text !== "") this.#offering = setTimeout(() => this.#offer(""), offeredMs);
  }
}
