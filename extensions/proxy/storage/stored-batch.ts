import { constants as coding, crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { BodyCaptured, CaptureEvent, RequestStarted, ResponseStarted } from "../../../src/engine/capture/event.ts";
import { InFlight } from "../../../src/engine/capture/exchange-folder.ts";
import { STORED_HEAD, storedHead } from "../../../src/engine/model/head.ts";
import type { Bytes, ExchangeId } from "../../../src/engine/model/units.ts";
import { type Batch, BatchWriter, eventsOf } from "../event-codec/event-batch.ts";
import type { Lost } from "./store-status.ts";

/*
 * A stored batch is a log, and the bytes of its bodies and messages:
 *
 *   log    Zstandard frame (RFC 8878) of: length of the figures │ figures │ length of the texts │ texts │ words as JSON
 *   bytes  as captured, with a CRC-32
 *
 * Heads compress to a twentieth; most bodies are already compressed. The frame has a checksum.
 */

/** Level 1. Higher levels do not shrink heads further. */
const PARAMETERS = { [coding.ZSTD_c_compressionLevel]: 1, [coding.ZSTD_c_checksumFlag]: 1 };

/** The most bytes of a decompressed log. Batches of the largest heads are far smaller. */
const LARGEST: Bytes = 256 * 1024 * 1024;

const LENGTH: Bytes = 4;

export function logOf({ figures, texts, words }: Batch): Buffer {
  const numbers = Buffer.from(figures.buffer, figures.byteOffset, figures.byteLength);
  const parts = [
    lengthBytes(numbers.length),
    numbers,
    lengthBytes(texts.length),
    texts,
    Buffer.from(JSON.stringify(words)),
  ];
  return zstdCompressSync(Buffer.concat(parts), { params: PARAMETERS });
}

/**
 * Decodes a log. Bodies and messages in its events have their length and their offset in the batch's bytes, and their
 * content only if these `bytes` are given. `size`: the number of these bytes. Throws if the log is damaged.
 */
export function storedEvents(frame: Uint8Array, size: Bytes, bytes: Uint8Array | null = null): readonly CaptureEvent[] {
  const log = zstdDecompressSync(frame, { maxOutputLength: LARGEST });
  const figuresEnd = LENGTH + log.readUInt32LE(0);
  const textsEnd = figuresEnd + LENGTH + log.readUInt32LE(figuresEnd);
  return eventsOf({
    figures: new Float64Array(new Uint8Array(log.subarray(LENGTH, figuresEnd)).buffer),
    texts: new Uint8Array(log.subarray(figuresEnd + LENGTH, textsEnd)),
    words: JSON.parse(log.toString("utf8", textsEnd)) as readonly string[],
    bytes: bytes === null ? new Uint8Array(size) : new Uint8Array(bytes), // untouched zeros take no memory
  });
}

export function eventsByExchange(events: readonly CaptureEvent[]): ReadonlyMap<ExchangeId, readonly ExchangeEvent[]> {
  const found = new Map<ExchangeId, ExchangeEvent[]>();
  for (const event of events) {
    if (!isOfExchange(event)) continue;
    const known = found.get(event.id);
    if (known === undefined) found.set(event.id, [event]);
    else known.push(event);
  }
  return found;
}

export type ExchangeEvent = Extract<
  CaptureEvent,
  {
    type:
      | "request-started"
      | "unit-joined"
      | "response-started"
      | "response-held"
      | "body-captured"
      | "message-captured"
      | "exchange-ended";
  }
>;

export function isOfExchange(event: CaptureEvent): event is ExchangeEvent {
  switch (event.type) {
    case "request-started":
    case "unit-joined":
    case "response-started":
    case "response-held":
    case "body-captured":
    case "message-captured":
    case "exchange-ended":
      return true;
    default:
      return false;
  }
}

function lengthBytes(length: number): Buffer {
  const bytes = Buffer.alloc(LENGTH);
  bytes.writeUInt32LE(length);
  return bytes;
}

/**
 * With more events or bytes, a batch ends. To read one head, the whole log of its batch is decoded, and to read one
 * body, all its bytes.
 */
const MOST_EVENTS = 1_000;
const MOST_BYTES: Bytes = 512 * 1024;

/**
 * The most bytes of logs, and of bodies and messages, that wait while the disk cannot be written. The oldest are
 * dropped.
 */
const MOST_WAITING: Bytes = 32 * 1024 * 1024;

export interface OpenExchange {
  readonly started: RequestStarted;
  answered: ResponseStarted | null;
  /** The index of its next message. */
  messages: number;
}

/** A packed batch that is not on disk yet. */
export interface WaitingBatch {
  readonly log: Buffer;
  readonly size: Bytes;
  /** `null`: dropped. */
  bytes: Uint8Array | null;
  readonly checksum: number;
  /** For each exchange with events in the batch, the index of its first message there; `null` if it has none. */
  readonly parts: Map<ExchangeId, number | null>;
  readonly begun: readonly ExchangeId[];
  readonly messages: ReadonlyMap<ExchangeId, number>;
  /** The bodies with bytes in the batch: the exchange and the side. */
  readonly bodies: ReadonlySet<string>;
}

/** Packs a session's events into batches, which wait to be written. */
export class BatchPacker {
  readonly #open = new InFlight<OpenExchange>();
  readonly #writer = new BatchWriter();
  #parts = new Map<ExchangeId, number | null>();
  #begun: ExchangeId[] = [];
  #messages = new Map<ExchangeId, number>();
  #bodies = new Set<string>();
  #waiting: WaitingBatch[] = [];
  #exchanges = 0;
  #lostExchanges = 0;
  #lostMessages = 0;
  readonly #lostBodies = new Set<string>();

  /** Exchanges that began in this session. */
  get exchanges(): number {
    return this.#exchanges;
  }

  get lost(): Lost {
    return { exchanges: this.#lostExchanges, messages: this.#lostMessages, bodies: this.#lostBodies.size };
  }

  get isEmpty(): boolean {
    return this.#writer.count === 0 && this.#waiting.length === 0;
  }

  get waitingBytes(): Bytes {
    return this.#waiting.reduce((sum, { log, bytes }) => sum + log.length + (bytes?.length ?? 0), this.#writer.bytes);
  }

  /** The batches to be written, oldest first. */
  waiting(): readonly WaitingBatch[] {
    this.#pack();
    return this.#waiting;
  }

  /** Called when all waiting batches are on disk. */
  clear(): void {
    this.#waiting = [];
  }

  add(event: CaptureEvent): void {
    if (isOfExchange(event)) this.#addOfExchange(event);
    else this.#put(event);
  }

  /** Continues with exchanges that were stored before: those in flight, and the number of all. */
  continueWith(open: ReadonlyMap<ExchangeId, OpenExchange>, exchanges: number): void {
    for (const [id, exchange] of open) this.#open.set(id, exchange);
    this.#exchanges = exchanges;
  }

  /** Adds the starts of exchanges in flight again if the batches with them are deleted. */
  addStartsAgain(isDeleted: (id: ExchangeId) => boolean): void {
    for (const { started, answered } of this.#open.values()) {
      if (!isDeleted(started.id)) continue;
      this.#touch(started.id);
      this.#put(started);
      if (answered !== null) this.#put(answered);
    }
  }

  /** Counts all exchanges that ended and were stored as lost, because the user deleted them. */
  loseStored(): void {
    const waiting = new Set(this.#waiting.flatMap(({ begun }) => begun));
    this.#lostExchanges =
      this.#exchanges - new Set([...waiting, ...[...this.#open.values()].map((one) => one.started.id)]).size;
    this.addStartsAgain((id) => !waiting.has(id));
  }

  /** Drops the oldest bodies and messages, and the oldest batches, beyond `MOST_WAITING`. */
  dropOldest(): void {
    let bytes = this.#waiting.reduce((sum, batch) => sum + (batch.bytes?.length ?? 0), 0);
    for (const batch of this.#waiting) {
      if (bytes <= MOST_WAITING) break;
      bytes -= batch.bytes?.length ?? 0;
      this.#loseBytes(batch);
    }
    let logs = this.#waiting.reduce((sum, { log }) => sum + log.length, 0);
    while (logs > MOST_WAITING) {
      const batch = this.#waiting.shift();
      if (batch === undefined) break;
      logs -= batch.log.length;
      this.#lose(batch);
    }
  }

  #addOfExchange(event: ExchangeEvent): void {
    if (event.type === "request-started") {
      this.#exchanges += 1;
      const started = withStoredHead(event);
      this.#open.set(event.id, { started, answered: null, messages: 0 });
      this.#begun.push(event.id);
      this.#touch(event.id);
      this.#put(started);
      return;
    }
    const exchange = this.#open.get(event.id);
    if (exchange === null) return; // the exchange began in an earlier session
    this.#touch(event.id);
    switch (event.type) {
      case "response-started":
        exchange.answered = withStoredHead(event);
        this.#put(exchange.answered);
        return;
      case "message-captured":
        if (this.#parts.get(event.id) == null) this.#parts.set(event.id, exchange.messages);
        exchange.messages += 1;
        this.#messages.set(event.id, (this.#messages.get(event.id) ?? 0) + 1);
        break;
      case "body-captured":
        return this.#addBody(event);
      case "exchange-ended":
        this.#open.delete(event.id);
    }
    this.#put(event);
  }

  /** Splits a body above `MOST_BYTES`, since all bytes of a batch are read at once. */
  #addBody(event: BodyCaptured): void {
    for (let from = 0; from === 0 || from < event.bytes.length; from += MOST_BYTES) {
      const bytes = event.bytes.subarray(from, from + MOST_BYTES);
      this.#touch(event.id);
      if (bytes.length > 0) this.#bodies.add(`${event.id} ${event.side}`);
      this.#put(bytes.length === event.bytes.length ? event : { ...event, bytes });
    }
  }

  #touch(id: ExchangeId): void {
    if (!this.#parts.has(id)) this.#parts.set(id, null);
  }

  #put(event: CaptureEvent): void {
    this.#writer.add(event);
    if (this.#writer.count >= MOST_EVENTS || this.#writer.bytes >= MOST_BYTES) this.#pack();
  }

  #pack(): void {
    if (this.#writer.count === 0) return;
    const batch = this.#writer.finish();
    this.#waiting.push({
      log: logOf(batch),
      size: batch.bytes.length,
      bytes: batch.bytes,
      checksum: crc32(batch.bytes),
      parts: this.#parts,
      begun: this.#begun,
      messages: this.#messages,
      bodies: this.#bodies,
    });
    this.#parts = new Map();
    this.#begun = [];
    this.#messages = new Map();
    this.#bodies = new Set();
  }

  #loseBytes(batch: WaitingBatch): void {
    if (batch.bytes === null) return;
    batch.bytes = null;
    for (const body of batch.bodies) this.#lostBodies.add(body);
    for (const count of batch.messages.values()) this.#lostMessages += count;
  }

  /** Drops a batch. Later messages take the numbers of the dropped ones, because lists have no gaps. */
  #lose(batch: WaitingBatch): void {
    const begun = new Set(batch.begun);
    this.#lostExchanges += batch.begun.filter((id) => this.#open.get(id) === null).length;
    if (batch.bytes !== null) for (const count of batch.messages.values()) this.#lostMessages += count;
    for (const body of batch.bodies) this.#lostBodies.add(body);
    for (const [id, count] of batch.messages) {
      for (const { parts } of this.#waiting) {
        const first = parts.get(id);
        if (first != null) parts.set(id, first - count);
      }
      const current = this.#parts.get(id);
      if (current != null) this.#parts.set(id, current - count);
      const exchange = this.#open.get(id);
      if (exchange !== null) exchange.messages -= count;
    }
    this.addStartsAgain((id) => begun.has(id));
  }
}

/** The event with its head as it is stored. Most heads are short, and need no copy. */
function withStoredHead<Event extends { readonly head: string }>(event: Event): Event {
  return event.head.length <= STORED_HEAD ? event : { ...event, head: storedHead(event.head) };
}
