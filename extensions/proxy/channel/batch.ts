import { Buffer } from "node:buffer";
import type { CaptureEvent, ExchangeEnded, MessageCaptured } from "../../../src/engine/capture/event.ts";
import { TAGS, type Tag } from "../../../src/engine/model/exchange.ts";
import type { Instants } from "../../../src/engine/model/phases.ts";
import type { ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { WAITED_FOR } from "../../../src/engine/model/wait.ts";

/**
 * Events on their way between the threads, packed: a structured clone of the objects themselves writes and reads the name
 * of every property of every event, and costs three times as much on either side.
 */
export interface Batch {
  /** Of every event its kind and its figures, in order; NaN = `null`. */
  readonly figures: Float64Array<SharedArrayBuffer>;
  /** The short texts that many events share, each once; figures say which. */
  readonly words: readonly string[];
  /** Heads, targets, bodies and messages, one after the other. */
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  /** Events of rare kinds, as they are. */
  readonly others: readonly CaptureEvent[];
}

/** What an event is packed as. */
const OTHER = 0;
const STARTED = 1;
const ANSWERED = 2;
const BODY = 3;
const MESSAGE = 4;
const ENDED = 5;

const SIDES = ["request", "response"] as const;
const KINDS = [
  "text",
  "binary",
  "ping",
  "pong",
  "close",
  "event",
] as const satisfies readonly MessageCaptured["kind"][];
const NO_TAGS: readonly Tag[] = Object.freeze([]);

/** Our choice: what a room begins with. */
const ROOM = { figures: 16 * 1024, bytes: 256 * 1024 };
/** Our choice: a room that grew beyond this is not used again. */
const LARGEST_ROOM = 1024 * 1024;
/** Our choice: so many rooms wait to be used again; under load some dozen batches are on their way to the disk. */
const MOST_ROOMS = 16;
/** The most figures that one event has, with every tag there is. */
const MOST_FIGURES = 36;

/** Where a batch is packed: memory that both threads see. To be given new memory costs more than to fill it. */
interface Room {
  readonly figures: SharedArrayBuffer;
  readonly bytes: SharedArrayBuffer;
}

/** Packs events as they come, in rooms that are used again once nobody reads them any more. */
export class BatchWriter {
  readonly #rooms: Room[] = [];
  #figures = new Float64Array(newFigures(ROOM.figures));
  #figureCount = 0;
  #words: string[] = [];
  #places = new Map<string, number>();
  #bytes = Buffer.from(new SharedArrayBuffer(ROOM.bytes));
  #byteCount = 0;
  #others: CaptureEvent[] = [];
  #count = 0;

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
        this.#figure(KINDS.indexOf(event.kind));
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
    const room = this.#rooms.pop();
    this.#figures = new Float64Array(room?.figures ?? newFigures(ROOM.figures));
    this.#bytes = Buffer.from(room?.bytes ?? new SharedArrayBuffer(ROOM.bytes));
    this.#figureCount = 0;
    this.#byteCount = 0;
    this.#count = 0;
    this.#words = [];
    this.#places = new Map();
    this.#others = [];
    return batch;
  }

  /** Nobody reads that batch any more, nor a view of it: its room may be packed anew. */
  giveBack({ figures, bytes }: Batch): void {
    const room = { figures: figures.buffer, bytes: bytes.buffer };
    const isLarge = room.figures.byteLength > LARGEST_ROOM || room.bytes.byteLength > LARGEST_ROOM;
    if (!isLarge && this.#rooms.length < MOST_ROOMS) this.#rooms.push(room);
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
      const larger = Buffer.from(new SharedArrayBuffer(Math.max(this.#byteCount, 2 * this.#bytes.length)));
      this.#bytes.copy(larger, 0, 0, at);
      this.#bytes = larger;
    }
    return at;
  }

  #growFigures(): void {
    const larger = new Float64Array(newFigures(2 * this.#figures.length));
    larger.set(this.#figures);
    this.#figures = larger;
  }
}

function newFigures(count: number): SharedArrayBuffer {
  return new SharedArrayBuffer(count * Float64Array.BYTES_PER_ELEMENT);
}

/**
 * The events of a batch, in order. Bodies and messages are views of the batch's memory, which is used again once the batch
 * is on disk: who keeps them longer copies them.
 */
export function eventsOf(batch: Batch): CaptureEvent[] {
  const reading = new Reading(batch);
  const events: CaptureEvent[] = [];
  while (reading.hasMore) events.push(reading.event());
  return events;
}

class Reading {
  readonly #batch: Batch;
  readonly #memory: Buffer;
  #figure = 0;
  #byte = 0;
  #other = 0;

  constructor(batch: Batch) {
    this.#batch = batch;
    this.#memory = Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength);
  }

  get hasMore(): boolean {
    return this.#figure < this.#batch.figures.length;
  }

  event(): CaptureEvent {
    switch (this.#next()) {
      case STARTED:
        return {
          type: "request-started",
          id: this.#id(),
          at: this.#instant(),
          method: this.#word(),
          origin: this.#word(),
          clientAddress: this.#word(),
          protocol: this.#word(),
          clientConnection: this.#orNull(),
          clientStream: this.#orNull(),
          target: this.#text(),
          head: this.#text(),
          tags: this.#tags(),
        };
      case ANSWERED:
        return {
          type: "response-started",
          id: this.#id(),
          at: this.#instant(),
          status: this.#next(),
          head: this.#text(),
        };
      case BODY:
        return { type: "body-captured", id: this.#id(), side: this.#side(), bytes: this.#bytes() };
      case MESSAGE:
        return {
          type: "message-captured",
          id: this.#id(),
          at: this.#instant(),
          side: this.#side(),
          kind: KINDS[this.#next()] ?? "binary",
          size: this.#next(),
          cut: this.#next() === 1,
          bytes: this.#bytes(),
        };
      case ENDED:
        return this.#ended();
      default: {
        const other = this.#batch.others[this.#other] as CaptureEvent;
        this.#other += 1;
        return other;
      }
    }
  }

  #ended(): ExchangeEnded {
    return {
      type: "exchange-ended",
      id: this.#id(),
      at: this.#instant(),
      instants: this.#instants(),
      outcome: { kind: "responded", status: this.#next() },
      requestBodySize: this.#next(),
      encodedBodySize: this.#next(),
      connection: this.#orNull(),
      reused: YES_OR_NO[this.#next()] ?? null,
      stream: this.#orNull(),
      waitedFor: WAITED_FOR[this.#next()] ?? null,
      tags: this.#tags(),
    };
  }

  #instants(): Instants {
    return {
      startTime: this.#instant(),
      headReceived: this.#instantOrNull(),
      domainLookupStart: this.#instantOrNull(),
      domainLookupEnd: this.#instantOrNull(),
      connectStart: this.#instantOrNull(),
      secureConnectionStart: this.#instantOrNull(),
      connectEnd: this.#instantOrNull(),
      requestStart: this.#instantOrNull(),
      requestEnd: this.#instantOrNull(),
      responseStart: this.#instantOrNull(),
      responseForwarded: this.#instantOrNull(),
      responseEnd: this.#instantOrNull(),
    };
  }

  #next(): number {
    const figure = this.#batch.figures[this.#figure] ?? Number.NaN;
    this.#figure += 1;
    return figure;
  }

  #orNull(): number | null {
    const figure = this.#next();
    return Number.isNaN(figure) ? null : figure;
  }

  #id(): ExchangeId {
    return this.#next() as ExchangeId;
  }

  #instant(): Instant {
    return this.#next() as Instant;
  }

  #instantOrNull(): Instant | null {
    return this.#orNull() as Instant | null;
  }

  #side(): "request" | "response" {
    return SIDES[this.#next()] ?? "response";
  }

  #word(): string {
    return this.#batch.words[this.#next()] ?? "";
  }

  #text(): string {
    const from = this.#byte;
    this.#byte += this.#next();
    return this.#memory.toString("latin1", from, this.#byte);
  }

  #bytes(): Uint8Array {
    const from = this.#byte;
    this.#byte += this.#next();
    return this.#batch.bytes.subarray(from, this.#byte);
  }

  #tags(): readonly Tag[] {
    const count = this.#next();
    if (count === 0) return NO_TAGS;
    return Array.from({ length: count }, () => TAGS[this.#next()]).filter((tag) => tag !== undefined);
  }
}

const YES_OR_NO: Readonly<Record<number, boolean>> = { 0: false, 1: true };
