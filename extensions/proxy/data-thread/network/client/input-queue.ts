import type { Bytes, Instant } from "../../../../../src/engine/model/units.ts";
import { LIMITS, type RequestEvent } from "../http1/message.ts";
import { RequestReader } from "../http1/request-reader.ts";
import { BUFFERS, type Holder, PIECE_WEIGHT } from "../sockets/buffer-budget.ts";

/** Bytes from a client. `at`: when the first of them arrived. */
export interface Piece {
  readonly bytes: Buffer;
  readonly at: Instant;
}

/** Holds a client's bytes in the order of arrival, and parses them piece by piece. */
export class InputQueue implements Holder {
  readonly #reader = new RequestReader(LIMITS);
  #pieces: Piece[] = [];
  #held: Bytes = 0;
  #lastAt: Instant;
  #headAt: Instant;
  /** When the latest piece given to the parser arrived. */
  #parsedAt: Instant;
  #unparsed: Buffer | null = null;

  constructor(now: Instant) {
    this.#lastAt = now;
    this.#headAt = now;
    this.#parsedAt = now;
  }

  /** The size of all pieces not parsed yet, with the overhead of each piece. */
  get held(): Bytes {
    return this.#held;
  }

  get lastAt(): Instant {
    return this.#lastAt;
  }

  /** When the first byte of the current head arrived; an earlier instant while no head has begun. */
  get headAt(): Instant {
    return this.#headAt;
  }

  /** Whether the parser has received the first byte of the next head. Empty lines before the head do not count. */
  get hasHead(): boolean {
    return this.#reader.started;
  }

  /**
   * The latest piece given to the parser; `null` after a complete head. The row of a malformed request shows these
   * bytes.
   */
  get unparsed(): Buffer | null {
    return this.#unparsed;
  }

  push(piece: Piece): void {
    this.#lastAt = piece.at;
    this.#pieces.push(piece);
    this.#held += piece.bytes.length + PIECE_WEIGHT;
    BUFFERS.count(this);
  }

  /** Returns the next event; `null` if the parser needs another piece (`parseNext`). */
  next(): RequestEvent | null {
    const event = this.#reader.next();
    if (event?.kind === "head") this.#unparsed = null;
    // The next head may begin in the same piece, after the request's end.
    if (event?.kind === "end") this.#headAt = this.#parsedAt;
    return event;
  }

  /** Gives the next held piece to the parser; returns false if there is none. */
  parseNext(): boolean {
    const piece = this.#pieces.shift();
    if (piece === undefined) return false;
    this.#held -= piece.bytes.length + PIECE_WEIGHT;
    BUFFERS.count(this);
    if (!this.#reader.started) this.#headAt = piece.at;
    this.#parsedAt = piece.at;
    this.#unparsed = piece.bytes;
    this.#reader.feed(piece.bytes);
    return true;
  }

  /** Removes and returns all bytes that belong to no request yet. */
  takeAll(): Buffer {
    const all = Buffer.concat([this.#reader.rest(), ...this.#pieces.map(({ bytes }) => bytes)]);
    this.discard();
    return all;
  }

  discard(): void {
    this.#pieces = [];
    this.#held = 0;
    BUFFERS.count(this);
  }
}
