import { TextColumn, WholeColumn } from "./column.ts";
import { Interned } from "./interned.ts";

/** Our choice: so many different texts are kept once each; others are kept row by row, so that they leave with their rows. */
const MOST_DIFFERENT = 65_536;
/** Our choice, in characters: a longer text hardly comes again, and what is kept once is kept as long as the column. */
const LONGEST = 512;

/** Text by row that may stand in many rows; most rows have none. What is told of a text can be told by its number. */
export class RepeatingTextColumn {
  readonly texts = new Interned();
  /** Of each row the number of its text among `texts`; 0 if it has none, or one that is not among them. */
  readonly numbers = new WholeColumn();
  readonly #own = new TextColumn();
  #hasOthers = false;

  /** Whether a row has, or had, a text that is not among `texts`. */
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

  forgetBefore(row: number): void {
    this.numbers.forgetBefore(row);
    this.#own.forgetBefore(row);
  }

  #numberOf(text: string): number {
    if (text.length > LONGEST) return 0;
    return this.texts.size <= MOST_DIFFERENT ? this.texts.numberOf(text) : this.texts.find(text);
  }
}
