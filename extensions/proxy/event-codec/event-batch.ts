import { Buffer } from "node:buffer";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import { RECORD } from "../../../src/engine/capture/record.ts";
import type { Outcome } from "../../../src/engine/model/exchange.ts";
import type { Fields, Packing } from "../../../src/engine/model/exchange-fields.ts";
import type { Bytes } from "../../../src/engine/model/units.ts";

/**
 * Packed events, for the other thread and for the disk. Cloning the events would cost three times as much, because the
 * property names of each event are written and read (docs/decisions.md, The engine thread).
 */
export interface Batch {
  /** For each event the place of its type in `RECORD`, then its figures in the order of its fields. NaN: `null`. */
  readonly figures: Float64Array<ArrayBuffer>;
  /** Texts that events share, each stored once; figures hold their places. */
  readonly words: readonly string[];
  /** Heads and targets, one after the other; figures hold their lengths. */
  readonly texts: Uint8Array<ArrayBuffer>;
  /** Pieces of bodies and messages, one after the other; figures hold their lengths. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The initial sizes of the buffers for figures, texts and bytes: most writers are given little. */
const FIGURES = 1024;
const FIRST_BYTES: Bytes = 16 * 1024;
/** The size to which the buffers of texts and bytes return after an unusually large batch. */
export const BUFFER_BYTES: Bytes = 512 * 1024;

type Put = (writer: BatchWriter, value: unknown) => void;
type Take = (reading: Reading) => unknown;
interface Codec {
  readonly put: Put;
  readonly take: Take;
}

const TYPES = Object.keys(RECORD) as readonly CaptureEvent["type"][];
const CODECS = TYPES.map((type) => fieldsCodec(RECORD[type], { type }));
const TYPE_INDEXES = new Map(TYPES.map((type, index) => [type, index]));

export class BatchWriter {
  #figures = new Float64Array(FIGURES);
  #figureCount = 0;
  #words: string[] = [];
  #wordIndexes = new Map<string, number>();
  readonly #texts = new Room();
  readonly #bytes = new Room();
  #count = 0;

  /** The number of events added since the last `finish`. */
  get count(): number {
    return this.#count;
  }

  /** Bytes of the heads, targets, bodies and messages added since the last `finish`. */
  get bytes(): Bytes {
    return this.#texts.length + this.#bytes.length;
  }

  add(event: CaptureEvent): void {
    this.#count += 1;
    const index = TYPE_INDEXES.get(event.type) as number;
    this.figure(index);
    (CODECS[index] as Codec).put(this, event);
  }

  /** Returns a batch of all events added, and starts a new one. */
  finish(): Batch {
    const figures = this.#figures.slice(0, this.#figureCount);
    const batch = { figures, words: this.#words, texts: this.#texts.finish(), bytes: this.#bytes.finish() };
    this.#figureCount = 0;
    this.#count = 0;
    this.#words = [];
    this.#wordIndexes = new Map();
    return batch;
  }

  figure(value: number): void {
    if (this.#figureCount === this.#figures.length) {
      const larger = new Float64Array(2 * this.#figures.length);
      larger.set(this.#figures);
      this.#figures = larger;
    }
    this.#figures[this.#figureCount] = value;
    this.#figureCount += 1;
  }

  word(word: string): void {
    let index = this.#wordIndexes.get(word);
    if (index === undefined) {
      index = this.#words.push(word) - 1;
      this.#wordIndexes.set(word, index);
    }
    this.figure(index);
  }

  /**
   * Stores a text as latin1 bytes, outside V8's heap. A string would stay on the heap until its batch is on disk, and
   * garbage collections would copy it.
   */
  text(text: string): void {
    this.figure(text.length);
    this.#texts.addText(text);
  }

  data(bytes: Uint8Array): void {
    this.figure(bytes.length);
    this.#bytes.add(bytes);
  }
}

class Room {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  length = 0;

  add(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length);
    this.#bytes.set(bytes, at);
  }

  addText(text: string): void {
    const at = this.#reserve(text.length);
    this.#bytes.write(text, at, "latin1");
  }

  finish(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#bytes.subarray(0, this.length));
    this.length = 0;
    if (this.#bytes.length > 4 * BUFFER_BYTES) this.#bytes = Buffer.allocUnsafeSlow(BUFFER_BYTES);
    return bytes;
  }

  #reserve(length: number): number {
    const at = this.length;
    this.length += length;
    if (this.length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.length, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, at);
      this.#bytes = larger;
    }
    return at;
  }
}

/**
 * The events of a batch, in order. Bodies and messages are views of the batch's memory: copy what must outlive the
 * batch.
 */
export function eventsOf(batch: Batch): CaptureEvent[] {
  const reading = new Reading(batch);
  const events: CaptureEvent[] = [];
  while (reading.hasMore) events.push(reading.event());
  return events;
}

class Reading {
  readonly #batch: Batch;
  readonly #texts: Buffer;
  #figure = 0;
  #text = 0;
  #byte = 0;

  constructor(batch: Batch) {
    this.#batch = batch;
    this.#texts = Buffer.from(batch.texts.buffer, batch.texts.byteOffset, batch.texts.byteLength);
  }

