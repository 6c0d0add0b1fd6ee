/* Ranges of lists. */

/**
 * The most characters of a filter: an endpoint, whose target has at most 64 KB (docs/security.md F3), and some words.
 */
export const LONGEST_FILTER = 71_000;

export interface Sort<Column extends string> {
  readonly column: Column;
  readonly descending: boolean;
}

/**
 * A range of a list: `count` rows from index `from` of the sorted, filtered list. In traffic and messages, a range
 * beyond the end becomes the last `count` rows. So a list can be read from its end before its length is known.
 */
export interface Range {
  readonly from: number;
  readonly count: number;
}

export interface ListState {
  /** The number of rows before the filter. */
  readonly total: number;
  /** The number of rows that match the filter. */
  readonly matched: number;
  /** The share of the exchanges whose bodies were searched for the filter, 0 to 1; absent if no filter waits for it. */
  readonly searched?: number;
  /** Index of the first key. */
  readonly from: number;
  /** What identifies each row of the range, in order: its key, exchange id, endpoint or message index. */
  readonly keys: readonly (string | number)[];
}
