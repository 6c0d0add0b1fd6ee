/** Our choice: numbers of one piece. A list that is longer grows by whole pieces, so it copies and wastes little. */
const PIECE = 1_024;

/** Our choice: room of a first piece, which doubles until it is a whole one. */
const FIRST = 4;

type Piece = Float64Array | Uint32Array;

/** Numbers in the order in which they came: fractions, or whole ones from 0 to 2^32-1. */
export class NumberList {
  readonly #form: "real" | "whole";
  readonly #full: Piece[] = [];
  #last: Piece;
  /** Numbers in the last piece. */
  #used = 0;

  constructor(form: "real" | "whole") {
    this.#form = form;
    this.#last = this.#newPiece(FIRST);
  }

  get length(): number {
    return this.#full.length * PIECE + this.#used;
  }

  push(value: number): void {
    if (this.#used === this.#last.length) this.#grow();
    this.#last[this.#used] = value;
    this.#used += 1;
  }

  at(index: number): number {
    const piece = index < this.#full.length * PIECE ? this.#full[Math.floor(index / PIECE)] : this.#last;
    return piece?.[index % PIECE] as number;
  }

  /** Copies all to `target` from `offset` on; returns where the next would go. */
  copyTo(target: Float64Array, offset: number): number {
    let next = offset;
    for (const piece of this.#full) {
      target.set(piece, next);
      next += PIECE;
    }
    target.set(this.#last.subarray(0, this.#used), next);
    return next + this.#used;
  }

  #grow(): void {
    const last = this.#last;
    if (last.length === PIECE) {
      this.#full.push(last);
      this.#last = this.#newPiece(PIECE);
      this.#used = 0;
      return;
    }
    this.#last = this.#newPiece(2 * last.length);
    this.#last.set(last);
  }

  #newPiece(room: number): Piece {
    return this.#form === "real" ? new Float64Array(room) : new Uint32Array(room);
  }
}
