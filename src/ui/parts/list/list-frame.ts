/** One mounted row. Its row and its position change (slot-recycler.ts). */
export interface Slot<Row> {
  /** The `:key` of x-for. */
  readonly key: number;
  /** For `:id`, so that the list's aria-activedescendant can name it. */
  readonly id: string;
  /** Index in the whole list, from 0. */
  readonly index: number;
  /** For aria-rowindex: counts from 1, and the header is row 1. */
  readonly rowIndex: number;
  /** `null` while it is loading. */
  readonly row: Row | null;
  readonly active: boolean;
  /** For aria-selected: one of the selected rows; without any, the active one. */
  readonly selected: boolean;
}

/** The state that a list's markup binds. */
export interface ListFrame<Row> {
  readonly slots: readonly Slot<Row>[];
  /** For aria-activedescendant; `null` where the active row is not mounted. */
  readonly activeId: string | null;
  /** For aria-rowcount: rows of the whole list and the header. */
  readonly rowCount: number;
}

/** The initial, empty list. */
export const EMPTY_FRAME: ListFrame<never> = Object.freeze({ slots: Object.freeze([]), activeId: null, rowCount: 1 });
