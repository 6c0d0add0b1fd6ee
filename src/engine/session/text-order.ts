import type { Interned } from "./interned.ts";

/** The order of interned texts (or of a part of each) by number; grows with them. Equal parts rank equal. */
export class TextOrder<Text extends string> {
  readonly #texts: Interned<Text>;
  readonly #partOf: (text: Text) => string;
  #parts: string[] = [""];
  #order: number[] = [];
  #ranks = new Float64Array(1);

  constructor(texts: Interned<Text>, partOf: (text: Text) => string) {
    this.#texts = texts;
    this.#partOf = partOf;
  }

  /** By number: larger = later in the order; NaN for 0, which stands for `null`. */
  ranks(): Float64Array {
    if (this.#parts.length < this.#texts.size) this.#take();
    return this.#ranks;
  }

  #take(): void {
    const fresh: number[] = [];
    for (let number = this.#parts.length; number < this.#texts.size; number += 1) {
      const text = this.#texts.textAt(number);
      this.#parts.push(text === null ? "" : this.#partOf(text));
      fresh.push(number);
    }
    fresh.sort((a, b) => this.#compare(a, b));
    this.#order = this.#merged(fresh);
    this.#ranks = new Float64Array(this.#parts.length).fill(Number.NaN);
    let rank = 0;
    this.#order.forEach((number, place) => {
      const before = this.#order[place - 1];
      if (before !== undefined && this.#compare(before, number) !== 0) rank += 1;
      this.#ranks[number] = rank;
    });
  }

  #merged(fresh: readonly number[]): number[] {
    const merged: number[] = [];
    let next = 0;
    for (const number of this.#order) {
      for (; next < fresh.length && this.#compare(fresh[next] ?? 0, number) < 0; next += 1)
        merged.push(fresh[next] ?? 0);
      merged.push(number);
    }
    return merged.concat(fresh.slice(next));
  }

  #compare(a: number, b: number): number {
    const left = this.#parts[a] ?? "";
    const right = this.#parts[b] ?? "";
    if (left === right) return 0;
    return left < right ? -1 : 1;
  }
}
