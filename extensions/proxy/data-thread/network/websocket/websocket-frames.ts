import type { Bytes } from "../../../../../src/engine/model/units.ts";
import type { MessageMemory } from "../sockets/message-memory.ts";
import type { Slice } from "../sockets/read-turn.ts";

type FrameKind = "text" | "binary" | "ping" | "pong" | "close";

/**
 * One whole message with its fragments joined, or one control frame. If `deflated`, the payload is still compressed.
 */
export interface Message {
  readonly kind: FrameKind;
  /** Bytes of the payload on the wire. */
  readonly size: Bytes;
  /** The first bytes of the payload, unmasked, up to the cap. */
  readonly bytes: Buffer;
  readonly deflated: boolean;
}

/** Kinds of frames by opcode (RFC 6455, 5.2 and 11.8). */
const KINDS: Readonly<Record<number, FrameKind>> = { 1: "text", 2: "binary", 8: "close", 9: "ping", 10: "pong" };
const CONTINUATION = 0;
/** RFC 6455, 5.5: the most bytes of a control frame's payload. */
const LONGEST_CONTROL = 125;
const LONGEST_HEADER = 14;
/** Bytes of a masking key. */
const MASK = 4;
const NOTHING: Buffer = Buffer.alloc(0);

/**
 * A message that is being assembled, in one buffer. Fragments may have one byte each, and an object per fragment would
 * take a hundred bytes.
 */
class Assembly {
  readonly kind: FrameKind;
  readonly deflated: boolean;
  size: Bytes = 0;
  /** The buffer, which may be larger than its content. */
  #room = NOTHING;
  #kept: Bytes = 0;
  readonly #memory: MessageMemory;
  /** Whether the memory had no room for a byte, so that all later ones are left out, too. */
  #isFull = false;

  constructor(kind: FrameKind, deflated: boolean, memory: MessageMemory) {
    this.kind = kind;
    this.deflated = deflated;
    this.#memory = memory;
  }

