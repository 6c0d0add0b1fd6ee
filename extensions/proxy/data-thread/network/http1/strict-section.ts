import { Buffer } from "node:buffer";
import { CR, inField, isHeadByte, LF } from "./fields.ts";
import { GrowingBuffer } from "./growing-buffer.ts";
import { type Refusal, refusal } from "./message.ts";

const END = Buffer.from("\r\n\r\n");

/**
 * Collects a start line and its header lines up to the empty line, across feeds. Scans no byte twice, however small the
 * feeds, and refuses an invalid section before its end arrives.
 *
 *   feed → null … feed → null, feed → the section
 */
export class StrictSection {
  readonly #limit: number;
  readonly #startLineFault: (startLine: Buffer) => Refusal | null;
  #held = new GrowingBuffer();
  #isStartLineChecked = false;

  /** `limit`: the most bytes; `startLineFault`: checks the start line, with its CRLF, before the rest has arrived. */
  constructor(limit: number, startLineFault: (startLine: Buffer) => Refusal | null) {
    this.#limit = limit;
    this.#startLineFault = startLineFault;
  }

  /** How many bytes of an incomplete section are held. */
  get length(): number {
    return this.#held.length;
  }

  /**
   * Returns the whole section, as a view of `bytes` if they contain all of it; `null` if it continues after `bytes`.
   */
  feed(bytes: Buffer, from: number): Buffer | Refusal | null {
    const end = this.#endIn(bytes, from);
    const before = this.#held.length;
    const length = before + (end ?? bytes.length) - from;
    if (length > this.#limit) return refusal(431, `more than ${this.#limit} bytes of header`);
    if (end !== null && before === 0) return bytes.subarray(from, end);
    this.#held.add(bytes.subarray(from, end ?? bytes.length));
    return end === null ? this.#faultFrom(before) : this.drop();
  }

  drop(): Buffer {
    const { bytes } = this.#held;
    this.#held = new GrowingBuffer();
    this.#isStartLineChecked = false;
    return bytes;
  }

  #endIn(bytes: Buffer, from: number): number | null {
    const tail = Math.min(this.#held.length, END.length - 1);
    if (tail > 0) {
      const seam = Buffer.concat([this.#held.bytes.subarray(-tail), bytes.subarray(from, from + 3)]);
      const at = seam.indexOf(END);
      if (at !== -1) return from + at + END.length - tail;
    }
    const at = bytes.indexOf(END, from);
    return at === -1 ? null : at + END.length;
  }

  #faultFrom(from: number): Refusal | null {
    const { bytes } = this.#held;
    for (let at = from; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      const followsCr = at > 0 && bytes[at - 1] === CR;
      if (followsCr && byte !== LF) return faultAt(bytes, "a carriage return without its line feed", at); // RFC 9112, 2.2
      if (byte === LF && !followsCr) return faultAt(bytes, "a line feed without its carriage return", at);
      if (!isHeadByte(byte)) return faultAt(bytes, "a control character", at);
      if (byte !== LF || this.#isStartLineChecked) continue;
      this.#isStartLineChecked = true;
      const fault = this.#startLineFault(bytes.subarray(0, at + 1));
      if (fault !== null) return fault;
    }
    return null;
  }
}

/** A refusal that names the error at `at` and its field. */
function faultAt(bytes: Buffer, what: string, at: number): Refusal {
  const from = bytes.lastIndexOf(LF, Math.max(0, at - 1)) + 1;
  const field = inField(bytes.toString("latin1", from, at));
  return refusal(400, field === "" ? `${what} in a head` : what + field);
}
