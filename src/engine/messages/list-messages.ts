/* Lists: which rows of which order a window holds. */

export interface Sort<Column extends string> {
  readonly column: Column;
  readonly descending: boolean;
}

/**
 * Which rows of a list: `count` rows from index `from` of the sorted, filtered whole. Of traffic and messages, a range that
 * begins too far down is moved up to the last `count` rows, so that who reads from the end need not ask for the length first.
 */
export interface Range {
  readonly from: number;
  readonly count: number;
}

export interface ListState {
  /** Rows in all, before the filter. */
  readonly total: number;
  /** Rows that match. */
  readonly matched: number;
  /** Index of the first key. */
  readonly from: number;
  /** Identity of each row of the window, in order: its key, exchange id, endpoint, or message index. */
  readonly keys: readonly (string | number)[];
}
