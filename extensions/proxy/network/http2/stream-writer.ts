import type { Http2Stream } from "node:http2";
import type { Bytes } from "../../../../src/engine/model/units.ts";
import { HELD, type HeldBudget, type Holder, PIECE_WEIGHT } from "../sockets/held-budget.ts";

/** Writes a body to one stream. Its bytes count as held until the peer has read them. */
export class StreamWriter implements Holder {
  readonly #stream: Http2Stream;
  readonly #drained: () => void;
  readonly #budget: HeldBudget;
  #pieces = 0;
  #isFull = false;

  /** `drained`: called when the stream accepts bytes again, after `hasRoom` returned false. */
  constructor(stream: Http2Stream, drained: () => void, budget = HELD) {
    this.#stream = stream;
    this.#drained = drained;
    this.#budget = budget;
  }

  get held(): Bytes {
    return this.#stream.destroyed ? 0 : this.#stream.writableLength + this.#pieces * PIECE_WEIGHT;
  }

  write(bytes: Buffer): void {
    this.#pieces += 1;
    this.#stream.write(bytes, this.#sent);
  }

  /** Returns false if the caller must wait for `drained`. */
  hasRoom(): boolean {
    // Evaluated first, because `count` also updates the budget.
    const isWithin = this.#budget.count(this);
    this.#isFull = !isWithin || this.#stream.writableNeedDrain;
    return !this.#isFull;
  }

  readonly #sent = (): void => {
    this.#pieces -= 1;
    if (this.#isFull && !this.#stream.destroyed && this.hasRoom()) this.#drained();
  };
}
