/** A place for one mounted row. Its row and its index change (slot-recycler.ts). */
export interface Slot<Row> {
  /** The `:key` of x-for. */
  readonly key: number;
  /** For `:id`, so that the list's aria-activedescendant can name it. */
  readonly id: string;
  /** Index in the whole list, from 0. */
  readonly index: number;
  /** For aria-rowindex: counts from 1, where row 1 is the header. */
  readonly rowIndex: number;
  /** `null` while the row is loading. */
  readonly row: Row | null;
  readonly active: boolean;
  /** For aria-selected: whether the row is among the selected rows; if there are none, whether it is the active row. */
  readonly selected: boolean;
}

/** The state that a list's markup binds. */
export interface ListFrame<Row> {
  readonly slots: readonly Slot<Row>[];
  /** For aria-activedescendant; `null` if the active row is not mounted. */
  readonly activeId: string | null;
  /** For aria-rowcount: the number of all rows of the list, plus 1 for the header. */
  readonly rowCount: number;
}

export const EMPTY_FRAME: ListFrame<never> = Object.freeze({ slots: Object.freeze([]), activeId: null, rowCount: 1 });
