type Key = string | number;

/** A row by its key, with its last known index. */
export interface RowPosition {
  readonly key: Key;
  readonly index: number;
}

/** A range of rows, both ends included; `null`: the list's end on that side. */
export interface SelectionRange {
  readonly from: RowPosition | null;
  readonly to: RowPosition | null;
}

/**
 * The selected rows, as ranges: a million rows take no more memory than two. Rows inserted within a range are selected
 * too.
 */
export type SelectedRows = readonly SelectionRange[];

export const NOTHING_SELECTED: SelectedRows = Object.freeze([]);

export const ALL_SELECTED: SelectedRows = Object.freeze([Object.freeze({ from: null, to: null })]);

export function isSelectedRow(selected: SelectedRows, index: number): boolean {
  return selected.some(({ from, to }) => (from === null || from.index <= index) && (to === null || index <= to.index));
}

/** All rows between two rows, both included. The two may come in either order. */
export function selectedBetween(one: RowPosition, other: RowPosition): SelectedRows {
  const [from, to] = one.index <= other.index ? [one, other] : [other, one];
  return Object.freeze([Object.freeze({ from, to })]);
}

/** Toggles a row in the selection. `before` and `after` are the row's neighbours; `null`: there is none. */
export function toggled(
  selected: SelectedRows,
  position: RowPosition,
  before: RowPosition | null,
  after: RowPosition | null,
): SelectedRows {
  if (!isSelectedRow(selected, position.index))
    return Object.freeze([...selected, ...selectedBetween(position, position)]);
  return Object.freeze(
    selected.flatMap((range) =>
      isSelectedRow([range], position.index) ? parted(range, position, before, after) : [range],
    ),
  );
}

/** The two parts of a range on both sides of one of its rows. */
function parted(
  { from, to }: SelectionRange,
  { index }: RowPosition,
  before: RowPosition | null,
  after: RowPosition | null,
): SelectionRange[] {
  const parts: SelectionRange[] = [];
  if (before !== null && (from === null || from.index < index)) parts.push({ from, to: before });
  if (after !== null && (to === null || to.index > index)) parts.push({ from: after, to });
  return parts.map((part) => Object.freeze(part));
}

/** Updates the ends of all ranges to the current indices of their rows; an unknown index stays. */
export function relocated(selected: SelectedRows, indexOf: (key: Key) => number | null): SelectedRows {
  const moved = (position: RowPosition | null): RowPosition | null => {
    const index = position === null ? null : indexOf(position.key);
    return position === null || index === null || index === position.index
      ? position
      : Object.freeze({ ...position, index });
  };
  const now = selected.map((range) => {
    const [from, to] = [moved(range.from), moved(range.to)];
    return from === range.from && to === range.to ? range : Object.freeze({ from, to });
  });
  return now.every((range, at) => range === selected[at]) ? selected : Object.freeze(now);
}
