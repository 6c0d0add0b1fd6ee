import type { WholeColumn } from "../table/column.ts";
import { MATCH, type TextMatchCache, UNKNOWN } from "./text-match-cache.ts";

/** One term of a filter, as a test of rows. */
export interface RowPredicate {
  readonly holds: (row: number) => boolean;
  /** Moves the matching rows among the first `count` to the front, in order, and returns their number. */
  readonly retainMatches: (rows: Uint32Array, count: number) => number;
}

export function rowPredicate(holds: (row: number) => boolean): RowPredicate {
  return { holds, retainMatches: (rows, count) => retained(rows, count, holds) };
}

/** A column with the numbers of texts, and the texts' codes. */
interface CodedColumn {
  readonly numbers: WholeColumn;
  readonly codes: Pick<TextMatchCache<string>, "all">;
}

/**
 * A test that the codes of a row's texts decide for most rows. `holds`: the test of one row; `openTo`: the codes of which
 * one is needed to match.
 */
export function codedPredicate(
  [first, second = first, third = first]: readonly [CodedColumn, CodedColumn?, CodedColumn?],
  holds: (row: number) => boolean,
  openTo = (): number => MATCH | UNKNOWN,
): RowPredicate {
  const isAlone = second === first;
  return {
    holds,
    retainMatches: (rows, count) => {
      const [firsts, seconds] = [first.numbers.read(rows, count), second.numbers.read(rows, count)];
      const thirds = third.numbers.read(rows, count);
      const [firstCodes, secondCodes, thirdCodes] = [first.codes.all(), second.codes.all(), third.codes.all()];
      const open = openTo();
      // Keeps rows that match or need a further test. `isOpen`: whether a kept row needs one.
      let found = 0;
      let isOpen = false;
      for (let place = 0; place < count; place += 1) {
        let codes = firstCodes[firsts[place] as number] as number;
        if (!isAlone)
          codes |= (secondCodes[seconds[place] as number] as number) | (thirdCodes[thirds[place] as number] as number);
        if ((codes & open) === 0) continue;
        isOpen ||= (codes & MATCH) === 0;
        rows[found] = rows[place] as number;
        found += 1;
      }
      return isOpen ? retained(rows, found, holds) : found;
    },
  };
}

function retained(rows: Uint32Array, count: number, holds: (row: number) => boolean): number {
  let kept = 0;
  for (let place = 0; place < count; place += 1) {
    const row = rows[place] as number;
    if (!holds(row)) continue;
    rows[kept] = row;
    kept += 1;
  }
  return kept;
}
