import type { HarFields, Side } from "../../../src/engine/capture/event.ts";
import type { Outcome } from "../../../src/engine/model/exchange.ts";
import type { Bytes, ExchangeId } from "../../../src/engine/model/units.ts";
import {
  arrayOf,
  exchangeFrom,
  fieldsIn,
  NUMBERS,
  numbersOf,
  packNumbers,
  type StoredExchange,
  TARGET,
  textFieldsOf,
} from "./exchange-row.ts";
import { type Extent, extentsOf } from "./extents.ts";

/*
 * A block holds many exchanges that ended since the last flush. Under load, a row for each exchange would cost more
 * than all other work for the exchange. A span is `SPAN` consecutive ids, from a multiple of `SPAN`. All ids of a block
 * are in one span, and a span may have several blocks. So the database finds an exchange's block by the span of its id.
 * Exchanges whose `words` differ only in the target share one entry of words:
 *
 *   lengths │ numbers │ extents │ words │ texts
 *
 *   lengths  bytes of the numbers, the extents and the words (Uint32, little-endian)
 *   numbers  of each exchange: id, index of its words, lengths of its target, request's head and response's head (NaN:
 *            no response), then the numbers of `packNumbers` (Float64, little-endian)
 *   extents  of each exchange: number of extents of the request's body, then segment, offset, length and check of each
 *            extent; the same for the response's body (Float64, little-endian)
 *   words    a JSON array; each entry is `textFieldsOf` of the first exchange that shares it
 *   texts    of each exchange: target, request's head, response's head (UTF-8)
 */

/**
 * Ids per span. With more, finding an exchange would take longer; with fewer, there
 * would be more blocks to write.
 */
const SPAN = 128;

export function spanOf(id: ExchangeId): number {
  return Math.floor(id / SPAN);
}

/** The lowest id of a span. */
export function firstOf(span: number): ExchangeId {
  return (span * SPAN) as ExchangeId;
}

/** Bytes of an exchange's target and heads. */
export function textBytesOf({ started, answered }: Pick<StoredExchange, "started" | "answered">): Bytes {
  return started.target.length + started.head.length + (answered?.head.length ?? 0);
}

export interface Heads {
  /** The whole target, in latin1. */
  readonly target: string;
  readonly request: string;
  readonly response: string | null;
}

interface Bodies {
  readonly request: readonly Extent[];
  readonly response: readonly Extent[];
}

const BEFORE_NUMBERS = 5;
const EACH = BEFORE_NUMBERS + NUMBERS;
const UINT32 = 4;
const LENGTHS = 3 * UINT32;
const EXTENT = 4;

/** Gathers the ended exchanges of one span. */
export class BlockWriter {
  readonly #numbers = new Float64Array(SPAN * EACH);
  #count = 0;
  #extents: number[] = [];
  /** For each entry of the words, the first exchange that shares it (`areAlike`). */
  #kinds: StoredExchange[] = [];
  #texts: string[] = [];
  #textBytes = 0;

  /** Bytes of the targets and heads. */
  get textBytes(): Bytes {
    return this.#textBytes;
  }

  /** Number of exchanges. */
  get count(): number {
    return this.#count;
  }

