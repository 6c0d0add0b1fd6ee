import type { Sort } from "../../engine/messages/list-messages.ts";

/** A column before it is known whether the table is sorted by it. */
export interface Column<Name extends string> {
  /** `null`: the table does not sort by it. */
  readonly column: Name | null;
  readonly label: string;
  /** A fixed unit, which stands quieter beside the label. */
  readonly unit: string;
  readonly kind: string;
}

/** A column's head. */
export interface Head<Name extends string> extends Column<Name> {
  /** `null` = the list is not in this column's order. */
  readonly order: "ascending" | "descending" | null;
  readonly icon: string;
}

/** The heads from left to right, of a list in that order. */
export function headsOf<Name extends string, One extends Column<Name>>(
  columns: readonly One[],
  { column, descending }: Sort<Name>,
): readonly (One & Head<Name>)[] {
  const order = descending ? "descending" : "ascending";
  const sorted = { order, icon: `#icon-${order}` } as const;
  const unsorted = { order: null, icon: "" };
  return Object.freeze(
    columns.map((head) => Object.freeze({ ...head, ...(head.column === column ? sorted : unsorted) })),
  );
}

/** The order after a click on a head: the other way round, or the column's largest first (names: from A on). */
export function sortAfter<Name extends string>(sort: Sort<Name>, column: Name, names: readonly Name[]): Sort<Name> {
  const descending = column === sort.column ? !sort.descending : !names.includes(column);
  return Object.freeze({ column, descending });
}
