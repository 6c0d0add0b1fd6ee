/** Places in the memory. */
const FOLDED = 0;
const WRITTEN = 1;

/**
 * How far the engine has come, in memory that both threads see: numbers of batches. Messages for it would wake the thread that
 * moves bytes some fifty times a second, and a thread that is woken may wait for a processor behind the one that woke it.
 */
export class Progress {
  readonly memory: SharedArrayBuffer;
  readonly #numbers: BigInt64Array;

  /** `memory`: that of another thread's progress, to be the same. */
  constructor(memory = new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#numbers = new BigInt64Array(memory);
  }

  /** The latest batch that has been folded. */
  get folded(): number {
    return Number(Atomics.load(this.#numbers, FOLDED));
  }

  set folded(batch: number) {
    Atomics.store(this.#numbers, FOLDED, BigInt(batch));
  }

  /** The latest batch of which everything is on disk: nobody reads it any more. */
  get written(): number {
    return Number(Atomics.load(this.#numbers, WRITTEN));
  }

  set written(batch: number) {
    Atomics.store(this.#numbers, WRITTEN, BigInt(batch));
  }
}
