import type { ExchangeId } from "../../model/units.ts";
import { textOfLatin1 } from "../../quoting/utf8.ts";
import { type RepeatingTextColumn, WholeColumn } from "./column.ts";
import type { HeadsOf } from "./header-columns.ts";
import { Interned } from "./interned.ts";

/** The rows for which a column is read. */
interface Rows {
  readonly ids: WholeColumn;
  readonly firstRow: number;
  targetAt(row: number): string;
}

/** A test of a row whose target is given. */
export type TargetTest = (row: number, target: string) => boolean;

/** The most columns that are kept; the ones used last stay. */
const KEPT = 16;

const NO_MATCH = 1;
const MATCH = 2;

/** The results of one test for the rows with abbreviated targets, whose whole targets are read from storage. */
export class LongTargetColumn {
  readonly #rows: Rows;
  readonly #long: readonly number[];
  readonly #test: TargetTest;
  readonly #results = new WholeColumn();
  #next = 0;

  constructor(rows: Rows, long: readonly number[], test: TargetTest) {
    this.#rows = rows;
    this.#long = long;
    this.#test = test;
  }

  /** Whether there is a row whose target is abbreviated. */
  get isNeeded(): boolean {
    return this.#long.length > 0;
  }

  get isComplete(): boolean {
    return this.#next >= this.#long.length;
  }

  read(headsOf: HeadsOf, most: number): void {
    const { ids, firstRow } = this.#rows;
    for (let left = most; left > 0 && !this.isComplete; left -= 1) {
      const row = this.#long[this.#next] as number;
      this.#next += 1;
      if (row < firstRow) continue;
      const stored = headsOf(ids.at(row) as ExchangeId)?.target;
      const target = stored === undefined ? this.#rows.targetAt(row) : textOfLatin1(stored);
      this.#results.put(row, this.#test(row, target) ? MATCH : NO_MATCH);
    }
  }

  forgetBefore(row: number): void {
    this.#results.forgetBefore(row);
  }

  /** The result for the row; `null` if its target is not abbreviated, or not read yet. */
  at(row: number): boolean | null {
    const result = this.#results.at(row);
    return result === 0 ? null : result === MATCH;
  }
}

/** The rows whose targets are abbreviated, and the columns by which filters test them. */
export class LongTargets {
  readonly #rows: Rows;
  readonly #long: number[] = [];
  readonly #columns = new Map<string, LongTargetColumn>();

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** Adds a row whose target is abbreviated. */
  add(row: number): void {
    this.#long.push(row);
  }

  /** The column of a test, created if there is none. `key`: what the test looks for. */
  of(key: string, test: TargetTest): LongTargetColumn {
    const column = this.#columns.get(key) ?? new LongTargetColumn(this.#rows, this.#long, test);
    this.#columns.delete(key);
    this.#columns.set(key, column);
    for (const oldest of this.#columns.keys()) {
      if (this.#columns.size <= KEPT) break;
      this.#columns.delete(oldest);
    }
    return column;
  }

  forgetBefore(row: number): void {
    for (const column of this.#columns.values()) column.forgetBefore(row);
  }
}

/**
 * The parts of the targets in a table, such as the values of a parameter. Each distinct target is read once. Targets
 * that are stored for a single row are left out.
 */
export class TargetParts {
  readonly #targets: Pick<RepeatingTextColumn, "texts">;
  readonly #partsOf: (target: string) => Iterable<string>;
  readonly #parts = new Interned();
  /** By a target's number, the numbers of its parts. */
  readonly #read: (readonly number[])[] = [NONE];

  constructor(targets: Pick<RepeatingTextColumn, "texts">, partsOf: (target: string) => Iterable<string>) {
    this.#targets = targets;
    this.#partsOf = partsOf;
  }

  /** Reads at most `most` targets; returns `false` if there are more. */
  read(most: number): boolean {
    const { texts } = this.#targets;
    const end = Math.min(texts.size, this.#read.length + most);
    while (this.#read.length < end) {
      const parts = new Set(this.#partsOf(texts.textAt(this.#read.length) ?? ""));
      this.#read.push(parts.size === 0 ? NONE : Array.from(parts, (part) => this.#parts.numberOf(part)));
    }
    return this.#read.length >= texts.size;
  }

  /**
   * The number of exchanges by part. `exchanges`: the number of exchanges by the target's number. Targets that were not
   * read yet are left out.
   */
  countsOf(exchanges: ArrayLike<number>): ReadonlyMap<string, number> {
    const byPart = new Map<number, number>();
    for (const [number, parts] of this.#read.entries())
      for (const part of exchanges[number] ? parts : NONE)
        byPart.set(part, (byPart.get(part) ?? 0) + (exchanges[number] as number));
    return new Map(Array.from(byPart, ([part, count]) => [this.#parts.textAt(part) ?? "", count]));
  }
}

const NONE: readonly number[] = Object.freeze([]);
