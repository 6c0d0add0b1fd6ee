import type { WholeColumn } from "./column.ts";

/** Texts by number, as `Interned` has them. */
interface Numbered<Text extends string> {
  readonly size: number;
  textAt(number: number): Text | null;
}

export const NO = 1;
export const YES = 2;
const UNKNOWN = 0;

/** What is told of each text once, by its number: a code from 1 to 255. */
export class TextCodes<Text extends string> {
  readonly #texts: Numbered<Text>;
  readonly #codeOf: (text: Text) => number;
  #codes: Uint8Array;
  readonly #none: number;
  /** What `ofRows` read last. */
  #numbers = new Uint32Array(0);
  #read = new Uint8Array(0);

  /** `none`: the code of the number 0, which stands for no text. */
  constructor(texts: Numbered<Text>, codeOf: (text: Text) => number, none = NO) {
    this.#texts = texts;
    this.#codeOf = codeOf;
    this.#none = none;
    this.#codes = new Uint8Array(Math.max(64, texts.size));
  }

  at(number: number): number {
    const known = this.#codes[number] ?? UNKNOWN;
    return known === UNKNOWN ? this.#tell(number) : known;
  }

  /** The codes of many rows, as `WholeColumn.read` has them, by their numbers in `column`. Good until the next call. */
  ofRows(column: WholeColumn, rows: Uint32Array, count: number): Uint8Array {
    if (this.#read.length < count) {
      this.#numbers = new Uint32Array(count);
      this.#read = new Uint8Array(count);
    }
    const [numbers, read, codes] = [this.#numbers, this.#read, this.#codes];
    column.read(rows, count, numbers);
    // A loop without a call takes a third of the time.
    let isUnknown = false;
    for (let place = 0; place < count; place += 1) {
      const code = codes[numbers[place] as number] ?? UNKNOWN;
      read[place] = code;
      if (code === UNKNOWN) isUnknown = true;
    }
    if (isUnknown) for (let place = 0; place < count; place += 1) read[place] = this.at(numbers[place] as number);
    return read;
  }

  #tell(number: number): number {
    if (number >= this.#codes.length) {
      const larger = new Uint8Array(2 * Math.max(this.#texts.size, number));
      larger.set(this.#codes);
      this.#codes = larger;
    }
    const text = this.#texts.textAt(number);
    const code = text === null ? this.#none : this.#codeOf(text);
    this.#codes[number] = code;
    return code;
  }
}
