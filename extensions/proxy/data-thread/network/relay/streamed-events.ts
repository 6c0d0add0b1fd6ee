import { modelStreamFormOf } from "../../../../../src/engine/model/endpoint.ts";
import { headerOf, listOf } from "../../../../../src/engine/model/head.ts";
import type { Bytes, Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";
import { CODINGS, type Coding, codingsOf } from "../../../decoding/content-codings.ts";
import type { Decoder } from "../../../decoding/decoder-run.ts";
import type { Clock } from "../../../process/clock.ts";
import type { ResponseHead } from "../http1/message.ts";
import { PIECE_WEIGHT } from "../sockets/buffer-budget.ts";
import type { MessageMemory } from "../sockets/message-memory.ts";
import { READ_TURN } from "../sockets/read-turn.ts";
import { type EventForm, EventStream, MOST_SPLIT, type StreamedEvent } from "./event-stream.ts";
import type { ExchangeEmitter } from "./exchange-emitter.ts";

/** Letter case has no meaning in media types (RFC 9110, 8.3.1). */
function isEventStream(head: string): boolean {
  return /^text\/event-stream(?![^;\s])/i.test(headerOf(head, "content-type") ?? "");
}

/** The form of the events that follow this head; `null` if it is not that of a stream with events. */
export function eventFormOf({ status, text }: Pick<ResponseHead, "status" | "text">, target: string): EventForm | null {
  if (isEventStream(text)) return "event-stream";
  return status === 200 ? modelStreamFormOf(target, headerOf(text, "content-type")) : null;
}

/** Receives the body of an event stream, in pieces of at most `most` bytes, and records its events. */
export interface EventSink {
  readonly most: Bytes;
  feed(piece: Buffer): void;
}

/** Returns what records the body's events; `null` if the exchange is not recorded or the coding is unknown. */
export function eventsInto(emitter: ExchangeEmitter, clock: Clock, head: string, form: EventForm): EventSink | null {
  if (emitter.id === null) return null;
  const emit = (event: StreamedEvent) =>
    emitter.message({ at: clock.now(), side: "response", kind: "event", ...event });
  const codings = codingsOf(listOf(head, "content-encoding"));
  if (codings.length === 0) {
    const stream = new EventStream(emitter.messageMemory, form);
    const feed = (piece: Buffer) => {
      for (const event of stream.feed(piece)) emit(event);
    };
    return { most: MOST_SPLIT, feed };
  }
  const coding = CODINGS.get(codings.join(", "));
  if (coding === undefined) return null;
  const coded = new CodedEvents(coding, emitter.messageMemory, emit, form);
  emitter.decode(coded);
  return { most: Number.POSITIVE_INFINITY, feed: (piece) => coded.feed(piece) };
}

/** The most streams decoded at one time. Each decoder takes up to 16 MB. */
const MOST_STREAMS = 32;
/** The most bytes of one stream that wait for its decoder, with the overhead of each piece. */
const MOST_WAITING: Bytes = 1024 * 1024;
/**
 * docs/security.md L2: above this many decoded bytes, the decoded size may be at most `RATIO` times the encoded size.
 */
const RATIO_COUNTS_FROM: Bytes = 1024 * 1024;
const RATIO = 200;
/** The number of bytes that are needed to distinguish the two formats of deflate (RFC 1950, 2.2). */
const START: Bytes = 2;
/** Above this many events, a stream may have at most one event per encoded byte. */
const EVENTS_COUNT_FROM = 1_000;

/**
 * Decodes and emits the events of an encoded stream, on zlib's own threads. Above a limit, or if decoding fails, emits
 * no more events; the body still shows the received bytes.
 */
export class CodedEvents {
  static #open = 0;
  readonly #coding: Coding;
  readonly #emit: (event: StreamedEvent) => void;
  readonly #events: EventStream;
  #decoder: Decoder | null = null;
  /** Bytes that arrived before there were enough for a decoder. */
  #start = NOTHING;
  #isOver = false;
  #waiting: Bytes = 0;
  #encodedSize: Bytes = 0;
  #decodedSize: Bytes = 0;
  #emitted = 0;

  constructor(coding: Coding, memory: MessageMemory, emit: (event: StreamedEvent) => void, form?: EventForm) {
    this.#coding = coding;
    this.#events = new EventStream(memory, form);
    this.#emit = emit;
  }

  feed(bytes: Buffer): void {
    if (this.#isOver) return;
    this.#encodedSize += bytes.length;
    const received = Buffer.concat([this.#start, bytes]);
    if (received.length < START && this.#decoder === null) {
      this.#start = received;
      return;
    }
    this.#start = NOTHING;
    this.#decoder ??= this.#startDecoder(received);
    if (this.#decoder === null || this.#waiting > MOST_WAITING) return this.close();
    const weight = received.length + PIECE_WEIGHT;
    this.#waiting += weight;
    this.#decoder.write(received, () => {
      this.#waiting -= weight;
    });
  }

  /** Resolves once all received events were emitted. */
  async finish(): Promise<void> {
    const decoder = this.#decoder;
    if (this.#isOver || decoder === null) return;
    await new Promise<void>((resolve) => {
      decoder.on("end", resolve);
      decoder.on("close", resolve);
      decoder.end();
    });
    this.close();
  }

  close(): void {
    this.#isOver = true;
    this.#decoder?.destroy();
    this.#events.drop();
  }

  /** Starts a decoder; returns `null` if too many streams are being decoded. */
  #startDecoder(first: Buffer): Decoder | null {
    if (CodedEvents.#open >= MOST_STREAMS) return null;
    CodedEvents.#open += 1;
    const decoder = this.#coding(false, first);
    decoder.on("data", (part: Buffer) => this.#read(part));
    decoder.on("error", () => this.close());
    decoder.on("close", () => {
      CodedEvents.#open -= 1;
      this.close();
    });
    return decoder;
  }

  #read(part: Buffer): void {
    this.#decodedSize += part.length;
    if (this.#decodedSize > RATIO_COUNTS_FROM && this.#decodedSize > this.#encodedSize * RATIO) return this.close();
    this.#split(part);
  }

  /** Splits a decoded part in slices. Between them the decoder is paused, so that it neither goes on nor ends. */
  #split(part: Buffer): void {
    const slice = READ_TURN.slice();
    for (let from = 0; from < part.length && !this.#isOver; from += MOST_SPLIT) {
      if (slice.isOver) return this.#splitLater(part.subarray(from));
      for (const event of this.#events.feed(part.subarray(from, from + MOST_SPLIT))) {
        this.#emitted += 1;
        if (this.#emitted > EVENTS_COUNT_FROM && this.#emitted > this.#encodedSize) return this.close();
        this.#emit(event);
      }
    }
  }

  #splitLater(part: Buffer): void {
    this.#decoder?.pause();
    READ_TURN.later(() => {
      if (this.#isOver) return;
      this.#decoder?.resume();
      this.#split(part);
    });
  }
}

const NOTHING = Buffer.alloc(0);

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
    if (this.#prefix < PREFIX_LENGTH) return;
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

const PREFIX_LENGTH = 5;
const TRAILERS = 0x80;
