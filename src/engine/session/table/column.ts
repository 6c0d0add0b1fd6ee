import { MARKS, type Mark } from "../../model/annotation.ts";
import { ERROR_TYPES, type ErrorType, type Outcome, TAGS, type Tag } from "../../model/exchange.ts";
import type { Packing } from "../../model/exchange-fields.ts";
import { Interned } from "./interned.ts";

/** Rows of a chunk; a power of two. */
export const CHUNK_ROWS = 8_192;
const SHIFT = Math.log2(CHUNK_ROWS);

/** The least rows of a first chunk, which doubles up to `CHUNK_ROWS`: most sessions are short. A power of two. */
const FEW_ROWS = 64;

/** How many rows the chunk of this row has, at least. */
function chunkLength(row: number): number {
  return row < CHUNK_ROWS ? Math.max(FEW_ROWS, 2 << Math.log2(row)) : CHUNK_ROWS;
}

/** Values by row, in chunks: growing copies no more than the first chunk, and evicted rows free their memory. */
abstract class Chunks<Chunk> {
  protected readonly chunks: (Chunk | null)[] = [];
  /**
   * Chunks of evicted rows, kept to be used again: V8 frees a chunk only at a garbage collection, and allocating a
   * chunk costs more than filling it.
   */
  protected readonly spare: Chunk[] = [];
  readonly #mostSpare: number;
  #first = 0;

  /** `mostSpare`: the most freed chunks that are kept to be used again. */
  constructor(mostSpare: number) {
    this.#mostSpare = mostSpare;
  }

