import { createInflateRaw, type InflateRaw } from "node:zlib";
import type { Bytes } from "../../../../src/engine/model/units.ts";

/** RFC 7692, 7.2.2: the bytes that the sender removes from the end of each message. */
const TAIL = Buffer.from([0x00, 0x00, 0xff, 0xff]);
/**
 * Default; not from a specification: the most bytes to which a message may inflate. After a larger message, later
 * messages of its side are no longer inflated.
 */
const BOMB: Bytes = 64 * 1024 * 1024;

interface Inflated {
  readonly bytes: Buffer;
  /** Whether `bytes` is cut off, or inflating failed. */
  readonly cut: boolean;
}

const LOST: Inflated = Object.freeze({ bytes: Buffer.alloc(0), cut: true });

/** Inflates one side's permessage-deflate messages (RFC 7692), off this thread, one at a time. */
export class MessageInflater {
  readonly #cap: Bytes;
  readonly #keepsContext: boolean;
  #zlib: InflateRaw | null;
  #pieces: Buffer[] = [];
  #size: Bytes = 0;
  #done: ((inflated: Inflated) => void) | null = null;

  constructor(cap: Bytes, keepsContext: boolean) {
    this.#cap = cap;
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
      this.#deliver({ bytes: Buffer.concat(this.#pieces), cut: this.#size > this.#cap });
    });
  }

  /** Gives up this message and all later ones. */
  giveUp(): void {
    this.close();
    this.#deliver(this.#pieces.length === 0 ? LOST : { bytes: Buffer.concat(this.#pieces), cut: true });
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

  #grow(bytes: Buffer): void {
    const room = this.#cap - this.#size;
    this.#size += bytes.length;
    if (room > 0) this.#pieces.push(bytes.subarray(0, room));
    if (this.#size > BOMB) this.giveUp();
  }

  #deliver(inflated: Inflated): void {
    const done = this.#done;
    this.#done = null;
    this.#pieces = [];
    this.#size = 0;
    done?.(inflated);
  }
}
