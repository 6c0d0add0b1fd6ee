import type { Sort } from "../../engine/messages/list-messages.ts";

export interface Column<Name extends string> {
  /** The name for sorting; `null`: the list cannot be sorted by this column. */
  readonly column: Name | null;
  readonly label: string;
  /** The unit of all values, shown beside the label. */
  readonly unit: string;
  readonly kind: string;
}

/** A column, and whether the list is sorted by it. */
export interface ColumnHeader<Name extends string> extends Column<Name> {
  /** `null`: the list is not sorted by this column. */
  readonly order: "ascending" | "descending" | null;
  readonly icon: string;
}

/** A header for each column, in the order of `columns`. The list is sorted by `column`. */
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

/** The order in a text such as "-p95"; `otherwise` if the text is none of `columns`. */
export function sortIn<Name extends string>(
  text: string | null,
  columns: readonly Name[],
  otherwise: Sort<Name>,
): Sort<Name> {
  const descending = text?.startsWith("-") ?? false;
  const column = columns.find((known) => known === (descending ? text?.slice(1) : text));
  return column === undefined ? otherwise : Object.freeze({ column, descending });
}

/** The order as a text for `sortIn`. */
export function sortTextOf({ column, descending }: Sort<string>): string {
  return `${descending ? "-" : ""}${column}`;
}

/**
 * The sort order after a click on a column's header. The current column is reversed. Columns in `names` start in
 * ascending order, all others in descending order.
 */
export function sortAfter<Name extends string>(sort: Sort<Name>, column: Name, names: readonly Name[]): Sort<Name> {
  const descending = column === sort.column ? !sort.descending : !names.includes(column);
  return Object.freeze({ column, descending });
}