  /** Adds an exchange. May be called at most `SPAN` times, once per exchange. */
  add(exchange: StoredExchange, { request, response }: Bodies): void {
    const { started, answered } = exchange;
    const at = this.#count * EACH;
    this.#count += 1;
    this.#numbers[at] = started.id;
    this.#numbers[at + 1] = this.#kindOf(exchange);
    this.#numbers[at + 2] = started.target.length;
    this.#numbers[at + 3] = started.head.length;
    this.#numbers[at + 4] = answered?.head.length ?? Number.NaN;
    packNumbers(exchange, this.#numbers, at + BEFORE_NUMBERS);
    this.#addExtents(request);
    this.#addExtents(response);
    this.#textBytes += textBytesOf(exchange);
    this.#texts.push(started.target, started.head);
    if (answered !== null) this.#texts.push(answered.head);
  }

  bytes(): Buffer {
    const numbers = bytesOf(this.#numbers.subarray(0, this.#count * EACH));
    const extents = bytesOf(Float64Array.from(this.#extents));
    const words = Buffer.from(JSON.stringify(this.#kinds.map(textFieldsOf)));
    const lengths = Buffer.alloc(LENGTHS);
    for (const [place, { length }] of [numbers, extents, words].entries()) {
      lengths.writeUInt32LE(length, place * UINT32);
    }
    return Buffer.concat([lengths, numbers, extents, words, Buffer.from(this.#texts.join(""))]);
  }

  clear(): void {
    this.#count = 0;
    this.#extents = [];
    this.#kinds = [];
    this.#texts = [];
    this.#textBytes = 0;
  }

  #kindOf(exchange: StoredExchange): number {
    const known = this.#kinds.findLastIndex((kind) => areAlike(kind, exchange));
    return known < 0 ? this.#kinds.push(exchange) - 1 : known;
  }

  #addExtents(extents: readonly Extent[]): void {
    this.#extents.push(extents.length);
    for (const { segment, offset, length, check } of extents) this.#extents.push(segment, offset, length, check);
  }
}

/** A block read from disk. Damaged exchanges are left out. */
export class StoredBlock {
  readonly #numbers: Float64Array;
  readonly #extents: Float64Array;
  readonly #words: unknown[];
  readonly #texts: string;
  /** By id: the exchange's index, and the indexes at which its texts and its extents begin. */
  readonly #places = new Map<ExchangeId, { readonly index: number; readonly text: number; readonly extent: number }>();

  constructor(bytes: Buffer) {
    const ends = [LENGTHS];
    for (let place = 0; place < 3; place += 1) {
      const length = bytes.length < LENGTHS ? 0 : bytes.readUInt32LE(place * UINT32);
      ends.push((ends[place] as number) + length);
    }
    const [numbers, extents, words, texts] = ends;
    this.#numbers = numbersOf(bytes.subarray(numbers, extents));
    this.#extents = numbersOf(bytes.subarray(extents, words));
    this.#words = arrayOf(bytes.toString("utf8", words, texts)) ?? [];
    this.#texts = bytes.toString("utf8", texts);
    let text = 0;
    let extent = 0;
    for (let index = 0; (index + 1) * EACH <= this.#numbers.length; index += 1) {
      const [id = 0, , target = 0, request = 0, response = 0] = this.#numbers.subarray(index * EACH);
      if (Number.isSafeInteger(id)) this.#places.set(id as ExchangeId, { index, text, extent });
      text += target + request + (Number.isNaN(response) ? 0 : response);
      extent = this.#behind(this.#behind(extent));
    }
  }

  /** The ids of the exchanges in the block. */
  get ids(): Pick<ReadonlyMap<ExchangeId, unknown>, "has" | "keys"> {
    return this.#places;
  }

  /** The exchange of this id; `null` if it is absent or damaged. */
  exchangeOf(id: ExchangeId): StoredExchange | null {
    const heads = this.headsOf(id);
    const { index = 0, text = 0 } = this.#places.get(id) ?? {};
    const [, kind = 0, target = 0] = this.#numbers.subarray(index * EACH);
    const words = this.#words[kind];
    if (heads === null || !Array.isArray(words)) return null;
    const from = index * EACH + BEFORE_NUMBERS;
    const own = words.toSpliced(TARGET, 1, this.#texts.slice(text, text + target));
    return exchangeFrom(id, this.#numbers.subarray(from, from + NUMBERS), own, heads.request, heads.response);
  }

  headsOf(id: ExchangeId): Heads | null {
    const place = this.#places.get(id);
    if (place === undefined) return null;
    const [, , target = 0, request = 0, response = 0] = this.#numbers.subarray(place.index * EACH);
    const begin = place.text + target;
    const end = begin + request;
    return {
      target: this.#texts.slice(place.text, begin),
      request: this.#texts.slice(begin, end),
      response: Number.isNaN(response) ? null : this.#texts.slice(end, end + response),
    };
  }

  fieldsOf(id: ExchangeId): HarFields | null {
    const place = this.#places.get(id);
    const [, kind = 0] = this.#numbers.subarray((place?.index ?? 0) * EACH);
    const words = this.#words[kind];
    return place !== undefined && Array.isArray(words) ? fieldsIn(words) : null;
  }

  /** The extents of the body of one side; `null` if they are damaged or the exchange is absent. */
  extentsOf(id: ExchangeId, side: Side): readonly Extent[] | null {
    const place = this.#places.get(id);
    if (place === undefined) return null;
    const at = side === "request" ? place.extent : this.#behind(place.extent);
    const end = this.#behind(at);
    const numbers = Array.from(this.#extents.subarray(at + 1, end));
    return end <= this.#extents.length && numbers.length === end - at - 1 ? extentsOf(numbers) : null;
  }

  /** The index after the list of extents that begins at `extent`. */
  #behind(extent: number): number {
    return extent + 1 + EXTENT * (this.#extents[extent] ?? Number.NaN);
  }
}

/** Whether the `words` of both exchanges differ at most in the target. */
function areAlike(one: StoredExchange, other: StoredExchange): boolean {
  const { started: a, ended: first } = one;
  const { started: b, ended: second } = other;
  if (a.method !== b.method || a.origin !== b.origin || a.clientAddress !== b.clientAddress) return false;
  if (a.protocol !== b.protocol || a.page !== b.page || !areSame(a.tags, b.tags)) return false;
  // Compared by identity, because comparing their text would cost more than storing it twice.
  if (a.fields !== b.fields) return false;
  if (first === null || second === null) return first === second;
  if (first.reused !== second.reused || first.waitedFor !== second.waitedFor) return false;
  if (first.uncertainty !== second.uncertainty) return false;
  if (first.operation?.kind !== second.operation?.kind || first.operation?.name !== second.operation?.name)
    return false;
  return areSame(first.tags, second.tags) && endedAlike(first.outcome, second.outcome);
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, place) => one === others[place]);
}

function endedAlike(one: Outcome, other: Outcome): boolean {
  if (one.status !== other.status) return false;
  if (one.kind === "responded" || other.kind === "responded") return one.kind === other.kind;
  return one.errorType === other.errorType && one.detail === other.detail;
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
