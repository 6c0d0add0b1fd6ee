import type { WholeColumn } from "../table/column.ts";
import { RowPredicate } from "./row-predicate.ts";
import { MATCH, NO_MATCH, type TextMatchCache, UNKNOWN } from "./text-match-cache.ts";

/** A cached test of a repeated text. */
export class TextPredicate<Text extends string> extends RowPredicate {
  readonly #codes: TextMatchCache<Text>;
  readonly #column: WholeColumn;

  /** `column`: the number of each row's text. */
  constructor(codes: TextMatchCache<Text>, column: WholeColumn) {
    super();
    this.#codes = codes;
    this.#column = column;
  }

  override holds(row: number): boolean {
    return this.#codes.at(this.#column.at(row)) === MATCH;
  }

  override retainMatches(rows: Uint32Array, count: number): number {
    const numbers = this.#column.read(rows, count);
    const codes = this.#codes.all();
    let found = 0;
    let isOpen = false;
    for (let place = 0; place < count; place += 1) {
      const code = codes[numbers[place] as number] as number;
      if (code === NO_MATCH) continue;
      isOpen ||= code === UNKNOWN;
      rows[found] = rows[place] as number;
      found += 1;
    }
    return isOpen ? super.retainMatches(rows, found) : found;
  }
}
