import type { Milliseconds } from "../../../../src/engine/model/units.ts";

/** How long messages are handled before timers and sockets get a turn of the event loop. */
const SLICE: Milliseconds = 8;

/**
 * Handles messages in their order, each once. Begins no message in a turn of the event loop in which messages have
 * already taken `SLICE`: Node itself would deliver all that have arrived at a port, up to 1,000, in one turn.
 */
export class Inbox<Message> {
  readonly #handle: (message: Message) => void;
  readonly #now: () => Milliseconds;
  #waiting: Message[] = [];
  #isScheduled = false;

  constructor(handle: (message: Message) => void, now: () => Milliseconds = () => performance.now()) {
    this.#handle = handle;
    this.#now = now;
  }

  add(message: Message): void {
    this.#waiting.push(message);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#work);
  }

  readonly #work = (): void => {
    this.#isScheduled = false;
    const since = this.#now();
    const messages = this.#waiting;
    this.#waiting = [];
    let done = 0;
    try {
      while (done < messages.length && this.#now() - since < SLICE) this.#handle(messages[done++] as Message);
    } finally {
      this.#waiting = [...messages.slice(done), ...this.#waiting];
      if (this.#waiting.length > 0) this.#schedule();
    }
  };
}
