import { Buffer } from "node:buffer";
import { CR, type Fields, inField, isHeadByte, LF, linesOf } from "./fields.ts";
import { type Framing, type HeaderLine, type Refusal, refusal } from "./message.ts";

const EMPTY = Buffer.alloc(0);
const END = Buffer.from("\r\n\r\n");

/**
 * Collects a start line and its header lines up to the empty line, across feeds. Scans no byte twice, however small the
 * feeds, and refuses an invalid section before its end arrives.
 *
 *   feed → null … feed → null, feed → the section
 */
export class Section {
  readonly #limit: number;
  readonly #evaluator: (startLine: Buffer) => Refusal | null;
  #held = EMPTY;
  #length = 0;
  #startLineJudged = false;

  /**
   * `limit`: the most bytes; `judge`: checks the start line, with its CRLF, before the rest of the section has arrived.
   */
  constructor(limit: number, evaluator: (startLine: Buffer) => Refusal | null) {
    this.#limit = limit;
    this.#evaluator = evaluator;
  }

  /** How many bytes of an incomplete section are held. */
  get length(): number {
    return this.#length;
  }

  /**
   * Returns the whole section, as a view of `bytes` if they contain all of it; `null` if it continues after `bytes`.
   */
  feed(bytes: Buffer, from: number): Buffer | Refusal | null {
    const end = this.#endIn(bytes, from);
    const length = this.#length + (end ?? bytes.length) - from;
    if (length > this.#limit) return refusal(431, `more than ${this.#limit} bytes of header`);
    if (end !== null && this.#length === 0) return bytes.subarray(from, end);
    this.#hold(bytes.subarray(from, end ?? bytes.length));
    return end === null ? this.#doubt(length - bytes.length + from) : this.drop();
  }

  /** Removes and returns the held bytes. */
  drop(): Buffer {
    const held = this.#held.subarray(0, this.#length);
    this.#held = EMPTY;
    this.#length = 0;
    this.#startLineJudged = false;
    return held;
  }

  #endIn(bytes: Buffer, from: number): number | null {
    const tail = Math.min(this.#length, END.length - 1);
    if (tail > 0) {
      const seam = Buffer.concat([
        this.#held.subarray(this.#length - tail, this.#length),
        bytes.subarray(from, from + 3),
      ]);
      const at = seam.indexOf(END);
      if (at !== -1) return from + at + END.length - tail;
    }
    const at = bytes.indexOf(END, from);
    return at === -1 ? null : at + END.length;
  }

  #hold(bytes: Buffer): void {
    const length = this.#length + bytes.length;
    if (length > this.#held.length) {
      const larger = Buffer.allocUnsafe(Math.max(1_024, 2 * length));
      this.#held.copy(larger, 0, 0, this.#length);
      this.#held = larger;
    }
    bytes.copy(this.#held, this.#length);
    this.#length = length;
  }

  /** Checks the held bytes from `from` on. */
  #doubt(from: number): Refusal | null {
    for (let at = from; at < this.#length; at += 1) {
      const byte = this.#held[at] ?? 0;
      const followsCr = at > 0 && this.#held[at - 1] === CR;
      if (followsCr && byte !== LF) return this.#fault("a carriage return without its line feed", at); // RFC 9112, 2.2
      if (byte === LF && !followsCr) return this.#fault("a line feed without its carriage return", at);
      if (!isHeadByte(byte)) return this.#fault("a control character", at);
      if (byte !== LF || this.#startLineJudged) continue;
      this.#startLineJudged = true;
      const verdict = this.#evaluator(this.#held.subarray(0, at + 1));
      if (verdict !== null) return verdict;
    }
    return null;
  }

  /** A refusal that names the error at `at` and its field. */
  #fault(what: string, at: number): Refusal {
    const from = this.#held.lastIndexOf(LF, Math.max(0, at - 1)) + 1;
    const field = inField(this.#held.toString("latin1", from, at));
    return refusal(400, field === "" ? `${what} in a head` : what + field);
  }
}

/**
 * The common part of request and response heads. `headers` is parsed on first use, because most heads are forwarded
 * without it.
 */
export class ParsedHead {
  readonly text: string;
  readonly version: "1.0" | "1.1";
  readonly framing: Framing;
  readonly notable: readonly HeaderLine[];
  readonly options: readonly string[];
  #headers: readonly HeaderLine[] | null = null;

  constructor(text: string, version: "1.0" | "1.1", fields: Fields, framing: Framing) {
    this.text = text;
    this.version = version;
    this.framing = framing;
    this.notable = fields.notable;
    this.options = fields.options;
  }

  get headers(): readonly HeaderLine[] {
    this.#headers ??= Object.freeze(linesOf(this.text, this.text.indexOf("\r\n") + 2));
    return this.#headers;
  }

  /**
   * Whether the sender allows another message on the connection (RFC 9112, 9.3). Default:
   * HTTP/1.0 clients get keep-alive if they ask for it, as load generators do.
   */
  get keepAlive(): boolean {
    if (this.options.includes("close")) return false;
    return this.version === "1.1" || this.options.includes("keep-alive");
  }
}
