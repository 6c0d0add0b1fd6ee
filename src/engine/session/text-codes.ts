/** Texts by number, as `Interned` has them. */
export interface Numbered<Text extends string> {
  readonly size: number;
  textAt(number: number): Text | null;
}

/** Each status by its number, which has three digits; 0: there is none. */
export const STATUSES: Numbered<string> = { size: 1_000, textAt: (status) => (status === 0 ? null : String(status)) };

/** Codes are bits, so that one look at several of them together tells whether any is of a kind. */
export const NO = 1;
export const YES = 2;
/** Not told yet. */
export const UNKNOWN = 128;

/** What is told of each text once, by its number: one bit. */
export class TextCodes<Text extends string> {
  readonly #texts: Numbered<Text>;
  readonly #codeOf: (text: Text) => number;
  readonly #none: number;
  #codes: Uint8Array;

  /** `none`: the code of the number 0, which stands for no text. */
  constructor(texts: Numbered<Text>, codeOf: (text: Text) => number, none = NO) {
    this.#texts = texts;
    this.#codeOf = codeOf;
    this.#none = none;
    this.#codes = new Uint8Array(Math.max(64, texts.size)).fill(UNKNOWN);
  }

  at(number: number): number {
    const known = this.#codes[number] ?? UNKNOWN;
    return known === UNKNOWN ? this.#tell(number) : known;
  }

  /** What is told so far, for every number that there is. Good until there are more. A loop that calls `at` takes three times as long. */
  all(): Uint8Array {
    if (this.#texts.size > this.#codes.length) this.#grow(this.#texts.size);
    return this.#codes;
  }

  #tell(number: number): number {
    if (number >= this.#codes.length) this.#grow(number);
    const text = this.#texts.textAt(number);
    const code = text === null ? this.#none : this.#codeOf(text);
    this.#codes[number] = code;
    return code;
  }

  #grow(least: number): void {
    const larger = new Uint8Array(2 * Math.max(this.#texts.size, least)).fill(UNKNOWN);
    larger.set(this.#codes);
    this.#codes = larger;
  }
}
