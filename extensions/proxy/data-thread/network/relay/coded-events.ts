import type { Bytes } from "../../../../../src/engine/model/units.ts";
import type { Coding } from "../../../decoding/body-coding.ts";
import type { Decoder } from "../../../decoding/decompression.ts";
import { PIECE_WEIGHT } from "../sockets/held-budget.ts";
import type { MessageMemory } from "../sockets/message-memory.ts";
import { READ_TURN } from "../sockets/read-turn.ts";
import { type EventForm, EventStream, MOST_SPLIT, type StreamedEvent } from "./event-stream.ts";

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