  get hasMore(): boolean {
    return this.#figure < this.#batch.figures.length;
  }

  event(): CaptureEvent {
    const index = this.figure();
    const fields = (CODECS[index] as Codec).take(this);
    return fields as CaptureEvent;
  }

  figure(): number {
    const figure = this.#batch.figures[this.#figure] ?? Number.NaN;
    this.#figure += 1;
    return figure;
  }

  /** Whether the next figure is NaN, which is then skipped. */
  isNull(): boolean {
    if (!Number.isNaN(this.#batch.figures[this.#figure] ?? Number.NaN)) return false;
    this.#figure += 1;
    return true;
  }

  word(): string {
    return this.#batch.words[this.figure()] ?? "";
  }

  text(): string {
    const from = this.#text;
    this.#text += this.figure();
    return this.#texts.toString("latin1", from, this.#text);
  }

  data(): Uint8Array {
    const from = this.#byte;
    this.#byte += this.figure();
    return this.#batch.bytes.subarray(from, this.#byte);
  }
}

function codecOf(packing: Packing): Codec {
  switch (packing.as) {
    case "figure":
      return { put: (writer, value) => writer.figure(value as number), take: (reading) => reading.figure() };
    case "flag":
      return {
        put: (writer, value) => writer.figure(value === true ? 1 : 0),
        take: (reading) => reading.figure() === 1,
      };
    case "word":
      return { put: (writer, value) => writer.word(value as string), take: (reading) => reading.word() };
    case "text":
      return { put: (writer, value) => writer.text(value as string), take: (reading) => reading.text() };
    case "bytes":
      return { put: (writer, value) => writer.data(value as Uint8Array), take: (reading) => reading.data() };
    case "json":
      return {
        put: (writer, value) => writer.word(JSON.stringify(value)),
        take: (reading) => JSON.parse(reading.word()) as unknown,
      };
    case "map":
      return {
        put: (writer, value) => writer.word(JSON.stringify([...(value as ReadonlyMap<string, unknown>)])),
        take: (reading) => new Map(JSON.parse(reading.word()) as readonly (readonly [string, unknown])[]),
      };
    case "choice":
      return choiceCodec(packing.of);
    case "set":
      return setCodec(packing.of);
    case "outcome":
      return outcomeCodec(choiceCodec(packing.of));
    case "fields":
      return fieldsCodec(packing.of);
    case "nullable":
      return absentCodec(codecOf(packing.of), null);
    case "optional":
      return absentCodec(codecOf(packing.of), undefined);
  }
}

function choiceCodec(of: readonly string[]): Codec {
  return {
    put: (writer, value) => writer.figure(of.indexOf(value as string)),
    take: (reading) => of[reading.figure()] ?? of[0],
  };
}

const NONE: readonly string[] = Object.freeze([]);

function setCodec(of: readonly string[]): Codec {
  return {
    put(writer, value) {
      const entries = value as readonly string[];
      writer.figure(entries.length);
      for (const entry of entries) writer.figure(of.indexOf(entry));
    },
    take(reading) {
      const count = reading.figure();
      if (count === 0) return NONE;
      return Array.from({ length: count }, () => of[reading.figure()]).filter((entry) => entry !== undefined);
    },
  };
}

/** `also`: constant properties of the objects. */
function fieldsCodec(fields: Fields, also: Readonly<Record<string, unknown>> = {}): Codec {
  const names = Object.keys(fields);
  const codecs = Object.values(fields).map(codecOf);
  // An object that has its properties from the start need not grow with each of them.
  const blank: Record<string, unknown> = { ...also };
  for (const [name, { as }] of Object.entries(fields)) if (as !== "optional") blank[name] = null;
  return {
    put(writer, value) {
      const object = value as Record<string, unknown>;
      for (let at = 0; at < names.length; at += 1) codecs[at]?.put(writer, object[names[at] as string]);
    },
    take(reading) {
      const object: Record<string, unknown> = { ...blank };
      for (let at = 0; at < names.length; at += 1) {
        const value = codecs[at]?.take(reading);
        if (value !== undefined) object[names[at] as string] = value;
      }
      return object;
    },
  };
}

/** A status, and for a failure its type and detail. */
function outcomeCodec(errorType: Codec): Codec {
  return {
    put(writer, value) {
      const outcome = value as Outcome;
      writer.figure(outcome.status ?? Number.NaN);
      if (outcome.kind === "responded") return writer.figure(Number.NaN);
      errorType.put(writer, outcome.errorType);
      writer.word(outcome.detail);
    },
    take(reading) {
      const status = reading.isNull() ? null : reading.figure();
      if (reading.isNull()) return { kind: "responded", status };
      return { kind: "failed", errorType: errorType.take(reading), detail: reading.word(), status };
    },
  };
}

/** The first figure of every other packing is a number, so NaN stands for `absent`. */
function absentCodec({ put, take }: Codec, absent: null | undefined): Codec {
  return {
    put(writer, value) {
      if (value === absent) writer.figure(Number.NaN);
      else put(writer, value);
    },
    take: (reading) => (reading.isNull() ? absent : take(reading)),
  };
}
