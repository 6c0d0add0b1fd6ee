import { CHUNK_ROWS, Chunks, SHIFT } from "./column.ts";

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
