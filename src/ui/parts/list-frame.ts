/** One mounted row. Which row stands in it changes, and with it its place (slot-order.ts). */
export interface Slot<Row> {
  /** The `:key` of x-for. */
  readonly key: number;
  /** For `:id`, so that the list's aria-activedescendant can name it. */
  readonly id: string;
  /** Index in the whole list, from 0. */
  readonly index: number;
  /** For aria-rowindex: counts from 1, and the head is row 1. */
  readonly rowIndex: number;
  /** `null` while it is on its way. */
  readonly row: Row | null;
  readonly active: boolean;
  /** For aria-selected: one of those that are picked; while none is, the active one. */
  readonly selected: boolean;
}

/** What a list's markup shows: all there is to bind. */
export interface ListFrame<Row> {
  readonly slots: readonly Slot<Row>[];
  /** For aria-activedescendant; `null` where the active row is not mounted. */
  readonly activeId: string | null;
  /** For aria-rowcount: rows of the whole list and the head. */
  readonly rowCount: number;
}

/** An empty list, to start with. */
export const EMPTY_FRAME: ListFrame<never> = Object.freeze({ slots: Object.freeze([]), activeId: null, rowCount: 1 });
