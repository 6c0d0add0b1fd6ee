import { Buffer } from "node:buffer";
import type { Http2Stream } from "node:http2";
import type { Bytes } from "../../../../../src/engine/model/units.ts";
import type { ConnectionMemory } from "./connection-memory.ts";

/** The largest block into which unread bytes are copied: the size of a DATA frame (RFC 9113, 4.2). */
const BLOCK: Bytes = 16 * 1024;
/**
 * A smaller frame is joined with the next ones of its turn. Handling a frame by itself takes some 50 µs, and one read
 * of a socket may have 6,500.
 */
const SMALL: Bytes = 1024;
/** The smallest block. Blocks grow with the bytes held, so at most about half of the memory is unused. */
const LEAST_BLOCK: Bytes = 512;

/**
 * What a peer sent on one stream while nobody reads it, copied into blocks and counted by the connection. Node would
 * keep each DATA frame, however small, as an object that keeps the whole read of the socket in memory; and it would
 * reopen the stream's window while its own buffer still has room. Also joins the small frames of one turn of the event
 * loop.
 */
export class UnreadInput {
  readonly #stream: Http2Stream;
  readonly #memory: ConnectionMemory;
  readonly #push: Http2Stream["push"];
  #blocks: Buffer[] = [];
  /** How many bytes of the last block are filled. */
  #filled: Bytes = 0;
  #held: Bytes = 0;
  #hasEnded = false;
  /** Whether what arrives is held until the next turn. */
  #isJoining = false;

  /** Construct this before anything else replaces `stream.push`. */
  constructor(stream: Http2Stream, memory: ConnectionMemory) {
    this.#stream = stream;
    this.#memory = memory;
    this.#push = stream.push.bind(stream);
    stream.push = (chunk: Buffer | null) => this.#arrived(chunk);
    const read = stream._read.bind(stream);
    // Node's `_read` reopens the whole window of the stream, so it waits until nearly all was read.
    stream._read = (size) => {
      if (this.#held <= memory.streamWindow / 16) read(size);
    };
    const destroy = stream.destroy.bind(stream);
    stream.destroy = (error?: Error) => {
      this.#deliver(); // what arrived before a reset in the same turn
      return destroy(error);
    };
    stream.on("resume", () => this.#deliver());
    stream.once("close", () => this.#discard());
  }

  #arrived(chunk: Buffer | null): boolean {
    if (chunk !== null) this.#memory.received(chunk.length);
    const isFlowing = this.#stream.readableFlowing === true;
    const isRead = this.#held === 0 && !this.#isJoining && (chunk === null || isFlowing);
    if (isRead && chunk !== null && chunk.length < SMALL) this.#join();
    if (isRead || this.#stream.destroyed) return this.#push(chunk);
    if (chunk === null) this.#hasEnded = true;
    else this.#hold(chunk);
    return isFlowing;
  }

  /** Holds what arrives in this turn. */
  #join(): void {
    this.#isJoining = true;
    setImmediate(() => {
      this.#isJoining = false;
      this.#deliver();
    });
  }

  #hold(chunk: Buffer): void {
    const before = this.#held;
    for (let rest = chunk; rest.length > 0; ) {
      let block = this.#blocks.at(-1);
      if (block === undefined || this.#filled === block.length) {
        block = Buffer.allocUnsafeSlow(Math.min(BLOCK, Math.max(LEAST_BLOCK, rest.length, this.#held)));
        this.#blocks.push(block);
        this.#filled = 0;
        this.#held += block.length;
      }
      const copied = rest.copy(block, this.#filled);
      this.#filled += copied;
      rest = rest.subarray(copied);
    }
    if (this.#held !== before) this.#memory.count(this.#held - before);
  }

  /** Gives the held bytes to the reader until it pauses again. */
  #deliver(): void {
    while (this.#stream.readableFlowing === true && !this.#stream.destroyed) {
      const block = this.#blocks.shift();
      if (block === undefined) break;
      this.#held -= block.length;
      this.#memory.count(-block.length);
      this.#push(this.#blocks.length === 0 ? block.subarray(0, this.#filled) : block);
    }
    if (!this.#hasEnded || this.#held > 0 || this.#stream.destroyed) return;
    this.#hasEnded = false;
    this.#push(null);
  }

  #discard(): void {
    this.#memory.count(-this.#held);
    this.#blocks = [];
    this.#held = 0;
    this.#memory.closed();
  }
}
