import type { WholeColumn } from "./column.ts";
import { RowTest } from "./row-test.ts";
import { type TextCodes, YES } from "./text-codes.ts";

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
    const codes = this.#codes.ofRows(this.#column, rows, count);
    let kept = 0;
    for (let place = 0; place < count; place += 1) {
      if (codes[place] !== YES) continue;
      rows[kept] = rows[place] as number;
      kept += 1;
    }
    return kept;
  }
}
