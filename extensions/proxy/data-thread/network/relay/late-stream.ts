import { headerOf } from "../../../../../src/engine/model/head.ts";
import type { Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";

/**
 * docs/specification.md, Streams: a longer pause than this between two pieces of a body marks the response as a stream.
 */
const LONGEST_PAUSE: Milliseconds = 1_000;

/** Detects, while a response arrives, that it is a stream. */
export interface LateStream {
  /** Returns whether these bytes of the body prove that the response is a stream. */
  feed(pieces: readonly Buffer[], at: Instant): boolean;
}

/** A detector, if the response may be a stream; else `null`. */
export function lateStreamOf(head: string, target: string): LateStream | null {
  const type = headerOf(head, "content-type") ?? "";
  if (GRPC_TEXT.test(type)) return new TextMessageCount();
  if (GRPC.test(type)) return new MessageCount();
  return RECORDS.test(type) || WATCH.test(target) || WATCH_TYPE.test(type) ? new PauseWatch() : null;
}

/** The media types of gRPC over HTTP/2 and of gRPC-Web. */
const GRPC = /^application\/grpc\b/i;

/** The media type of gRPC-Web in base64 (gRPC-Web, "Protocol differences vs gRPC over HTTP2"). */
const GRPC_TEXT = /^application\/grpc-web-text\b/i;

/** The media types of JSON records, one per line (NDJSON, JSON Lines) or each after a separator (RFC 7464). */
const RECORDS = /^(?:application|text)\/(?:x-)?(?:ndjson|json-?lines?|jsonl|json-seq)\b/i;

/**
 * Matches the target of a watch (Kubernetes API, "Efficient detection of changes"). Such a target has the older path,
 * or the parameter `watch` with a value that the server reads as true.
 */
const WATCH = /^\/apis?(?:\/[\w.-]{1,80}){1,2}\/watch\/|[?&]watch(?:=(?:1|t|true)?)?(?:&|$)/i;

/** The media type of a watch in the Kubernetes API. */
const WATCH_TYPE = /;[ \t]{0,8}stream=watch\b/i;

/** Detects a pause. Records sent as they occur have pauses between them; the records of a finished list do not. */
class PauseWatch implements LateStream {
  #latest: Instant | null = null;

  feed(pieces: readonly Buffer[], at: Instant): boolean {
    if (pieces.every(({ length }) => length === 0)) return false;
    const paused = this.#latest !== null && at - this.#latest > LONGEST_PAUSE;
    this.#latest = at;
    return paused;
  }
}

/**
 * Counts the messages of a gRPC response (gRPC over HTTP2, Length-Prefixed-Message). A call with one response message
 * has a latency; with two or more it is a stream.
 *
 *   flags (1 byte) │ length (4 bytes, big-endian) │ message │ flags │ …
 */
class MessageCount implements LateStream {
  #messages = 0;
  /** How many bytes of the message's prefix have arrived. */
  #prefix = 0;
  #flags = 0;
  #length = 0;
  /** How many bytes of the message have not arrived yet. */
  #rest = 0;

  feed(pieces: readonly Buffer[]): boolean {
    for (const piece of pieces) this.#takePiece(piece);
    return this.#messages > 1;
  }

  #takePiece(piece: Buffer): void {
    for (let at = 0; at < piece.length; ) {
      if (this.#rest > 0) {
        const skipped = Math.min(this.#rest, piece.length - at);
        this.#rest -= skipped;
        at += skipped;
        continue;
      }
      this.#takePrefix(piece[at] as number);
      at += 1;
    }
  }

  #takePrefix(byte: number): void {
    if (this.#prefix === 0) this.#flags = byte;
    else this.#length = this.#length * 256 + byte;
    this.#prefix += 1;
    if (this.#prefix < PREFIX) return;
    // gRPC-Web sends trailers as a message, which does not count.
    if ((this.#flags & TRAILERS) === 0) this.#messages += 1;
    this.#rest = this.#length;
    this.#prefix = 0;
    this.#length = 0;
  }
}

/** Counts the messages of a response in base64, in which each piece may end with padding. */
class TextMessageCount implements LateStream {
  readonly #messages = new MessageCount();
  /** Characters of an incomplete group. */
  #rest = "";

  feed(pieces: readonly Buffer[]): boolean {
    const text = this.#rest + Buffer.concat(pieces).toString("latin1").replaceAll(/\s+/g, "");
    const whole = text.length - (text.length % BASE64_GROUP);
    this.#rest = text.slice(whole);
    const padded = text.slice(0, whole).split(BEHIND_PADDING);
    return this.#messages.feed(padded.map((part) => Buffer.from(part, "base64")));
  }
}

/** The number of characters that are decoded together (RFC 4648, 4). */
const BASE64_GROUP = 4;
const BEHIND_PADDING = /(?<==)(?!=)/;

const PREFIX = 5;
const TRAILERS = 0x80;
