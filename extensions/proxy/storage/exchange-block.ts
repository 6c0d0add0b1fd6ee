import type { Side } from "../../../src/engine/capture/event.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { arrayOf, NUMBERS, packNumbers, type Telling, told, wordsOf } from "./exchange-row.ts";
import { type Extent, extentsOf, flatExtents } from "./extents.ts";

/*
 * Exchanges that have ended since the last flush, many to a row: under load a row of its own costs more than all else
 * that is done for an exchange (docs/measurements.md). Those of one block have ids of one span, so that an id tells where
 * to look; a span may have several blocks.
 */

/** Ids of one span. Our choice: few enough that one exchange of a block is found quickly, enough that a row costs little each. */
const SPAN = 128;

export function spanOf(id: ExchangeId): number {
  return Math.floor(id / SPAN);
}

/** The least id of a span. */
export function firstOf(span: number): ExchangeId {
  return (span * SPAN) as ExchangeId;
}

/** What is kept of the exchanges of a block. */
export interface Packed {
  readonly span: number;
  /** Exchanges. */
  readonly count: number;
  /** Float64, little-endian, of each exchange: id, lengths of its request's and its response's head (NaN: none), `packNumbers`. */
  readonly numbers: Uint8Array;
  /** JSON, of each exchange: `wordsOf`, `flatExtents` of its request's body and of its response's. */
  readonly words: string;
  /** Of each exchange: its request's head, its response's. */
  readonly heads: string;
}

export interface Heads {
  readonly request: string;
  readonly response: string | null;
}

interface Bodies {
  readonly request: readonly Extent[];
  readonly response: readonly Extent[];
}

const BEFORE_NUMBERS = 3;
const EACH = BEFORE_NUMBERS + NUMBERS;

/** Gathers exchanges of one span as they end. */
export class BlockWriter {
  readonly #numbers = new Float64Array(SPAN * EACH);
  #words: unknown[][] = [];
  #heads: string[] = [];

  get count(): number {
    return this.#words.length;
  }

  /** At most `SPAN` of them, each once. */
  add(telling: Telling, { request, response }: Bodies): void {
    const { started, answered } = telling;
    const at = this.count * EACH;
    this.#numbers[at] = started.id;
    this.#numbers[at + 1] = started.head.length;
    this.#numbers[at + 2] = answered?.head.length ?? Number.NaN;
    packNumbers(telling, this.#numbers, at + BEFORE_NUMBERS);
    this.#words.push([wordsOf(telling), flatExtents(request), flatExtents(response)]);
    this.#heads.push(started.head);
    if (answered !== null) this.#heads.push(answered.head);
  }

  /** It holds until something is added, or `clear`. */
  packed(span: number): Packed {
    return {
      span,
      count: this.count,
      numbers: new Uint8Array(this.#numbers.buffer, 0, this.count * EACH * Float64Array.BYTES_PER_ELEMENT),
      words: JSON.stringify(this.#words),
      heads: this.#heads.join(""),
    };
  }

  clear(): void {
    this.#words = [];
    this.#heads = [];
  }
}

/**
 * How a block lies in its file (`blockOf` reads it): the lengths of its numbers and of its words in bytes (Uint32,
 * little-endian), the numbers, the words, the heads (UTF-8).
 */
export function piecesOf({ numbers, words, heads }: Packed): readonly Uint8Array[] {
  const text = Buffer.from(words);
  const lengths = Buffer.alloc(LENGTHS);
  lengths.writeUInt32LE(numbers.length, 0);
  lengths.writeUInt32LE(text.length, UINT32);
  return [lengths, numbers, text, Buffer.from(heads)];
}

/** The block whose pieces these bytes are. */
export function blockOf(bytes: Buffer): StoredBlock {
  const [numbers, words] = bytes.length < LENGTHS ? [0, 0] : [bytes.readUInt32LE(0), bytes.readUInt32LE(UINT32)];
  const afterNumbers = LENGTHS + numbers;
  const afterWords = afterNumbers + words;
  return new StoredBlock({
    numbers: bytes.subarray(LENGTHS, afterNumbers),
    words: bytes.toString("utf8", afterNumbers, afterWords),
    heads: bytes.toString("utf8", afterWords),
  });
}

const UINT32 = 4;
const LENGTHS = 2 * UINT32;

/** A block as it was read. What is damaged is absent. */
export class StoredBlock {
  readonly #numbers: Float64Array;
  readonly #heads: string;
  readonly #words: unknown[];
  /** By id: which it is, and where its heads begin. */
  readonly #places = new Map<ExchangeId, { readonly index: number; readonly head: number }>();

  /** Of what it is given only what lies in it is believed, not its types: version 4 kept it in rows of the database. */
  constructor(kept: Readonly<Record<string, unknown>>) {
    this.#numbers = doublesOf(kept["numbers"]);
    this.#heads = String(kept["heads"]);
    this.#words = arrayOf(String(kept["words"])) ?? [];
    let head = 0;
    for (let index = 0; (index + 1) * EACH <= this.#numbers.length; index += 1) {
      const [id = 0, request = 0, response = 0] = this.#numbers.subarray(index * EACH);
      if (Number.isSafeInteger(id)) this.#places.set(id as ExchangeId, { index, head });
      head += request + (Number.isNaN(response) ? 0 : response);
    }
  }

  get ids(): Iterable<ExchangeId> {
    return this.#places.keys();
  }

  has(id: ExchangeId): boolean {
    return this.#places.has(id);
  }

  /** `null` for one that is not here, or is damaged. */
  tellingOf(id: ExchangeId): Telling | null {
    const heads = this.headsOf(id);
    const [words] = this.#wordsOf(id);
    if (heads === null || !Array.isArray(words)) return null;
    const from = (this.#places.get(id)?.index ?? 0) * EACH + BEFORE_NUMBERS;
    return told(id, this.#numbers.subarray(from, from + NUMBERS), words, heads.request, heads.response);
  }

  headsOf(id: ExchangeId): Heads | null {
    const place = this.#places.get(id);
    if (place === undefined) return null;
    const [, request = 0, response = 0] = this.#numbers.subarray(place.index * EACH);
    const end = place.head + request;
    return {
      request: this.#heads.slice(place.head, end),
      response: Number.isNaN(response) ? null : this.#heads.slice(end, end + response),
    };
  }

  /** `null` where they are damaged. */
  extentsOf(id: ExchangeId, side: Side): readonly Extent[] | null {
    const [, request, response] = this.#wordsOf(id);
    return extentsOf(side === "request" ? request : response);
  }

  #wordsOf(id: ExchangeId): unknown[] {
    const words = this.#words[this.#places.get(id)?.index ?? -1];
    return Array.isArray(words) ? words : [];
  }
}

/** Copied, since the bytes may begin anywhere. */
function doublesOf(bytes: unknown): Float64Array {
  if (!(bytes instanceof Uint8Array)) return new Float64Array();
  const { buffer, byteOffset, byteLength } = bytes;
  return new Float64Array(buffer.slice(byteOffset, byteOffset + byteLength - (byteLength % 8)));
}
