import { Buffer } from "node:buffer";
import { Chunks } from "./chunks.ts";
import { CR, isToken, LF, withoutBlanks } from "./fields.ts";
import {
  type EndEvent,
  type Framing,
  type Head,
  type HeadEvent,
  type HeaderLine,
  type Limits,
  type ReadEvent,
  type Refusal,
  refusal,
} from "./message.ts";
import { type SectionGrammar, SectionReader } from "./section-reader.ts";

const EMPTY: Buffer = Buffer.alloc(0);
const END: EndEvent = Object.freeze({ kind: "end", wire: EMPTY });

/**
 * Parses messages from bytes fed in any pieces. Body bytes are never copied: events contain views of the bytes fed.
 *
 *   head ─▶ length | chunked | until-close ─▶ ending ─▶ head …      from each ─▶ refused, for good
 */
export class MessageReader<H extends Head> {
  readonly #mostEmptyLines: number;
  readonly #section: SectionReader<HeadEvent<H>>;
  readonly #chunks: Chunks;
  #state: "head" | "length" | "chunked" | "until-close" | "ending" | "refused" = "head";
  /** Bytes not used yet: `#bytes` from `#at` on, then `#waiting`. */
  #bytes = EMPTY;
  #at = 0;
  #waiting: Buffer[] = [];
  /** CR and LF bytes that were skipped before a start line. */
  #skipped = 0;
  /** How many bytes of a body with a length have not arrived yet. */
  #left = 0;

