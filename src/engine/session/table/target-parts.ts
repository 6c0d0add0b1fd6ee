import { Interned } from "./interned.ts";
import type { RepeatingTextColumn } from "./repeating-text-column.ts";

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
