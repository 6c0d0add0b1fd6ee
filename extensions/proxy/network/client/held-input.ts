import type { Bytes, Instant } from "../../../../src/engine/model/units.ts";
import { LIMITS } from "../http1/limits.ts";
import type { RequestEvent } from "../http1/message.ts";
import { RequestReader } from "../http1/request-reader.ts";
import { HELD, type Holder, PIECE_WEIGHT } from "../sockets/held-budget.ts";

/** The bytes of a client: held in the order of arrival, and parsed piece by piece. */
export class HeldInput implements Holder {
  readonly #reader = new RequestReader(LIMITS);
  #pieces: Buffer[] = [];
  #held: Bytes = 0;
  /** When the latest piece arrived. */
  #lastAt: Instant;
  #headAt: Instant;
  #unparsed: Buffer | null = null;

  constructor(now: Instant) {
    this.#lastAt = now;
    this.#headAt = now;
  }

  /** The number of bytes not parsed yet. */
  get held(): Bytes {
    return this.#held;
  }

  get lastAt(): Instant {
    return this.#lastAt;
  }

  /** When the first byte of the current head arrived. */
  get headAt(): Instant {
    return this.#headAt;
  }

  /** Whether the first byte of the next head was parsed. Empty lines before it do not count. */
  get hasHead(): boolean {
    return this.#reader.started;
  }

  /** The latest bytes of a head that is not parsed completely. They are shown if the head turns out to be malformed. */
  get unparsed(): Buffer | null {
    return this.#unparsed;
  }

  push(piece: Buffer, at: Instant): void {
    this.#lastAt = at;
    this.#pieces.push(piece);
    this.#held += piece.length + PIECE_WEIGHT;
    HELD.count(this);
  }

  /** The next event in the bytes parsed so far; `null` if there is none: then call `parseNext` first. */
  next(): RequestEvent | null {
    const event = this.#reader.next();
    if (event?.kind === "head") this.#unparsed = null;
    return event;
  }

  /** Parses the next held piece; returns false if there is none. `isHead`: whether the piece begins a head. */
  parseNext(isHead: boolean): boolean {
    const piece = this.#pieces.shift();
    if (piece === undefined) return false;
    this.#held -= piece.length + PIECE_WEIGHT;
    HELD.count(this);
    if (isHead) this.headBegins();
    this.#unparsed = piece;
    this.#reader.feed(piece);
    return true;
  }

  /** Tells that the first byte not used yet begins a head. */
  headBegins(): void {
    this.#headAt = this.#lastAt;
  }

  /** Removes and returns all bytes that belong to no request yet. */
  takeAll(): Buffer {
    const all = Buffer.concat([this.#reader.rest(), ...this.#pieces]);
    this.discard();
    return all;
  }

  discard(): void {
    this.#pieces = [];
    this.#held = 0;
    HELD.count(this);
  }
}
