import { TextColumn, WholeColumn } from "./column.ts";
import { Interned } from "./interned.ts";

/** The most texts that are stored once for all rows. Further texts are stored by row, and evicted with it. */
const MOST_DIFFERENT = 65_536;
/** The most characters of a shared text. Longer texts hardly repeat, and a shared text stays as long as the column. */
const LONGEST = 512;

/**
 * Texts by row that may repeat; most rows have none. Shared texts have numbers, so that results can be cached by
 * number.
 */
export class RepeatingTextColumn {
  readonly texts = new Interned();
  /** By row, the number of its text among `texts`; 0 if the row has no text, or a text that is not shared. */
  readonly numbers = new WholeColumn();
  readonly #own = new TextColumn();
  #hasOthers = false;

  /** Whether a row has, or had, a text that is stored by row instead of shared. */
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

  /** The number of characters that are stored for this row alone. */
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
