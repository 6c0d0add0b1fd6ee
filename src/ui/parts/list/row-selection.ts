import {
  ALL_SELECTED,
  isSelectedRow,
  NOTHING_SELECTED,
  type RowPosition,
  relocated,
  type SelectedRows,
  selectedBetween,
  toggled,
} from "./selected-rows.ts";

export interface ModifierKeys {
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** Multiple selection in a list: Shift extends a range from its pivot, Ctrl or Cmd toggles a single row. */
export class RowSelection {
  /** `null`: only the active row of this list can be selected. */
  readonly #onChange: ((selected: SelectedRows) => void) | null;
  #selected = NOTHING_SELECTED;
  /** The row from which a range selected with Shift extends. */
  #pivot: RowPosition | null = null;
  #isExtending = false;

  constructor(onChange: ((selected: SelectedRows) => void) | null) {
    this.#onChange = onChange;
  }

  /** Whether the row is selected; if nothing is selected, whether it is the active row. */
  isSelected(index: number, active: boolean): boolean {
    return this.#selected.length === 0 ? active : isSelectedRow(this.#selected, index);
  }

  /** Clears the selection. Returns false if nothing was selected. */
  clear(): boolean {
    this.#pivot = null;
    this.#isExtending = false;
    if (this.#selected.length === 0) return false;
    this.#select(NOTHING_SELECTED);
    return true;
  }

  /** Updates the selection after a change of the list. */
  follow(count: number, indexOf: (key: RowPosition["key"]) => number | null): void {
    if (count === 0) this.clear();
    else this.#select(relocated(this.#selected, indexOf));
  }

  /**
   * Handles Ctrl+A or Cmd+A, which selects all rows, and Escape, which clears the selection. Returns true if the key
   * was handled.
   */
  handleKey(event: ModifierKeys & Pick<KeyboardEvent, "key" | "altKey">): boolean {
    if (this.#onChange === null || event.altKey || event.shiftKey) return false;
    if (event.key === "Escape") return this.clear();
    if (event.key !== "a" || !(event.ctrlKey || event.metaKey)) return false;
    this.clear();
    this.#select(ALL_SELECTED);
    return true;
  }

  /** Called before a key moves the active row away from `active`. */
  keyMoved(active: RowPosition | null, { shiftKey }: ModifierKeys): void {
    if (!shiftKey) this.clear();
    else this.#pivot ??= active;
    this.#isExtending = this.#onChange !== null && shiftKey && this.#pivot !== null;
  }

  /**
   * Extends the selection from the pivot to the active row, if the key was pressed with Shift. Called when the active
   * row has moved and the new row's key is known.
   */
  extendTo(active: RowPosition | null): void {
    if (this.#isExtending && this.#pivot !== null && active !== null)
      this.#select(selectedBetween(this.#pivot, active));
  }

  /**
   * Handles a press on a row whose neighbours are `near`. Returns true if the press changed a multiple selection; false
   * for a plain press.
   */
  press(
    position: RowPosition,
    near: readonly [RowPosition | null, RowPosition | null],
    active: RowPosition | null,
    keys: ModifierKeys,
  ): boolean {
    if (this.#onChange === null || !(keys.shiftKey || keys.ctrlKey || keys.metaKey)) return false;
    if (keys.shiftKey) {
      this.#pivot ??= active ?? position;
      this.#select(selectedBetween(this.#pivot, position));
      return true;
    }
    const before = this.#selected.length === 0 && active !== null ? selectedBetween(active, active) : this.#selected;
    this.#select(toggled(before, position, ...near));
    this.#pivot = position;
    return true;
  }

  #select(selected: SelectedRows): void {
    if (selected === this.#selected) return;
    this.#selected = selected;
    this.#onChange?.(selected);
  }
}