  /** Adds bytes of a frame. `from`: their offset in the frame's payload, which selects the byte of the mask. */
  add(bytes: Buffer, mask: Uint8Array | null, from: number, cap: Bytes): void {
    this.size += bytes.length;
    const length = Math.min(bytes.length, cap - this.#kept);
    const start = this.#kept;
    const end = start + length;
    if (length <= 0 || !this.#hasRoom(end, cap)) return;
    const room = this.#room;
    bytes.copy(room, start, 0, length);
    this.#kept = end;
    if (mask === null) return;
    for (let at = start; at < end; at += 1) room[at] = (room[at] ?? 0) ^ (mask[(from + at - start) & 3] ?? 0);
  }

  /** The message. Its memory is given back. */
  whole(): Message {
    this.#memory.give(this.#room.length);
    return { kind: this.kind, size: this.size, bytes: this.#room.subarray(0, this.#kept), deflated: this.deflated };
  }

  /**
   * Whether the buffer has room for `needed` bytes, if necessary after it was replaced by a larger one. A first buffer
   * has just the size of its content, because most messages come in one piece.
   */
  #hasRoom(needed: Bytes, cap: Bytes): boolean {
    if (this.#isFull) return false;
    if (needed <= this.#room.length) return true;
    const size = this.#kept === 0 ? needed : Math.min(cap, 2 * needed);
    this.#isFull = !this.#memory.take(size - this.#room.length);
    if (this.#isFull) return false;
    const larger = Buffer.allocUnsafe(size);
    this.#room.copy(larger, 0, 0, this.#kept);
    this.#room = larger;
    return true;
  }
}

/**
 * Parses the frames of one side (RFC 6455, 5) from bytes in any pieces. After a violation of the protocol nothing more
 * is parsed, but the traffic continues.
 */
export class FrameReader {
  readonly #cap: Bytes;
  readonly #memory: MessageMemory;
  readonly #deliver: (message: Message) => void;
  #header: Buffer = NOTHING;
  #broken = false;
  /** How many bytes of the current frame's payload have not arrived yet. */
  #left = 0;
  #read = 0;
  readonly #mask = new Uint8Array(MASK);
  #isMasked = false;
  #isFinal = false;
  #target: Assembly | null = null;
  /** The text or binary message that is being assembled. Control frames may come between its fragments. */
  #message: Assembly | null = null;

  /** `cap`: the most bytes kept of a message; fewer where `memory` has no room. */
  constructor(cap: Bytes, memory: MessageMemory, deliver: (message: Message) => void) {
    this.#cap = cap;
    this.#memory = memory;
    this.#deliver = deliver;
  }

  /** Parses `bytes` from the offset `from` until `slice` is over; returns the offset reached. */
  feed(bytes: Buffer, from: number, slice: Slice): number {
    let at = from;
    while (!this.#broken) {
      if (this.#target === null) {
        // The first frame needs no look at the clock, because most reads have only one.
        if (at >= bytes.length || (at > from && slice.isOver)) return at;
        at = this.#frame(bytes, at);
        continue;
      }
      const end = Math.min(bytes.length, at + this.#left);
      this.#target.add(bytes.subarray(at, end), this.#isMasked ? this.#mask : null, this.#read, this.#cap);
      this.#left -= end - at;
      this.#read += end - at;
      at = end;
      if (this.#left > 0) return at;
      this.#frameEnded(this.#target);
    }
    return bytes.length;
  }

  /** Parses the header of a frame, as far as it has arrived. Returns the offset after it. */
  #frame(bytes: Buffer, from: number): number {
    const held = this.#header.length;
    // Most headers come in one piece, and are parsed in place.
    const view = held === 0 ? bytes : Buffer.concat([this.#header, bytes.subarray(from, from + LONGEST_HEADER)]);
    const start = held === 0 ? from : 0;
    const size = headerSize(view, start);
    if (size === null || view.length < start + size) {
      this.#header = Buffer.from(view.subarray(start));
      return bytes.length;
    }
    this.#header = NOTHING;
    this.#begin(view, start, size);
    return from + size - held;
  }

  #begin(bytes: Buffer, start: number, size: number): void {
    const first = bytes[start] ?? 0;
    const second = bytes[start + 1] ?? 0;
    const opcode = first & 0x0f;
    this.#isFinal = (first & 0x80) !== 0;
    this.#isMasked = (second & 0x80) !== 0;
    this.#left = payloadLength(bytes, start, second & 0x7f);
    this.#read = 0;
    if (this.#isMasked) bytes.copy(this.#mask, 0, start + size - MASK, start + size);
    this.#target = this.#targetOf(opcode, (first & 0x40) !== 0);
    this.#broken = this.#target === null || (first & 0x30) !== 0;
  }

  #targetOf(opcode: number, deflated: boolean): Assembly | null {
    if (opcode === CONTINUATION) return this.#message;
    const kind = KINDS[opcode];
    if (kind === undefined) return null;
    if (opcode >= 8)
      return this.#isFinal && this.#left <= LONGEST_CONTROL ? new Assembly(kind, false, this.#memory) : null;
    if (this.#message !== null) return null;
    this.#message = new Assembly(kind, deflated, this.#memory);
    return this.#message;
  }

  #frameEnded(target: Assembly): void {
    this.#target = null;
    if (!this.#isFinal) return;
    if (target === this.#message) this.#message = null;
    this.#deliver(target.whole());
  }
}

/** The length of the header that begins at `start`; `null` if its first two bytes are not there yet. */
function headerSize(bytes: Buffer, start: number): number | null {
  const second = bytes[start + 1];
  if (second === undefined) return null;
  const length = second & 0x7f;
  const mask = (second & 0x80) === 0 ? 0 : MASK;
  if (length === 126) return 4 + mask;
  return length === 127 ? 10 + mask : 2 + mask;
}

function payloadLength(bytes: Buffer, start: number, length: number): number {
  if (length === 126) return bytes.readUInt16BE(start + 2);
  return length === 127 ? Number(bytes.readBigUInt64BE(start + 2)) : length;
}
