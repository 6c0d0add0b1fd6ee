import { TextColumn, WholeColumn } from "./column.ts";
import { Interned } from "./interned.ts";

/**
 * Different texts stored once each; others are stored by row and evicted with it. Default; not from a specification.
 */
const MOST_DIFFERENT = 65_536;
/**
 * Characters; longer texts hardly repeat, and a shared text is kept as long as the column. Default; not from a
 * specification.
 */
const LONGEST = 512;

/**
 * Text by row that may repeat; most rows have none. Shared texts have numbers, so that results can be cached by number.
 */
export class RepeatingTextColumn {
  readonly texts = new Interned();
  /** The number of each row's text among `texts`; 0 if it has none, or one that is not shared. */
  readonly numbers = new WholeColumn();
  readonly #own = new TextColumn();
  #hasOthers = false;

  /** Whether some row has, or had, a text that is stored by row rather than shared. */
  get hasOthers(): boolean {
    return this.#hasOthers;
  }

  at(row: number): string | null {
    const number = this.numbers.at(row);
    return number === 0 ? this.#own.at(row) : this.texts.textAt(number);
  }

  put(row: number, text: string | null): void {
    const number = text === null ? 0 : this.#numberOf(text);
    if (number !== this.numbers.at(row)) this.numbers.put(row, number);
    this.#hasOthers ||= number === 0 && text !== null;
    this.#own.put(row, number === 0 ? text : null);
  }

  /** The characters stored for that row alone. */
  ownLengthAt(row: number): number {
    return this.numbers.at(row) === 0 ? (this.#own.at(row)?.length ?? 0) : 0;
  }

  forgetBefore(row: number): void {
    this.numbers.forgetBefore(row);
    this.#own.forgetBefore(row);
  }

  #numberOf(text: string): number {
    if (text.length > LONGEST) return 0;
    return this.texts.size <= MOST_DIFFERENT ? this.texts.numberOf(text) : this.texts.find(text);
  }
}