  /** Frees chunks whose rows are all before `row`. */
  forgetBefore(row: number): void {
    for (; this.#first < row >>> SHIFT; this.#first += 1) {
      const chunk = this.chunks[this.#first] ?? null;
      this.chunks[this.#first] = null;
      // The first chunk may be smaller than others.
      if (chunk !== null && this.#first > 0 && this.spare.length < this.#mostSpare) this.spare.push(chunk);
    }
  }
}

/** Used in place of chunks to which nothing was written. */
const NO_WHOLES = new Uint32Array(0);
const NO_REALS = new Float64Array(0);
const NO_TEXTS: (string | null)[] = [];

// Each kind of column has its own read and write, because a function that gets several kinds of array is slower.

/** Whole numbers from 0 to 2^32-1, by row; 0 if not written. */
export class WholeColumn extends Chunks<Uint32Array> {
  /** The buffer to which `read` copies. */
  #room = new Uint32Array(0);

  constructor() {
    super(1);
  }

  at(row: number): number {
    const chunk = this.chunks[row >>> SHIFT] ?? NO_WHOLES;
    const index = row & (CHUNK_ROWS - 1);
    return index < chunk.length ? (chunk[index] as number) : 0;
  }

  /**
   * The values of the first `count` of `rows` (ascending), in their order; for many rows far quicker than `at`. The
   * result is valid until the next call or change: it may be a view of the column or a shared buffer.
   */
  read(rows: Uint32Array, count: number): Uint32Array {
    if (count === 0) return NO_WHOLES;
    const first = rows[0] as number;
    const from = first & (CHUNK_ROWS - 1);
    const chunk = this.chunks[first >>> SHIFT] ?? NO_WHOLES;
    const isOnePiece = (rows[count - 1] as number) - first < count && from + count <= chunk.length;
    if (isOnePiece) return chunk.subarray(from, from + count);
    if (this.#room.length < count) this.#room = new Uint32Array(count);
    const values = this.#room;
    for (let index = 0; index < count; index += 1) values[index] = this.at(rows[index] as number);
    return values;
  }

  put(row: number, value: number): void {
    let chunk = this.chunks[row >>> SHIFT] ?? NO_WHOLES;
    const index = row & (CHUNK_ROWS - 1);
    if (index >= chunk.length) chunk = this.#enlarged(row);
    chunk[index] = value;
  }

  #enlarged(row: number): Uint32Array {
    const chunk = this.spare.pop()?.fill(0) ?? new Uint32Array(chunkLength(row));
    chunk.set(this.chunks[row >>> SHIFT] ?? NO_WHOLES);
    this.chunks[row >>> SHIFT] = chunk;
    return chunk;
  }
}

/** Numbers by row. Rows that were not written have the value `unwritten`: 0, or NaN for `null`. */
export class RealColumn extends Chunks<Float64Array> {
  readonly #unwritten: number;

  /** `cells`: how many values a row has. */
  constructor(unwritten: 0 | typeof Number.NaN, cells = 1) {
    super(cells);
    this.#unwritten = unwritten;
  }

  at(row: number): number {
    const chunk = this.chunks[row >>> SHIFT] ?? NO_REALS;
    const index = row & (CHUNK_ROWS - 1);
    return index < chunk.length ? (chunk[index] as number) : this.#unwritten;
  }

  put(row: number, value: number): void {
    let chunk = this.chunks[row >>> SHIFT] ?? NO_REALS;
    const index = row & (CHUNK_ROWS - 1);
    if (index >= chunk.length) chunk = this.#enlarged(row);
    chunk[index] = value;
  }

  #enlarged(row: number): Float64Array {
    const chunk = (this.spare.pop() ?? new Float64Array(chunkLength(row))).fill(this.#unwritten);
    chunk.set(this.chunks[row >>> SHIFT] ?? NO_REALS);
    this.chunks[row >>> SHIFT] = chunk;
    return chunk;
  }
}

/** Texts by row. Most rows have none. */
export class TextColumn extends Chunks<(string | null)[]> {
  constructor() {
    super(0); // a spare chunk would keep texts of evicted rows in memory
  }

  at(row: number): string | null {
    return this.chunks[row >>> SHIFT]?.[row & (CHUNK_ROWS - 1)] ?? null;
  }

  put(row: number, text: string | null): void {
    let chunk = this.chunks[row >>> SHIFT] ?? NO_TEXTS;
    const index = row & (CHUNK_ROWS - 1);
    if (index >= chunk.length) {
      if (text === null) return;
      chunk = chunk.concat(new Array<null>(chunkLength(row) - chunk.length).fill(null));
      this.chunks[row >>> SHIFT] = chunk;
    }
    chunk[index] = text;
  }
}

/** The written rows of one chunk, in the order in which they were written. */
interface Chunk {
  /** For each row, the row's index among the written rows, plus 1; 0 if the row was not written. */
  readonly cellIndexes: Uint16Array;
  cells: Float64Array;
  count: number;
}

/** A new chunk has space for this many written rows. */
const FEW_WRITTEN = 64;

/**
 * Several numbers by row, for columns that are empty in most rows; an empty row takes two bytes. NaN if not written.
 */
export class SparseColumn extends Chunks<Chunk> {
  readonly #width: number;

  /** `width`: how many cells a row has. */
  constructor(width: number) {
    super(1);
    this.#width = width;
  }

  has(row: number): boolean {
    return (this.chunks[row >>> SHIFT]?.cellIndexes[row & (CHUNK_ROWS - 1)] ?? 0) > 0;
  }

  at(row: number, cell: number): number {
    const chunk = this.chunks[row >>> SHIFT];
    const index = chunk?.cellIndexes[row & (CHUNK_ROWS - 1)] ?? 0;
    return index === 0 ? Number.NaN : (chunk?.cells[(index - 1) * this.#width + cell] as number);
  }

  put(row: number, cell: number, value: number): void {
    const chunk = this.chunks[row >>> SHIFT] ?? this.#newChunk(row >>> SHIFT);
    const index = row & (CHUNK_ROWS - 1);
    if (chunk.cellIndexes[index] === 0) {
      const from = chunk.count * this.#width;
      if (from === chunk.cells.length) chunk.cells = grown(chunk.cells);
      chunk.cells.fill(Number.NaN, from, from + this.#width);
      chunk.count += 1;
      chunk.cellIndexes[index] = chunk.count;
    }
    chunk.cells[((chunk.cellIndexes[index] as number) - 1) * this.#width + cell] = value;
  }

  #newChunk(index: number): Chunk {
    const chunk = this.spare.pop() ?? {
      cellIndexes: new Uint16Array(CHUNK_ROWS),
      cells: new Float64Array(FEW_WRITTEN * this.#width),
      count: 0,
    };
    chunk.cellIndexes.fill(0);
    chunk.count = 0;
    this.chunks[index] = chunk;
    return chunk;
  }
}

function grown(cells: Float64Array): Float64Array {
  const larger = new Float64Array(2 * cells.length);
  larger.set(cells);
  return larger;
}

/** The most texts that are stored once for all rows. Further texts are stored by row, and evicted with it. */
const MOST_DIFFERENT = 65_536;
/** The most characters of a shared text. Longer texts hardly repeat, and a shared text stays as long as the column. */
const LONGEST_SHARED = 512;

/**
 * Texts by row that may repeat; most rows have none. Shared texts have numbers, so that results can be cached by
 * number.
 */
export class RepeatingTextColumn {
  readonly texts = new Interned();
  /** By row, the number of its text among `texts`; 0 if the row has no text, or a text that is not shared. */
  readonly numbers = new WholeColumn();
  readonly #own = new TextColumn();
  #hasOthers = false;

  /** Whether a row has, or had, a text that is stored by row instead of shared. */
  get hasOthers(): boolean {
    return this.#hasOthers;
  }

  at(row: number): string | null {
    const number = this.numbers.at(row);
    return number === 0 ? this.#own.at(row) : this.texts.textAt(number);
  }

  put(row: number, text: string | null): void {
    const number = text === null ? 0 : this.#numberOf(text);
    if (number !== this.numbers.at(row)) this.numbers.put(row, number);
    this.#hasOthers ||= number === 0 && text !== null;
    this.#own.put(row, number === 0 ? text : null);
  }

  /** The number of characters that are stored for this row alone. */
  ownLengthAt(row: number): number {
    return this.numbers.at(row) === 0 ? (this.#own.at(row)?.length ?? 0) : 0;
  }

  forgetBefore(row: number): void {
    this.numbers.forgetBefore(row);
    this.#own.forgetBefore(row);
  }

  #numberOf(text: string): number {
    if (text.length > LONGEST_SHARED) return 0;
    return this.texts.size <= MOST_DIFFERENT ? this.texts.numberOf(text) : this.texts.find(text);
  }
}

/*
 * Codes: whole numbers in columns. A code stands for `null` or for a name in a list, such as `MARKS`. A row that was
 * not written has the code 0.
 */

/** Codes of outcomes: 0 in flight; 1 responded; above: failed, as 2 plus the index of the error type. */
export const RESPONDED = 1;
const FAILED = 2;

export function outcomeCodeOf(outcome: Outcome): number {
  return outcome.kind === "responded" ? RESPONDED : FAILED + ERROR_TYPES.indexOf(outcome.errorType);
}

/** `status`: 0 stands for none. `detail`: used for failures only. */
export function outcomeOf(code: number, status: number, detail: string): Outcome | null {
  if (code === 0) return null;
  if (code === RESPONDED) return respondedWith(status);
  const errorType = ERROR_TYPES[code - FAILED] as ErrorType;
  return Object.freeze({ kind: "failed", errorType, detail, status: status === 0 ? null : status });
}

/** Outcomes of responses by status, shared because they are read so often. */
const RESPONSES = new Map<number, Outcome>();

function respondedWith(status: number): Outcome {
  const known = RESPONSES.get(status);
  if (known !== undefined) return known;
  const outcome = Object.freeze({ kind: "responded", status } as const);
  RESPONSES.set(status, outcome);
  return outcome;
}

/** The tags as bits: one bit for each of TAGS. */
export function tagBits(tags: readonly Tag[]): number {
  let bits = 0;
  for (const tag of tags) bits |= 1 << TAGS.indexOf(tag);
  return bits;
}

export function tagsOf(bits: number): readonly Tag[] {
  return Object.freeze(TAGS.filter((_, index) => (bits & (1 << index)) !== 0));
}

/** The mark's code: 0 for none, else its index in MARKS plus 1. */
export function markCodeOf(mark: Mark | null): number {
  return mark === null ? 0 : 1 + MARKS.indexOf(mark);
}

export function markOf(code: number): Mark | null {
  return MARKS[code - 1] ?? null;
}

/**
 * The values of a field that exchanges keep (`KEPT`), by row, as codes; `null` is not written. Columns of words share
 * `texts`.
 */
export class KeptColumn<Value> extends WholeColumn {
  readonly #codes: Codes;

  constructor(packing: Packing, texts: Interned) {
    super();
    this.#codes = codesOf(packing, texts);
  }

  /** The value's code; 0 for `null`. */
  codeOf(value: Value | null): number {
    return value === null ? 0 : this.#codes.codeOf(value);
  }

  valueAt(row: number): Value | null {
    const code = this.at(row);
    return code === 0 ? null : (this.#codes.valueOf(code) as Value);
  }

  putValue(row: number, value: Value | null): void {
    if (value !== null) this.put(row, this.#codes.codeOf(value));
  }
}

/** Codes of values other than `null`, from 1. */
interface Codes {
  codeOf(value: unknown): number;
  valueOf(code: number): unknown;
}

function codesOf(packing: Packing, texts: Interned): Codes {
  switch (packing.as) {
    case "nullable":
    case "optional":
      return codesOf(packing.of, texts);
    case "figure":
      return { codeOf: (value) => Number(value) + 1, valueOf: (code) => code - 1 };
    case "flag":
      return { codeOf: (value) => Number(value) + 1, valueOf: (code) => code === 2 };
    case "choice":
      return { codeOf: (value) => packing.of.indexOf(String(value)) + 1, valueOf: (code) => packing.of[code - 1] };
    case "word":
      return { codeOf: (value) => texts.numberOf(String(value)), valueOf: (code) => texts.textAt(code) };
    default:
      throw new Error(`no column holds a field that is packed as ${packing.as}`);
  }
}
