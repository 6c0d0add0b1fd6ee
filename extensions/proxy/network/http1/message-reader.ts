import { Buffer } from "node:buffer";
import { CR, LF } from "./characters.ts";
import { Chunks } from "./chunks.ts";
import type { Limits } from "./limits.ts";
import type { EndEvent, Framing, Head, ReadEvent } from "./message.ts";
import { type Refusal, refusal } from "./refusal.ts";
import { Section } from "./section.ts";

const EMPTY: Buffer = Buffer.alloc(0);
const END: EndEvent = Object.freeze({ kind: "end", wire: EMPTY });

/** What requests and responses differ in. */
export interface Grammar<H> {
  /** How many empty lines may stand before a start line. */
  readonly emptyLines: number;
  /** Whether a start line, with its CRLF, is a good one. */
  judge(startLine: Buffer): Refusal | null;
  /** Reads a whole head, with its final empty line. */
  read(section: Buffer): { readonly kind: "head"; readonly head: H } | Refusal;
}

/**
 * Reads messages from bytes fed in any pieces. Body bytes are never copied: what is given are views of what was fed.
 *
 *   head ─▶ length | chunked | until-close ─▶ ending ─▶ head …      from each ─▶ refused, for good
 */
export class MessageReader<H extends Head> {
  readonly #limits: Limits;
  readonly #grammar: Grammar<H>;
  readonly #section: Section;
  #state: "head" | "length" | "chunked" | "until-close" | "ending" | "refused" = "head";
  /** Fed and not consumed: `#bytes` from `#at` on, then `#waiting`. */
  #bytes = EMPTY;
  #at = 0;
  #waiting: Buffer[] = [];
  /** CR and LF bytes skipped before a start line. */
  #skipped = 0;
  /** Of a body with a length: bytes still to come. */
  #left = 0;
  #chunks: Chunks;

  constructor(limits: Limits, grammar: Grammar<H>) {
    this.#limits = limits;
    this.#chunks = new Chunks(limits);
    this.#grammar = grammar;
    this.#section = new Section(limits.headSize, (line) => grammar.judge(line));
  }

  feed(bytes: Buffer): void {
    if (this.#state === "refused" || bytes.length === 0) return;
    if (this.#at < this.#bytes.length || this.#waiting.length > 0) {
      this.#waiting.push(bytes);
      return;
    }
    this.#bytes = bytes;
    this.#at = 0;
  }

  next(): ReadEvent<H> | null {
    if (this.#state === "ending") {
      this.#state = "head";
      return END;
    }
    while (this.#hasBytes()) {
      const event = this.#step();
      if (this.#at === this.#bytes.length) this.#release();
      if (event === null) continue;
      if (event.kind === "refused") {
        this.#state = "refused";
        this.#release();
        this.#waiting = [];
      }
      return event;
    }
    return null;
  }

  /** Takes what was fed and belongs to no message yet. */
  rest(): Buffer {
    const parts = [this.#section.drop(), this.#bytes.subarray(this.#at), ...this.#waiting].filter(
      ({ length }) => length > 0,
    );
    this.#release();
    this.#waiting = [];
    const [only = EMPTY] = parts;
    return parts.length > 1 ? Buffer.concat(parts) : only;
  }

  /** Whether there would be a `rest`. */
  get hasRest(): boolean {
    return this.#at < this.#bytes.length || this.#waiting.length > 0 || this.#section.length > 0;
  }

  /** Whether bytes of a next head were fed. */
  get started(): boolean {
    if (this.#state !== "head") return false;
    if (this.#section.length > 0) return true;
    return [this.#bytes.subarray(this.#at), ...this.#waiting].some((bytes) =>
      bytes.some((byte) => byte !== CR && byte !== LF),
    );
  }

  /** The input has ended; to be told when `next` had nothing more. `complete`: `next` gives the `end` that was open. */
  finish(): "complete" | "truncated" | "between" {
    if (this.#state === "until-close") this.#state = "ending";
    if (this.#state === "ending") return "complete";
    return this.#state === "head" && !this.started ? "between" : "truncated";
  }

  #hasBytes(): boolean {
    if (this.#at < this.#bytes.length) return true;
    const bytes = this.#waiting.shift();
    if (bytes === undefined) return false;
    this.#bytes = bytes;
    this.#at = 0;
    return true;
  }

  /** Consumes bytes, of which there is at least one. */
  #step(): ReadEvent<H> | null {
    switch (this.#state) {
      case "head":
        return this.#skipEmptyLines() ?? this.#head();
      case "chunked":
        return this.#chunk();
      case "length":
        return this.#plain(Math.min(this.#left, this.#bytes.length - this.#at));
      default:
        return this.#plain(this.#bytes.length - this.#at);
    }
  }

  /** RFC 9112, 2.2: empty lines before a request line are to be ignored; they may be cut anywhere too. */
  #skipEmptyLines(): Refusal | null {
    if (this.#section.length > 0) return null;
    while (this.#at < this.#bytes.length && this.#skipped < 2 * this.#grammar.emptyLines) {
      const byte = this.#bytes[this.#at];
      const followsCr = this.#skipped % 2 === 1;
      if (followsCr && byte !== LF) return refusal(400, "a carriage return without its line feed");
      if (!followsCr && byte !== CR) return null;
      this.#skipped += 1;
      this.#at += 1;
    }
    return null;
  }

  #head(): ReadEvent<H> | null {
    if (this.#at === this.#bytes.length) return null;
    const before = this.#section.length;
    const section = this.#section.take(this.#bytes, this.#at);
    if (section === null) this.#at = this.#bytes.length;
    if (!Buffer.isBuffer(section)) return section;
    this.#at += section.length - before;
    this.#skipped = 0;
    const event = this.#grammar.read(section);
    if (event.kind === "head") this.#enter(event.head.framing);
    return event;
  }

  #enter(framing: Framing): void {
    this.#left = framing.kind === "length" ? framing.length : 0;
    if (framing.kind === "chunked") this.#chunks = new Chunks(this.#limits);
    const isBodiless = framing.kind === "none" || (framing.kind === "length" && framing.length === 0);
    this.#state = isBodiless ? "ending" : framing.kind;
  }

  #plain(length: number): ReadEvent<H> {
    const wire = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    if (this.#state === "length") {
      this.#left -= length;
      if (this.#left === 0) this.#state = "ending";
    }
    return { kind: "body", wire, data: [wire] };
  }

  #chunk(): ReadEvent<H> | null {
    const event = this.#chunks.read(this.#bytes, this.#at);
    this.#at = this.#chunks.to;
    if (event?.kind === "end") this.#state = "head";
    return event;
  }

  /** An idle connection keeps no memory of what it read. */
  #release(): void {
    this.#bytes = EMPTY;
    this.#at = 0;
  }
}
