import type { Http2Stream } from "node:http2";
import type { Bytes } from "../../../../../src/engine/model/units.ts";
import { type BufferBudget, compact, type Holder, PIECE_WEIGHT } from "../sockets/buffer-budget.ts";

/** Further pieces that the peer has not read are copied, if they are parts of larger reads. */
const FEW = 4;

/** Writes a body to one stream. Its bytes count as held until the peer has read them. */
export class StreamWriter implements Holder {
  readonly #stream: Http2Stream;
  readonly #drained: () => void;
  readonly #budgets: readonly BufferBudget[];
  #pieces = 0;
  #isFull = false;

  /** `drained`: called when the stream accepts bytes again, after `hasRoom` returned false. */
  constructor(stream: Http2Stream, drained: () => void, ...budgets: readonly BufferBudget[]) {
    this.#stream = stream;
    this.#drained = drained;
    this.#budgets = budgets;
    // A budget that still counted the stream would keep it, and its session, in memory.
    stream.once("close", () => this.#count());
  }

  get held(): Bytes {
    return this.#stream.destroyed ? 0 : this.#stream.writableLength + this.#pieces * PIECE_WEIGHT;
  }

  write(bytes: Buffer): void {
    this.#pieces += 1;
    this.#stream.write(this.#pieces > FEW ? compact(bytes) : bytes, this.#sent);
  }

  /** Returns false if the caller must wait for `drained`. */
  hasRoom(): boolean {
    const isWithin = this.#count();
    this.#isFull = !isWithin || this.#stream.writableNeedDrain;
    return !this.#isFull;
  }

  readonly #sent = (): void => {
    this.#pieces -= 1;
    if (!this.#isFull) {
      if (this.#pieces === 0) this.#count();
    } else if (!this.#stream.destroyed && this.hasRoom()) this.#drained();
  };

  /** Updates the budgets; returns whether all of them have room. */
  #count(): boolean {
    let isWithin = true;
    for (const budget of this.#budgets) if (!budget.count(this)) isWithin = false;
    return isWithin;
  }
}
