import type { Interned } from "./interned.ts";

export const NO = 1;
export const YES = 2;
const UNKNOWN = 0;

/** What is told of each text once, by its number: a number from 1 to 255. */
export class TextCodes<Text extends string> {
  readonly #texts: Interned<Text>;
  readonly #codeOf: (text: Text) => number;
  #codes: Uint8Array;

  constructor(texts: Interned<Text>, codeOf: (text: Text) => number) {
    this.#texts = texts;
    this.#codeOf = codeOf;
    this.#codes = new Uint8Array(Math.max(64, texts.size));
  }

  /** `NO` for the number 0, which stands for no text. */
  at(number: number): number {
    const known = this.#codes[number] ?? UNKNOWN;
    return known === UNKNOWN ? this.#tell(number) : known;
  }

  #tell(number: number): number {
    if (number >= this.#codes.length) {
      const larger = new Uint8Array(2 * Math.max(this.#texts.size, number));
      larger.set(this.#codes);
      this.#codes = larger;
    }
    const text = this.#texts.textAt(number);
    const code = text === null ? NO : this.#codeOf(text);
    this.#codes[number] = code;
    return code;
  }
}
