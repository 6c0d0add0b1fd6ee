import { Interned } from "./interned.ts";

/** Rows of a chunk; a power of two. */
export const CHUNK_ROWS = 8_192;
export const SHIFT = Math.log2(CHUNK_ROWS);

/** Values by row, in chunks: growing copies nothing, and evicted rows free their memory. */
export abstract class Chunks<Chunk> {
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
      if (chunk !== null && this.spare.length < this.#mostSpare) this.spare.push(chunk);
    }
  }
}

/** Used for a chunk to which nothing was written. */
const EMPTY = new Uint32Array(CHUNK_ROWS);

// Each kind of column has its own read and write, because a function that gets several kinds of array is slower.

/** Whole numbers from 0 to 2^32-1, by row; 0 if not written. */
export class WholeColumn extends Chunks<Uint32Array> {
  /** The buffer to which `read` copies. */
  #room = new Uint32Array(0);

  constructor() {
    super(1);
  }

  at(row: number): number {
    return this.chunks[row >>> SHIFT]?.[row & (CHUNK_ROWS - 1)] ?? 0;
  }

  /**
   * The values of the first `count` of `rows` (ascending), in their order; for many rows far quicker than `at`. The
   * result is valid until the next call or change: it may be a view of the column or a shared buffer.
   */
  read(rows: Uint32Array, count: number): Uint32Array {
    if (count === 0) return EMPTY;
    const first = rows[0] as number;
    const from = first & (CHUNK_ROWS - 1);
    const isOnePiece = (rows[count - 1] as number) - first < count && from + count <= CHUNK_ROWS;
    if (isOnePiece) return (this.chunks[first >>> SHIFT] ?? EMPTY).subarray(from, from + count);
    if (this.#room.length < count) this.#room = new Uint32Array(count);
    const values = this.#room;
    for (let place = 0; place < count; place += 1) {
      const row = rows[place] as number;
      values[place] = (this.chunks[row >>> SHIFT] ?? EMPTY)[row & (CHUNK_ROWS - 1)] as number;
    }
    return values;
  }

  put(row: number, value: number): void {
    const chunk = this.chunks[row >>> SHIFT] ?? this.#newChunk(row >>> SHIFT);
    chunk[row & (CHUNK_ROWS - 1)] = value;
  }

  #newChunk(index: number): Uint32Array {
    const chunk = this.spare.pop()?.fill(0) ?? new Uint32Array(CHUNK_ROWS);
    this.chunks[index] = chunk;
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
    return this.chunks[row >>> SHIFT]?.[row & (CHUNK_ROWS - 1)] ?? this.#unwritten;
  }

  put(row: number, value: number): void {
    const chunk = this.chunks[row >>> SHIFT] ?? this.#newChunk(row >>> SHIFT);
    chunk[row & (CHUNK_ROWS - 1)] = value;
  }

  #newChunk(index: number): Float64Array {
    const chunk = (this.spare.pop() ?? new Float64Array(CHUNK_ROWS)).fill(this.#unwritten);
    this.chunks[index] = chunk;
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
    let chunk = this.chunks[row >>> SHIFT];
    if (chunk === undefined || chunk === null) {
      if (text === null) return;
      chunk = new Array<string | null>(CHUNK_ROWS).fill(null);
      this.chunks[row >>> SHIFT] = chunk;
    }
    chunk[row & (CHUNK_ROWS - 1)] = text;
  }
}

/** The written rows of one chunk, in the order in which they were written. */
interface Chunk {
  /** For each row, the row's index among the written rows, plus 1; 0 if the row was not written. */
  readonly places: Uint16Array;
  cells: Float64Array;
  count: number;
}

/** A new chunk has space for this many written rows. */
const FEW = 64;

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
    return (this.chunks[row >>> SHIFT]?.places[row & (CHUNK_ROWS - 1)] ?? 0) > 0;
  }

  at(row: number, cell: number): number {
    const chunk = this.chunks[row >>> SHIFT];
    const place = chunk?.places[row & (CHUNK_ROWS - 1)] ?? 0;
    return place === 0 ? Number.NaN : (chunk?.cells[(place - 1) * this.#width + cell] as number);
  }

  put(row: number, cell: number, value: number): void {
    const chunk = this.chunks[row >>> SHIFT] ?? this.#newChunk(row >>> SHIFT);
    const index = row & (CHUNK_ROWS - 1);
    if (chunk.places[index] === 0) {
      const from = chunk.count * this.#width;
      if (from === chunk.cells.length) chunk.cells = grown(chunk.cells);
      chunk.cells.fill(Number.NaN, from, from + this.#width);
      chunk.count += 1;
      chunk.places[index] = chunk.count;
    }
    chunk.cells[((chunk.places[index] as number) - 1) * this.#width + cell] = value;
  }

  #newChunk(index: number): Chunk {
    const chunk = this.spare.pop() ?? {
      places: new Uint16Array(CHUNK_ROWS),
      cells: new Float64Array(FEW * this.#width),
      count: 0,
    };
    chunk.places.fill(0);
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
const LONGEST = 512;

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
    if (text.length > LONGEST) return 0;
    return this.texts.size <= MOST_DIFFERENT ? this.texts.numberOf(text) : this.texts.find(text);
  }
}
