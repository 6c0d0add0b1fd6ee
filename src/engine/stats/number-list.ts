/** Our choice: numbers of one piece. A list that is longer grows by whole pieces, so it copies and wastes little. */
const PIECE = 1_024;

/** Our choice: room of a first piece, which doubles until it is a whole one. */
const FIRST = 4;

/** What 32 bits hold. */
const MOST = 2 ** 32 - 1;

/**
 * Instants of this century are so many parts of a millisecond apart (doubles between 2^40 and 2^41), and so are all lengths
 * of time between them: as whole numbers they take half the room, and lose nothing.
 */
const PARTS = 4_096;

type Piece = Float64Array | Uint32Array;

/**
 * Numbers in the order in which they came: lengths of time, in ms, or whole numbers from 0 to 2^32-1. Lengths that are no
 * whole number of parts, or longer than 17 minutes, turn the list into one of doubles.
 */
export class NumberList {
  /** A stored number is so many times the number it stands for; `null`: it is a double. */
  #scale: number | null;
  #full: Piece[] = [];
  #last: Piece;
  /** Numbers in the last piece. */
  #used = 0;

  constructor(form: "length" | "whole") {
    this.#scale = form === "length" ? PARTS : 1;
    this.#last = this.#newPiece(FIRST);
  }

  get length(): number {
    return this.#full.length * PIECE + this.#used;
  }

  push(value: number): void {
    if (this.#scale !== null && !isStored(value * this.#scale)) this.#becomeDoubles(this.#scale);
    if (this.#used === this.#last.length) this.#grow();
    this.#last[this.#used] = this.#scale === null ? value : value * this.#scale;
    this.#used += 1;
  }

  at(index: number): number {
    const piece = index < this.#full.length * PIECE ? this.#full[Math.floor(index / PIECE)] : this.#last;
    return (piece?.[index % PIECE] as number) / (this.#scale ?? 1);
  }

  /** Copies all to `target` from `offset` on; returns where the next would go. */
  copyTo(target: Float64Array, offset: number): number {
    let next = offset;
    for (const piece of this.#full) {
      target.set(piece, next);
      next += PIECE;
    }
    target.set(this.#last.subarray(0, this.#used), next);
    next += this.#used;
    if (this.#scale === PARTS) for (let at = offset; at < next; at += 1) target[at] = (target[at] as number) / PARTS;
    return next;
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

  #becomeDoubles(scale: number): void {
    const unscaled = (piece: Piece): Piece => Float64Array.from(piece, (stored) => stored / scale);
    this.#scale = null;
    this.#full = this.#full.map(unscaled);
    this.#last = unscaled(this.#last);
  }

  #newPiece(room: number): Piece {
    return this.#scale === null ? new Float64Array(room) : new Uint32Array(room);
  }
}

function isStored(value: number): boolean {
  return value <= MOST && value >= 0 && Number.isInteger(value);
}
