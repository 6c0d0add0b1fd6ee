import type { Reply } from "./commands.ts";

const MOST_STEPS = 100;

/** Milliseconds for which a notice offers to undo a change. The key may undo it later too. */
const OFFERED_MS = 60_000;

export interface UndoStep {
  /** A sentence about the change, for the notice that offers to undo it; "" without a notice. */
  readonly offer: string;
  /** Undoes the change. Resolves to a sentence with the outcome, also if that is no longer possible. */
  readonly undo: () => string | Promise<string>;
  /** Whether the change is that the current session was cleared; absent if not. */
  readonly clears?: true;
}

/** The step of a command whose reply has not come yet; `null` if it changed nothing. */
type PendingStep = Promise<UndoStep | null>;

/** The changes of this window, which can be undone from the latest back. */
export class UndoStack {
  #steps: readonly (UndoStep | PendingStep)[] = [];
  readonly #listeners = new Set<(text: string) => void>();
  #offering: ReturnType<typeof setTimeout> | undefined;
  #undoing: Promise<unknown> = Promise.resolve();

  push(step: UndoStep): void {
    this.#steps = [...this.#steps, step].slice(-MOST_STEPS);
    this.#offer(step.offer);
  }

  /**
   * Adds the change that a command makes, in the order in which commands are sent. An undo before the reply waits for
   * it, and undoes nothing if the command is refused. `stepOf` gets the value of a reply that is not a refusal, and
   * returns `null` if nothing was changed. Resolves to the reply.
   */
  async pushReplied(sent: Promise<Reply>, stepOf: (value: unknown) => UndoStep | null): Promise<Reply> {
    const pending = sent.then((reply) => (reply.ok ? stepOf(reply.value) : null));
    this.#steps = [...this.#steps, pending].slice(-MOST_STEPS);
    const step = await pending;
    if (this.#steps.includes(pending)) {
      this.#steps = this.#steps.flatMap((each) => (each === pending ? (step ?? []) : each));
      if (step !== null && this.latest === step) this.#offer(step.offer);
    }
    return sent;
  }

  /** Undoes the latest change once earlier undos have ended; resolves to what to announce. */
  undo(): Promise<string> {
    const latest = this.#steps.at(-1);
    this.#steps = this.#steps.slice(0, -1);
    this.#offer("");
    const outcome = this.#undoing.then(async () => (await latest)?.undo() ?? "There is nothing to undo.");
    this.#undoing = outcome.catch(() => {});
    return outcome;
  }

  /** Removes a change that can no longer be undone, or was undone otherwise. */
  remove(step: UndoStep): void {
    if (this.#steps.at(-1) === step) this.#offer("");
    this.#steps = this.#steps.filter((one) => one !== step);
  }

  /** The latest change; `null` if there is none, or its command is not answered yet. */
  get latest(): UndoStep | null {
    const latest = this.#steps.at(-1);
    return latest === undefined || latest instanceof Promise ? null : latest;
  }

  /** Removes the notice. The change can still be undone. */
  withdrawOffer(): void {
    this.#offer("");
  }

  /**
   * Calls `listener` with the text of the notice that offers Undo; "" for no notice. Returns a function that ends this.
   */
  onOffer(listener: (text: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #offer(text: string): void {
    clearTimeout(this.#offering);
    for (const listener of this.#listeners) listener(text);
    if (text !== "") this.#offering = setTimeout(() => this.#offer(""), OFFERED_MS);
  }
}
