import { Buffer } from "node:buffer";
import { type CaptureEvent, type ExchangeEnded, MESSAGE_KINDS, SIDES } from "../../../src/engine/capture/event.ts";
import { TAGS, type Tag } from "../../../src/engine/model/exchange.ts";
import type { Bytes, ExchangeId } from "../../../src/engine/model/units.ts";
import { WAITED_FOR } from "../../../src/engine/model/wait.ts";
import { ANSWERED, type Batch, BODY, ENDED, MESSAGE, OTHER, STARTED } from "./batch.ts";

/** The initial size of the buffer for figures, and of the buffer for bytes. */
const FIGURES = 16 * 1024;
export const BUFFER_BYTES: Bytes = 512 * 1024;

/** Packs events as they are emitted. */
export class BatchWriter {
  #figures = new Float64Array(FIGURES);
  #figureCount = 0;
  #words: string[] = [];
  #places = new Map<string, number>();
  #bytes = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #byteCount = 0;
  #others: CaptureEvent[] = [];
  #count = 0;

  /** The number of events added since the last `finish`. */
  get count(): number {
    return this.#count;
  }

  /** Bytes of the heads, targets, bodies and messages added since the last `finish`. */
  get bytes(): number {
    return this.#byteCount;
  }

  add(event: CaptureEvent): void {
    this.#count += 1;
    switch (event.type) {
      case "request-started":
        this.#put(STARTED, event.id, event.at);
        this.#putWord(event.method);
        this.#putWord(event.origin);
        this.#putWord(event.clientAddress);
        this.#putWord(event.protocol);
        this.#figure(event.clientConnection);
        this.#figure(event.clientStream);
        this.#putText(event.target);
        this.#putText(event.head);
        return this.#putTags(event.tags);
      case "response-started":
        this.#put(ANSWERED, event.id, event.at);
        this.#figure(event.status);
        return this.#putText(event.head);
      case "body-captured":
        this.#put(BODY, event.id, SIDES.indexOf(event.side));
        return this.#putBytes(event.bytes);
      case "message-captured":
        this.#put(MESSAGE, event.id, event.at);
        this.#figure(SIDES.indexOf(event.side));
        this.#figure(MESSAGE_KINDS.indexOf(event.kind));
        this.#figure(event.size);
        this.#figure(event.cut ? 1 : 0);
        return this.#putBytes(event.bytes);
      case "exchange-ended":
        if (event.outcome.kind === "failed") break;
        return this.#putEnded(event, event.outcome.status);
    }
    this.#figure(OTHER);
    this.#others.push(event);
  }

  /** Returns a batch of all events added, and starts a new one. */
  finish(): Batch {
    const batch = {
      figures: this.#figures.slice(0, this.#figureCount),
      words: this.#words,
      bytes: new Uint8Array(this.#bytes.subarray(0, this.#byteCount)),
      others: this.#others,
    };
    this.#figureCount = 0;
    this.#byteCount = 0;
    this.#count = 0;
    this.#words = [];
    this.#places = new Map();
    this.#others = [];
    return batch;
  }

  #putEnded(event: ExchangeEnded, status: number): void {
    this.#put(ENDED, event.id, event.at);
    const { instants, reused, waitedFor } = event;
    this.#figure(instants.startTime);
    this.#figure(instants.headReceived);
    this.#figure(instants.domainLookupStart);
    this.#figure(instants.domainLookupEnd);
    this.#figure(instants.connectStart);
    this.#figure(instants.secureConnectionStart);
    this.#figure(instants.connectEnd);
    this.#figure(instants.requestStart);
    this.#figure(instants.requestEnd);
    this.#figure(instants.responseStart);
    this.#figure(instants.responseForwarded);
    this.#figure(instants.responseEnd);
    this.#figure(status);
    this.#figure(event.requestBodySize);
    this.#figure(event.encodedBodySize);
    this.#figure(event.connection);
    this.#figure(reused === null ? null : Number(reused));
    this.#figure(event.stream);
    this.#figure(waitedFor === null ? null : WAITED_FOR.indexOf(waitedFor));
    this.#figure(event.uncertainty);
    this.#putTags(event.tags);
  }

  #put(kind: number, id: ExchangeId, figure: number): void {
    this.#figure(kind);
    this.#figure(id);
    this.#figure(figure);
  }

  #figure(value: number | null): void {
    if (this.#figureCount === this.#figures.length) this.#growFigures();
    this.#figures[this.#figureCount] = value === null ? Number.NaN : value;
    this.#figureCount += 1;
  }

  #putTags(tags: readonly Tag[]): void {
    this.#figure(tags.length);
    for (const tag of tags) this.#figure(TAGS.indexOf(tag));
  }

  #putWord(word: string): void {
    let place = this.#places.get(word);
    if (place === undefined) {
      place = this.#words.push(word) - 1;
      this.#places.set(word, place);
    }
    this.#figure(place);
  }

  /**
   * Stores a text as latin1 bytes, outside V8's heap. A string would stay on the heap until its batch is on disk, and
   * garbage collections would copy it.
   */
  #putText(text: string): void {
    const at = this.#roomFor(text.length);
    this.#bytes.write(text, at, "latin1");
  }

  #putBytes(bytes: Uint8Array): void {
    const at = this.#roomFor(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** Reserves `length` bytes and returns their offset. */
  #roomFor(length: number): number {
    this.#figure(length);
    const at = this.#byteCount;
    this.#byteCount += length;
    if (this.#byteCount > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.#byteCount, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, at);
      this.#bytes = larger;
    }
    return at;
  }

  #growFigures(): void {
    const larger = new Float64Array(2 * this.#figures.length);
    larger.set(this.#figures);
    this.#figures = larger;
  }
}
