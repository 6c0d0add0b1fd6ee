import { createInflateRaw, type InflateRaw } from "node:zlib";
import type { Bytes } from "../../../../../src/engine/model/units.ts";
import type { MessageMemory } from "../sockets/message-memory.ts";

/** RFC 7692, 7.2.2: the bytes that the sender removes from the end of each message. */
const TAIL = Buffer.from([0x00, 0x00, 0xff, 0xff]);
/** The most bytes to which a message may inflate. After a larger one, later messages of its side are not inflated. */
const BOMB: Bytes = 64 * 1024 * 1024;
/** docs/security.md L2 and L11: the most bytes kept for each byte of the payload. */
const RATIO = 200;
/**
 * The bytes that all messages of a side may have above `RATIO`, because a repeated message deflates to almost nothing.
 */
const GRACE: Bytes = 1024 * 1024;

interface Inflated {
  readonly bytes: Buffer;
  /** Whether `bytes` is cut off, or inflating failed. */
  readonly cut: boolean;
}

const LOST: Inflated = Object.freeze({ bytes: Buffer.alloc(0), cut: true });

/**
 * Inflates one side's permessage-deflate messages (RFC 7692), off this thread, one at a time. Of a message beyond
 * `RATIO` and `GRACE`, as many bytes are kept as its payload has. After `BOMB` bytes of such messages, no further
 * message is inflated.
 */
export class MessageInflater {
  readonly #cap: Bytes;
  readonly #memory: MessageMemory;
  readonly #keepsContext: boolean;
  #zlib: InflateRaw | null;
  #pieces: Buffer[] = [];
  #held: Bytes = 0;
  /** Whether the memory had no room for a piece, so that all later ones are left out, too. */
  #isFull = false;
  #size: Bytes = 0;
  #payload: Bytes = 0;
  #grace = GRACE;
  /** The bytes of all messages beyond `RATIO` and `GRACE`. */
  #bombs: Bytes = 0;
  #done: ((inflated: Inflated) => void) | null = null;

  /** `cap`: the most bytes kept of a message; fewer where `memory` has no room. */
  constructor(cap: Bytes, memory: MessageMemory, keepsContext: boolean) {
    this.#cap = cap;
    this.#memory = memory;
    this.#keepsContext = keepsContext;
    this.#zlib = this.#fresh();
  }

  /**
   * `payload`: `null` if the message was not kept whole. With context takeover, all later messages of this side are
   * then lost, too.
   */
  inflate(payload: Buffer | null, done: (inflated: Inflated) => void): void {
    const zlib = this.#zlib;
    this.#done = done;
    if (payload === null && !this.#keepsContext) return this.#deliver(LOST);
    if (zlib === null || payload === null) return this.giveUp();
    this.#payload = payload.length;
    zlib.write(payload);
    zlib.write(TAIL);
    zlib.flush(() => {
      if (this.#zlib === null) return;
      // RFC 7692, 7.2.3.5: a sender may end its deflate stream with a message (BFINAL). The next message then begins a
      // new stream.
      if (zlib.readableEnded) {
        zlib.close();
        this.#zlib = this.#fresh();
      } else if (!this.#keepsContext) zlib.reset();
      this.#deliver(this.#kept(false));
    });
  }

  /** Gives up this message and all later ones. */
  giveUp(): void {
    this.close();
    this.#deliver(this.#kept(true));
  }

  close(): void {
    this.#zlib?.close();
    this.#zlib = null;
  }

  #fresh(): InflateRaw {
    const zlib = createInflateRaw();
    zlib.on("data", (bytes: Buffer) => this.#grow(bytes));
    zlib.on("error", () => this.giveUp());
    return zlib;
  }

  get #isBomb(): boolean {
    return this.#size > RATIO * this.#payload + this.#grace;
  }

  #grow(bytes: Buffer): void {
    const room = this.#cap - this.#size;
    this.#size += bytes.length;
    if (this.#isBomb) {
      this.#bombs += bytes.length;
      this.#keepOnly(this.#joined(this.#payload));
    } else if (room > 0) this.#keep(bytes.subarray(0, room));
    if (this.#size > BOMB || this.#bombs > BOMB) this.giveUp();
  }

  #keep(piece: Buffer): void {
    this.#isFull ||= !this.#memory.take(piece.length);
    if (this.#isFull) return;
    this.#pieces.push(piece);
    this.#held += piece.length;
  }

  /** `piece`: a beginning of the pieces so far. */
  #keepOnly(piece: Buffer): void {
    this.#memory.give(this.#held - piece.length);
    this.#pieces = [piece];
    this.#held = piece.length;
  }

  #kept(cut: boolean): Inflated {
    const isBomb = this.#isBomb;
    if (!isBomb) this.#grace -= Math.max(0, this.#size - RATIO * this.#payload);
    const bytes = this.#joined(this.#cap);
    return { bytes, cut: cut || isBomb || this.#isFull || this.#size > this.#cap };
  }

  #joined(most: Bytes): Buffer {
    const [only] = this.#pieces;
    if (this.#pieces.length === 1 && only !== undefined && only.length <= most) return only;
    const size = this.#pieces.reduce((sum, { length }) => sum + length, 0);
    return Buffer.concat(this.#pieces, Math.min(size, most));
  }

  #deliver(inflated: Inflated): void {
    const done = this.#done;
    this.#done = null;
    this.#memory.give(this.#held);
    this.#pieces = [];
    this.#held = 0;
    this.#isFull = false;
    this.#size = 0;
    this.#payload = 0;
    done?.(inflated);
  }
}