  /** `mostEmptyLines`: how many empty lines may come before a start line. */
  constructor(limits: Limits, mostEmptyLines: number, grammar: SectionGrammar<HeadEvent<H>>) {
    this.#mostEmptyLines = mostEmptyLines;
    this.#section = new SectionReader(limits.headSize, grammar);
    this.#chunks = new Chunks(limits, grammar.loose?.repairs ?? null);
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

  /** Removes and returns the bytes that belong to no message yet. */
  rest(): Buffer {
    const parts = [this.#section.drop(), this.#bytes.subarray(this.#at), ...this.#waiting].filter(
      ({ length }) => length > 0,
    );
    this.#release();
    this.#waiting = [];
    const [only = EMPTY] = parts;
    return parts.length > 1 ? Buffer.concat(parts) : only;
  }

  /** Whether `rest` would return any bytes. */
  get hasRest(): boolean {
    return this.#at < this.#bytes.length || this.#waiting.length > 0 || this.#section.isInside;
  }

  /** Whether the first byte of the next head was fed. Empty lines before the head do not count. */
  get started(): boolean {
    if (this.#state !== "head") return false;
    if (this.#section.isInside) return true;
    return [this.#bytes.subarray(this.#at), ...this.#waiting].some((bytes) =>
      bytes.some((byte) => byte !== CR && byte !== LF),
    );
  }

  /**
   * Declares that the input has ended; call this after `next` returned `null`. `complete`: the message is whole, and
   * `next` returns its `end`; `truncated`: bytes of it are missing; `between`: no byte of a message has arrived.
   */
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

  /** Parses up to the next event. Call this only if there are bytes; at least one is used. */
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

  /** Skips empty lines before a start line (RFC 9112, 2.2). They may come in several pieces. */
  #skipEmptyLines(): Refusal | null {
    if (this.#section.isInside) return null;
    while (this.#at < this.#bytes.length && this.#skipped < 2 * this.#mostEmptyLines) {
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
    const event = this.#section.feed(this.#bytes, this.#at);
    this.#at = this.#section.to;
    if (event?.kind === "head") this.#enter(event.head.framing);
    return event;
  }

  #enter(framing: Framing): void {
    this.#skipped = 0;
    this.#left = framing.kind === "length" ? framing.length : 0;
    this.#state = framing.kind === "none" || isEmpty(framing) ? "ending" : framing.kind;
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

  /** Frees the buffers, so that an idle connection has none. */
  #release(): void {
    this.#bytes = EMPTY;
    this.#at = 0;
  }
}

const NONE: Framing = Object.freeze({ kind: "none" });
const CHUNKED: Framing = Object.freeze({ kind: "chunked" });
const UNTIL_CLOSE: Framing = Object.freeze({ kind: "until-close" });

type Version = "1.0" | "1.1";
type Lines = readonly HeaderLine[];

/** The framing of a request (RFC 9112, 6.3): without a declared length there is no body. */
export function requestFraming(method: string, version: Version, notable: Lines): Framing | Refusal {
  const declared = declaredFraming(version, notable) ?? NONE;
  if (method !== "CONNECT" || declared.kind === "refused") return declared;
  // RFC 9110, 9.3.6: bytes after CONNECT belong to the tunnel.
  return isEmpty(declared) ? NONE : refusal(400, "a CONNECT request with a body");
}

/**
 * The framing of a response to `method` (RFC 9112, 6.3): without a declared length the body ends with the connection. A
 * success of CONNECT has none, whatever it declares (RFC 9110, 9.3.6); of its failures, Weir reads no body.
 */
export function responseFraming(method: string, status: number, version: Version, notable: Lines): Framing | Refusal {
  const isFinalToConnect = method === "CONNECT" && status >= 200;
  if (isFinalToConnect && status < 300) return NONE;
  const declared = declaredFraming(version, notable) ?? UNTIL_CLOSE;
  if (declared.kind === "refused") return isFinalToConnect ? UNTIL_CLOSE : declared;
  if (status < 200) return mayBeInterim(declared) ? NONE : refusal(400, `a body declared on a ${status} response`);
  return method === "HEAD" || status === 204 || status === 304 ? NONE : declared;
}

/**
 * The framing that Content-Length and Transfer-Encoding declare; `null` without either. Refuses what parsers may read
 * differently.
 */
function declaredFraming(version: Version, notable: Lines): Framing | Refusal | null {
  let length: string | null = null;
  let coding: string | null = null;
  for (const { name, value, raw } of notable) {
    if (name === "content-length") {
      if (length !== null) return refusal(400, "more than one Content-Length");
      length = value;
    }
    if (name === "transfer-encoding") {
      if (coding !== null) return refusal(400, "more than one Transfer-Encoding");
      // Refused although RFC 9110, 5.6.3, allows it: llhttp reads the tab as part of the coding's name. Such
      // differences between parsers make smuggling possible.
      if (raw.includes("\t")) return refusal(400, "a Transfer-Encoding with a tab");
      coding = value;
    }
  }
  if (coding === null) return length === null ? null : lengthFraming(length);
  if (length !== null) return refusal(400, "Content-Length together with Transfer-Encoding"); // RFC 9112, 6.3, 3
  if (version === "1.0") return refusal(400, "Transfer-Encoding in HTTP/1.0"); // RFC 9112, 6.1
  return codingFraming(coding);
}

function lengthFraming(value: string): Framing | Refusal {
  if (!/^\d+$/.test(value)) return refusal(400, "a Content-Length that is not one number");
  const length = Number(value);
  if (!Number.isSafeInteger(length)) return refusal(400, "a Content-Length that is too large");
  return { kind: "length", length };
}

function codingFraming(value: string): Framing | Refusal {
  const lower = value.toLowerCase();
  if (lower === "chunked") return CHUNKED;
  const codings = lower.split(",").map(withoutBlanks);
  if (!codings.every(isToken)) return refusal(400, "a Transfer-Encoding that is not a list of codings");
  if (codings.slice(0, -1).includes("chunked"))
    return refusal(400, "a Transfer-Encoding with chunked before the last coding");
  return refusal(501, "a transfer coding other than chunked"); // RFC 9112, 6.1
}

export function isEmpty(framing: Framing): boolean {
  return framing.kind === "none" || (framing.kind === "length" && framing.length === 0);
}

/**
 * Whether an interim response may have this framing: none declared, or the `Content-Length: 0` that some servers send
 * with a 101.
 */
function mayBeInterim(framing: Framing): boolean {
  return framing.kind === "until-close" || isEmpty(framing);
}
