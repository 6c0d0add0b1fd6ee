import type { Interned } from "./interned.ts";

/**
 * The ranks of interned texts, or of a part of each text. They are computed again after texts were added; equal parts
 * have equal ranks.
 */
export class TextOrder<Text extends string> {
  readonly #texts: Interned<Text>;
  readonly #partOf: (text: Text) => string;
  #parts: string[] = [""];
  readonly #order: number[] = [];
  #ranks = new Float64Array(1);

  constructor(texts: Interned<Text>, partOf: (text: Text) => string) {
    this.#texts = texts;
    this.#partOf = partOf;
  }

  /** The rank of each text in ascending order, by the text's number; NaN for number 0, which stands for `null`. */
  ranks(): Float64Array {
    if (this.#parts.length < this.#texts.size) this.#take();
    return this.#ranks;
  }

  #take(): void {
    for (let number = this.#parts.length; number < this.#texts.size; number += 1) {
      const text = this.#texts.textAt(number);
      this.#parts.push(text === null ? "" : this.#partOf(text));
      this.#order.push(number);
    }
    this.#order.sort((a, b) => this.#compare(a, b));
    this.#ranks = new Float64Array(this.#parts.length).fill(Number.NaN);
    let rank = 0;
    this.#order.forEach((number, place) => {
      const before = this.#order[place - 1];
      if (before !== undefined && this.#compare(before, number) !== 0) rank += 1;
      this.#ranks[number] = rank;
    });
  }

  #compare(a: number, b: number): number {
    const left = this.#parts[a] ?? "";
    const right = this.#parts[b] ?? "";
    if (left === right) return 0;
    return left < right ? -1 : 1;
  }
}
