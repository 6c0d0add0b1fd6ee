/** Our choice: rows of one chunk; a power of two. */
export const CHUNK_ROWS = 8_192;
const SHIFT = Math.log2(CHUNK_ROWS);

/** Numbers by row, in chunks, so that growing copies nothing and forgotten rows give their memory back. */
export class Column {
  readonly #form: "whole" | "real" | "instant";
  readonly #unwritten: number;
  readonly #chunks: (Uint32Array | Float64Array | null)[] = [];
  #first = 0;

  /** `whole`: 0 to 2^32-1, at first 0. `real`: at first 0. `instant`: at first NaN, which stands for `null`. */
  constructor(form: "whole" | "real" | "instant") {
    this.#form = form;
    this.#unwritten = form === "instant" ? Number.NaN : 0;
  }

  at(row: number): number {
    return this.#chunks[row >>> SHIFT]?.[row & (CHUNK_ROWS - 1)] ?? this.#unwritten;
  }

  put(row: number, value: number): void {
    const chunk = this.#chunks[row >>> SHIFT] ?? this.#newChunk(row >>> SHIFT);
    chunk[row & (CHUNK_ROWS - 1)] = value;
  }

  /** Gives back the chunks that hold only rows before `row`. */
  forgetBefore(row: number): void {
    for (; this.#first < row >>> SHIFT; this.#first += 1) this.#chunks[this.#first] = null;
  }

  #newChunk(index: number): Uint32Array | Float64Array {
    const chunk = this.#form === "whole" ? new Uint32Array(CHUNK_ROWS) : new Float64Array(CHUNK_ROWS);
    if (this.#form === "instant") chunk.fill(this.#unwritten);
    this.#chunks[index] = chunk;
    return chunk;
  }
}

/** Text by row; most rows have none. */
export class TextColumn {
  readonly #chunks: ((string | null)[] | null)[] = [];
  #first = 0;

  at(row: number): string | null {
    return this.#chunks[row >>> SHIFT]?.[row & (CHUNK_ROWS - 1)] ?? null;
  }

  put(row: number, text: string | null): void {
    let chunk = this.#chunks[row >>> SHIFT];
    if (chunk === undefined || chunk === null) {
      if (text === null) return;
      chunk = new Array<string | null>(CHUNK_ROWS).fill(null);
      this.#chunks[row >>> SHIFT] = chunk;
    }
    chunk[row & (CHUNK_ROWS - 1)] = text;
  }

  forgetBefore(row: number): void {
    for (; this.#first < row >>> SHIFT; this.#first += 1) this.#chunks[this.#first] = null;
  }
}
