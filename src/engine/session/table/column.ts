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
