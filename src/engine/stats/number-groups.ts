/** Numbers of one block; the cell behind them says where the group's next block begins. Of whole numbers that is a cache line. */
const BLOCK = 15;
const STRIDE = BLOCK + 1;

/** Our choice, cells: the memory grows by such pieces; the first one doubles until it is a whole one. */
const SHIFT = 12;
const PIECE = 1 << SHIFT;

/** What 32 bits hold. */
const MOST = 2 ** 32 - 1;

/**
 * Instants of this century are so many parts of a millisecond apart (doubles between 2^40 and 2^41), and so are all lengths
 * of time between them: as whole numbers they take half the room, and lose nothing.
 */
const PARTS = 4_096;

/** What is kept of a group: its first cell, the cell that is written next, how many numbers it has. */
const FIELDS = 3;
const NEXT = 1;
const COUNT = 2;

/** What is kept of groups comes into being for so many at a time, as many as LatencyTally has to the octave: most have no number. */
const PAGE_SHIFT = 5;
const PAGE = 1 << PAGE_SHIFT;

type Piece = Float64Array | Uint32Array;

/**
 * Groups of numbers, each in the order in which they came: lengths of time, in ms, or whole numbers from 0 to 2^32-1. Lengths
 * that are no whole number of parts, or longer than 17 minutes, turn all of them into doubles. All lie in one memory, in blocks:
 *
 *   cells   │ 15 of group 3 ─┐ │ 15 of group 7, … │ └▶ 15 of group 3, … │       to add one touches two places of memory
 */
export class NumberGroups {
  /** A stored number is so many times the number it stands for; `null`: it is a double. */
  #scale: number | null;
  /** By a group's page, once one of its groups has a number. No typed arrays, which for one group alone would be the larger part of it. */
  readonly #pages: (number[] | null)[];
  /** Of one page. */
  readonly #fields: number;
  readonly #pieces: Piece[];
  /** Cells of all blocks. */
  #used = 0;

  constructor(form: "length" | "whole", groups: number) {
    this.#scale = form === "length" ? PARTS : 1;
    this.#pages = Array.from({ length: Math.ceil(groups / PAGE) }, () => null);
    this.#fields = FIELDS * Math.min(groups, PAGE);
    this.#pieces = [this.#newPiece(STRIDE)];
  }

  /** How many numbers that group has. */
  count(group: number): number {
    return this.#pages[group >>> PAGE_SHIFT]?.[(group & (PAGE - 1)) * FIELDS + COUNT] ?? 0;
  }

  push(group: number, value: number): void {
    if (this.#scale !== null && !isStored(value * this.#scale)) this.#becomeDoubles(this.#scale);
    const page = this.#pages[group >>> PAGE_SHIFT] ?? this.#newPage(group >>> PAGE_SHIFT);
    const at = (group & (PAGE - 1)) * FIELDS;
    const count = page[at + COUNT] as number;
    let cell = page[at + NEXT] as number;
    if (count === 0 || (cell & BLOCK) === BLOCK) {
      const begin = this.#newBlock();
      if (count === 0) page[at] = begin;
      else this.#put(cell, begin);
      cell = begin;
    }
    this.#put(cell, this.#scale === null ? value : value * this.#scale);
    page[at + NEXT] = cell + 1;
    page[at + COUNT] = count + 1;
  }

  /** Copies a group to `target` from `offset` on; returns where the next would go. */
  copyTo(group: number, target: Float64Array, offset: number): number {
    // A power of two, so this is exact, and quicker than to divide.
    const part = 1 / (this.#scale ?? 1);
    const end = offset + this.count(group);
    let cell = this.#pages[group >>> PAGE_SHIFT]?.[(group & (PAGE - 1)) * FIELDS] ?? 0;
    for (let to = offset; to < end; ) {
      const piece = this.#pieces[cell >>> SHIFT] as Piece;
      const from = cell & (PIECE - 1);
      const count = Math.min(BLOCK, end - to);
      for (let place = 0; place < count; place += 1) target[to + place] = (piece[from + place] as number) * part;
      cell = piece[from + BLOCK] as number;
      to += count;
    }
    return end;
  }

  #newPage(index: number): number[] {
    const page = Array.from({ length: this.#fields }, () => 0);
    this.#pages[index] = page;
    return page;
  }

  /** Where it begins. */
  #newBlock(): number {
    const begin = this.#used;
    const last = this.#pieces[this.#pieces.length - 1] as Piece;
    if (begin === (this.#pieces.length - 1) * PIECE + last.length) this.#grow(last);
    this.#used += STRIDE;
    return begin;
  }

  #put(cell: number, stored: number): void {
    (this.#pieces[cell >>> SHIFT] as Piece)[cell & (PIECE - 1)] = stored;
  }

  #grow(last: Piece): void {
    if (last.length === PIECE) {
      this.#pieces.push(this.#newPiece(PIECE));
      return;
    }
    const larger = this.#newPiece(2 * last.length);
    larger.set(last);
    this.#pieces[0] = larger;
  }

  #becomeDoubles(scale: number): void {
    this.#scale = null;
    for (const [index, piece] of this.#pieces.entries()) {
      this.#pieces[index] = Float64Array.from(piece, (stored, cell) =>
        (cell & BLOCK) === BLOCK ? stored : stored / scale,
      );
    }
  }

  #newPiece(room: number): Piece {
    return this.#scale === null ? new Float64Array(room) : new Uint32Array(room);
  }
}

function isStored(value: number): boolean {
  return value <= MOST && value >= 0 && Number.isInteger(value);
}
