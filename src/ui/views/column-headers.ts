import type { Sort } from "../../engine/messages/list-messages.ts";

/** A column. `ColumnHeader` adds whether the list is sorted by it. */
export interface Column<Name extends string> {
  /** `null`: not sortable. */
  readonly column: Name | null;
  readonly label: string;
  /** The unit of all values, shown beside the label. */
  readonly unit: string;
  readonly kind: string;
}

/** A column's header. */
export interface ColumnHeader<Name extends string> extends Column<Name> {
  /** `null`: the list is not ordered by this column. */
  readonly order: "ascending" | "descending" | null;
  readonly icon: string;
}

/** The headers from left to right, for a list in the given order. */
export function headersOf<Name extends string, One extends Column<Name>>(
  columns: readonly One[],
  { column, descending }: Sort<Name>,
): readonly (One & ColumnHeader<Name>)[] {
  const order = descending ? "descending" : "ascending";
  const sorted = { order, icon: `#icon-${order}` } as const;
  const unsorted = { order: null, icon: "" };
  return Object.freeze(
    columns.map((head) => Object.freeze({ ...head, ...(head.column === column ? sorted : unsorted) })),
  );
}

/**
 * The order after a click on a header. Reverses the order of the current column; another column begins with its largest
 * value, or with A for names.
 */
export function sortAfter<Name extends string>(sort: Sort<Name>, column: Name, names: readonly Name[]): Sort<Name> {
  const descending = column === sort.column ? !sort.descending : !names.includes(column);
  return Object.freeze({ column, descending });
}
