import type { WholeColumn } from "./column.ts";
import { RowTest } from "./row-test.ts";
import { NO, type TextCodes, UNKNOWN, YES } from "./text-codes.ts";

/** A test of a text that repeats: each is looked at once. */
export class TextTest<Text extends string> extends RowTest {
  readonly #codes: TextCodes<Text>;
  readonly #column: WholeColumn;

  /** `column`: of each row the number of its text. */
  constructor(codes: TextCodes<Text>, column: WholeColumn) {
    super();
    this.#codes = codes;
    this.#column = column;
  }

  override holds(row: number): boolean {
    return this.#codes.at(this.#column.at(row)) === YES;
  }

  override keep(rows: Uint32Array, count: number): number {
    const numbers = this.#column.read(rows, count);
    const codes = this.#codes.all();
    let found = 0;
    let isOpen = false;
    for (let place = 0; place < count; place += 1) {
      const code = codes[numbers[place] as number] as number;
      if (code === NO) continue;
      isOpen ||= code === UNKNOWN;
      rows[found] = rows[place] as number;
      found += 1;
    }
    return isOpen ? super.keep(rows, found) : found;
  }
}
