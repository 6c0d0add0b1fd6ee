import type { Buffer } from "node:buffer";
import { type CaptureEvent, type ExchangeEnded, MESSAGE_KINDS, SIDES } from "../../../src/engine/capture/event.ts";
import { TAGS, type Tag } from "../../../src/engine/model/exchange.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { WAITED_FOR } from "../../../src/engine/model/wait.ts";
import { ANSWERED, type Batch, BODY, ENDED, MESSAGE, OTHER, STARTED } from "./batch.ts";
import { BatchRooms, newBytes, newFigures } from "./batch-rooms.ts";

/** The most figures that one event has, with every tag there is. */
const MOST_FIGURES = 36;

/** Packs events as they come, in rooms that are used again once nobody reads them any more. */
export class BatchWriter {
  readonly #rooms = new BatchRooms();
  #figures: Float64Array<SharedArrayBuffer>;
  #figureCount = 0;
  #words: string[] = [];
  #places = new Map<string, number>();
  #bytes: Buffer<SharedArrayBuffer>;
  #byteCount = 0;
  #others: CaptureEvent[] = [];
  #count = 0;

  constructor() {
    const { figures, bytes } = this.#rooms.take();
    this.#figures = figures;
    this.#bytes = bytes;
  }

  /** Events added since the last `take`. */
  get count(): number {
    return this.#count;
  }

  /** Of heads, bodies and messages among them. */
  get bytes(): number {
    return this.#byteCount;
  }

  add(event: CaptureEvent): void {
    this.#count += 1;
    if (this.#figureCount + MOST_FIGURES > this.#figures.length) this.#growFigures();
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

  /** Everything added, and begins anew. */
  take(): Batch {
    const batch = {
      figures: this.#figures.subarray(0, this.#figureCount),
      words: this.#words,
      bytes: new Uint8Array(this.#bytes.buffer, 0, this.#byteCount),
      others: this.#others,
    };
    const { figures, bytes } = this.#rooms.take();
    this.#figures = figures;
    this.#bytes = bytes;
    this.#figureCount = 0;
    this.#byteCount = 0;
    this.#count = 0;
    this.#words = [];
    this.#places = new Map();
    this.#others = [];
    return batch;
  }

  /** Nobody reads that batch any more, nor a view of it: its room may be packed anew. */
  giveBack(batch: Batch): void {
    this.#rooms.giveBack(batch);
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
    this.#putTags(event.tags);
  }

  #put(kind: number, id: ExchangeId, figure: number): void {
    this.#figures[this.#figureCount] = kind;
    this.#figures[this.#figureCount + 1] = id;
    this.#figures[this.#figureCount + 2] = figure;
    this.#figureCount += 3;
  }

  #figure(value: number | null): void {
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

  /** What came from the wire is latin1. As text it would live on among the objects that V8 moves, until it is on disk. */
  #putText(text: string): void {
    const at = this.#roomFor(text.length);
    this.#bytes.write(text, at, "latin1");
  }

  #putBytes(bytes: Uint8Array): void {
    const at = this.#roomFor(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** Where so many bytes may be put. */
  #roomFor(length: number): number {
    this.#figure(length);
    const at = this.#byteCount;
    this.#byteCount += length;
    if (this.#byteCount > this.#bytes.length) {
      const larger = newBytes(Math.max(this.#byteCount, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, at);
      this.#bytes = larger;
    }
    return at;
  }

  #growFigures(): void {
    const larger = newFigures(2 * this.#figures.length);
    larger.set(this.#figures);
    this.#figures = larger;
  }
}
