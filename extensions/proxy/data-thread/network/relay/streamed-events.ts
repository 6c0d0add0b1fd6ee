import { headerOf, listOf } from "../../../../../src/engine/model/head.ts";
import { modelStreamFormOf } from "../../../../../src/engine/model/model-api.ts";
import type { Bytes } from "../../../../../src/engine/model/units.ts";
import { CODINGS, type Coding, codingsOf } from "../../../decoding/body-coding.ts";
import type { Decoder } from "../../../decoding/decompression.ts";
import type { Clock } from "../../../process/clock.ts";
import type { ResponseHead } from "../http1/message.ts";
import { type MessageMemory, PIECE_WEIGHT } from "../sockets/held-budget.ts";
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

/**
 * Returns what records the body's events; `null` if the exchange is not recorded or the coding is unknown.
 */
export function eventsInto(emitter: ExchangeEmitter, clock: Clock, head: string, form: EventForm): EventSink | null {
  if (!emitter.isWanted) return null;
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
