import {
  ALL_PICKED,
  isPicked,
  NOTHING_PICKED,
  type Picked,
  type Place,
  pickedBetween,
  relocated,
  toggled,
} from "./picked-rows.ts";

/** What a key or a button of the mouse was held with. */
export interface HeldKeys {
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** How several rows of a list are picked: Shift draws a stretch out from where it was begun, Ctrl or Cmd turns single rows. */
export class RowPicking {
  /** `null`: this list has but its active row. */
  readonly #told: ((picked: Picked) => void) | null;
  #picked = NOTHING_PICKED;
  /** Where a stretch begins that Shift draws out. */
  #pivot: Place | null = null;
  #isDrawing = false;

  constructor(told: ((picked: Picked) => void) | null) {
    this.#told = told;
  }

  /** Whether the row counts as selected: while none are picked, that is the active one. */
  isSelected(index: number, active: boolean): boolean {
    return this.#picked.length === 0 ? active : isPicked(this.#picked, index);
  }

  /** False: there was nothing to give up. */
  clear(): boolean {
    this.#pivot = null;
    this.#isDrawing = false;
    if (this.#picked.length === 0) return false;
    this.#pick(NOTHING_PICKED);
    return true;
  }

  /** The list has changed. */
  follow(count: number, indexOf: (key: Place["key"]) => number | null): void {
    if (count === 0) this.clear();
    else this.#pick(relocated(this.#picked, indexOf));
  }

  /** Ctrl or Cmd+A picks all, Escape none; true where the key was one of these. */
  takes(event: HeldKeys & Pick<KeyboardEvent, "key" | "altKey">): boolean {
    if (this.#told === null || event.altKey || event.shiftKey) return false;
    if (event.key === "Escape") return this.clear();
    if (event.key !== "a" || !(event.ctrlKey || event.metaKey)) return false;
    this.clear();
    this.#pick(ALL_PICKED);
    return true;
  }

  /** A key moves the active row away from that place. */
  leave(active: Place | null, { shiftKey }: HeldKeys): void {
    if (!shiftKey) this.clear();
    else this.#pivot ??= active;
    this.#isDrawing = this.#told !== null && shiftKey && this.#pivot !== null;
  }

  /** The active row has come there, and its key is known. */
  reach(active: Place | null): void {
    if (this.#isDrawing && this.#pivot !== null && active !== null) this.#pick(pickedBetween(this.#pivot, active));
  }

  /** For a press on a row, between its neighbours: true if it picked one of several, false if it means that row alone. */
  press(place: Place, near: readonly [Place | null, Place | null], active: Place | null, held: HeldKeys): boolean {
    if (this.#told === null || !(held.shiftKey || held.ctrlKey || held.metaKey)) return false;
    if (held.shiftKey) {
      this.#pivot ??= active ?? place;
      this.#pick(pickedBetween(this.#pivot, place));
      return true;
    }
    const before = this.#picked.length === 0 && active !== null ? pickedBetween(active, active) : this.#picked;
    this.#pick(toggled(before, place, ...near));
    this.#pivot = place;
    return true;
  }

  #pick(picked: Picked): void {
    if (picked === this.#picked) return;
    this.#picked = picked;
    this.#told?.(picked);
  }
}
