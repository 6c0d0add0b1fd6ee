import { ActiveRow } from "./active-row.ts";
import { EMPTY_FRAME, type ListFrame, type Slot } from "./list-frame.ts";
import { indexAfter } from "./list-keys.ts";
import type { VirtualListOptions } from "./list-options.ts";
import { PendingReveal } from "./pending-reveal.ts";
import { RequestedRange } from "./requested-range.ts";
import { type ModifierKeys, RowSelection } from "./row-selection.ts";
import { ScrollPosition } from "./scroll-position.ts";
import type { RowPosition } from "./selected-rows.ts";
import { SlotRecycler } from "./slot-recycler.ts";

/**
 * A list of any length that mounts only its visible rows:
 *
 *   scroller (grid, focusable) ─┬─ head, sticky
 *                               └─ space, as tall as all rows ── window, sticky: the slots, shifted by part of a row
 *
 * New traffic moves neither the visible rows nor the active row: the first visible row keeps its position.
 */
export class VirtualList<Row> {
  readonly #options: VirtualListOptions<Row>;
  #scroller: HTMLElement | null = null;
  #window: HTMLElement | null = null;
  #observer: ResizeObserver | null = null;
  readonly #scrollPosition: ScrollPosition;
  readonly #requestedRange: RequestedRange;
  #frame: ListFrame<Row> = EMPTY_FRAME;
  /** Whether a new order or filter was requested and its rows are awaited. */
  #restarts = false;
  /** The rows up to which the user has seen the list's end. */
  #known = 0;
  readonly #order = new SlotRecycler();
  /** The first visible row. */
  #anchor: RowPosition | null = null;
  /** The last mounted row. Rows that come before it were restored, and are not new. */
  #lowest: RowPosition | null = null;
  readonly #active: ActiveRow;
  readonly #pendingReveal: PendingReveal;
  readonly #selection: RowSelection;

  constructor(options: VirtualListOptions<Row>) {
    this.#options = options;
    this.#scrollPosition = new ScrollPosition(options, () => {
      this.#pendingReveal.clear();
      this.#redraw();
    });
    this.#requestedRange = new RequestedRange(options);
    this.#active = new ActiveRow(options);
    this.#pendingReveal = new PendingReveal(options, () => this.#revealPending());
    this.#selection = new RowSelection(
      options.selectionChanged === undefined ? null : (selected) => options.selectionChanged?.(selected),
    );
  }

  /** `list` scrolls and contains `space`, and `space` contains `window` (classes list-space and list-window). */
  attach({ list: scroller, space, window }: Readonly<Record<string, HTMLElement>>): void {
    if (scroller === undefined || space === undefined || window === undefined) throw new Error("no list to fill");
    this.#scroller = scroller;
    this.#window = window;
    this.#scrollPosition.attach(scroller, space);
    this.#observer = new ResizeObserver(() => this.#resize(scroller.clientHeight));
    this.#observer.observe(scroller);
    this.#redraw();
  }

  detach(): void {
    this.#observer?.disconnect();
    this.#scrollPosition.detach();
    this.#scroller = null;
  }

  /** Applies changed data with `count` rows. */
  update(count: number): void {
    if (this.#scrollPosition.follow()) {
      this.#pendingReveal.clear();
      this.#anchor = null;
    }
    const answer = this.#restarts ? this.#options.answer() : "awaited";
    const restarts = answer === "come";
    if (restarts) this.#restart();
    if (answer === "refused") this.#restarts = false;
    const begins = restarts || this.#scrollPosition.count === 0;
    // A visible active row is not scrolled away. An active row outside the visible area does not stop the list from
    // following its end.
    const isHeld = this.#scrollPosition.shows(this.#active.index);
    const following = this.#options.follows() && (begins || (this.#scrollPosition.isAtEnd && !isHeld));
    const anchor = this.#anchor;
    this.#scrollPosition.count = count;
    if (begins) this.#known = count;
    else if (this.#lowest !== null)
      this.#known += (this.#options.indexOf(this.#lowest.key) ?? this.#lowest.index) - this.#lowest.index;
    this.#findActive();
    this.#selection.follow(count, (key) => this.#options.indexOf(key));
    if (following) this.#scrollPosition.toEnd();
    else if (anchor !== null && this.#scrollPosition.offset > 0) {
      const index = this.#options.indexOf(anchor.key);
      if (index !== null) this.#scrollPosition.shift(index - anchor.index);
      // The first visible rows are gone, and the active row with them is now above the visible ones.
      else if (isHeld && this.#active.index >= 0) this.#scrollPosition.reveal(this.#active.index);
    }
    this.#revealPending();
    if (restarts || answer === "refused") this.#pendingReveal.ask();
  }

  /**
   * Starts a new order or filter: requests the first range, and scrolls there when its rows arrive. After a refusal the
   * list does not scroll.
   */
  reset(): void {
    this.#pendingReveal.clear();
    this.#restarts = true;
    this.#requestedRange.restart(this.#scrollPosition.mounted);
  }

  /** The key of the active row; `null` if there is none. */
  get active(): RowPosition["key"] | null {
    return this.#active.key;
  }

  /** Makes a row active without scrolling; `null`: no row. */
  activate(key: RowPosition["key"] | null): void {
    this.#pendingReveal.clear();
    this.#active.set(key);
    this.#redraw();
  }

  /** Makes a row active that was chosen outside the list, and scrolls to it when its index is known. */
  show(key: RowPosition["key"]): void {
    this.activate(key);
    this.#pendingReveal.seek(key);
    this.#revealPending();
    // The rows of a new order or filter may lack this row, so nothing is requested before they arrive.
    if (!this.#restarts) this.#pendingReveal.ask();
  }

  /** Scrolls by the least distance that shows the row, if the row is loaded. */
  reveal(key: RowPosition["key"]): void {
    const index = this.#options.indexOf(key);
    if (index !== null) this.#reveal(index);
  }

  toEnd(): void {
    this.#pendingReveal.clear();
    this.#scrollPosition.toEnd();
    this.#settle();
  }

  /** Clears the selection; the active row stays. */
  clearSelection(): void {
    if (this.#selection.clear()) this.#redraw();
  }

  /** Handles a press on a row. Returns true if the press changed a multiple selection; false for a plain press. */
  click(index: number, keys: ModifierKeys): boolean {
    const position = this.#positionAt(index);
    const near = [this.#positionAt(index - 1), this.#positionAt(index + 1)] as const;
    const several = position !== null && this.#selection.press(position, near, this.#active.position, keys);
    if (several) this.activate(position.key);
    else this.clearSelection();
    return several;
  }

  /** Handles @keydown on the scroller. */
  onKey(event: KeyboardEvent): void {
    if (event.target !== this.#scroller) return;
    if (this.#selection.handleKey(event)) {
      event.preventDefault();
      event.stopPropagation();
      this.#redraw();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && this.#active.index >= 0) {
      event.preventDefault();
      this.#active.open();
      return;
    }
    const { first, page, count } = this.#scrollPosition;
    const index = indexAfter(event.key, { active: this.#active.index, first, page, count });
    if (index === null || count === 0) return;
    event.preventDefault();
    this.#pendingReveal.clear();
    this.#selection.keyMoved(this.#active.position, event);
    this.#active.move(Math.min(Math.max(index, 0), count - 1));
    this.#selection.extendTo(this.#active.position);
    this.#reveal(this.#active.index);
    this.#active.tell();
  }

  #reveal(index: number): void {
    this.#scrollPosition.reveal(index);
    this.#settle();
  }

  #revealPending(): void {
    const index = this.#restarts ? null : this.#pendingReveal.resolve();
    if (index !== null) this.#scrollPosition.reveal(index);
    this.#settle();
  }

  #positionAt(index: number): RowPosition | null {
    const key = this.#options.keyAt(index);
    return key === null ? null : Object.freeze({ key, index });
  }

  #restart(): void {
    this.#restarts = false;
    this.#anchor = null;
    this.#selection.clear();
    this.#scrollPosition.toStart();
  }

  /** Updates the index of the active row. A row reached before it was loaded gets its key here. */
  #findActive(): void {
    if (!this.#active.follow()) return;
    this.#selection.extendTo(this.#active.position);
    this.#active.tell();
  }

  /**
   * Applies the scroller's new height. A visible active row stays visible, so that a panel opened from the row does not
   * cover it. Otherwise, a list that follows its end stays there.
   */
  #resize(seen: number): void {
    const { index } = this.#active;
    const wasSeen = index >= 0 && this.#scrollPosition.shows(index);
    const follows = this.#options.follows() && this.#scrollPosition.isAtEnd;
    this.#scrollPosition.resize(seen);
    if (wasSeen) return this.#reveal(index);
    if (!follows) return this.#redraw();
    this.#scrollPosition.toEnd();
    this.#settle();
  }

  // ---- drawing ------------------------------------------------------------------------------------------------

  /** Moves the scroll bar to the offset, then draws. */
  #settle(): void {
    this.#scrollPosition.settle();
    this.#redraw();
  }

  #redraw(): void {
    if (this.#scroller === null || this.#window === null) return;
    const { rowHeight, name } = this.#options;
    const { mounted, count: total, offset } = this.#scrollPosition;
    const first = Math.min(this.#scrollPosition.first, Math.max(0, total - 1));
    if (!this.#restarts) this.#requestedRange.cover(first, mounted, total);
    this.#scrollPosition.giveRoom();
    const isSeen = !this.#options.follows() || this.#scrollPosition.isAtEnd;
    this.#known = isSeen ? total : Math.min(this.#known, total);
    this.#options.missed?.(total - this.#known);
    this.#window.style.transform = `translateY(${first * rowHeight - offset}px)`;
    const before = this.#frame;
    const drawn = new Map(before.slots.map((slot) => [slot.key, slot]));
    const count = Math.min(mounted, total - first);
    this.#options.seeing?.(first, count);
    const keys = this.#order.at(first, count, this.#window);
    const slots = keys.map((key, index) => this.#slot(key, first + index, name, drawn.get(key)));
    this.#anchor = this.#positionAt(first);
    this.#lowest = this.#positionAt(first + count - 1);
    const same = slots.length === before.slots.length && slots.every((slot, at) => slot === before.slots[at]);
    if (same && before.rowCount === total + 1) return;
    const activeId = slots.find(({ active }) => active)?.id ?? null;
    this.#frame = Object.freeze({ slots: Object.freeze(slots), activeId, rowCount: total + 1 });
    this.#options.draw(this.#frame);
  }

  /** The slot for a row. If nothing changed, the slot is the object `before`, and is therefore not redrawn. */
  #slot(key: number, index: number, name: string, before: Slot<Row> | undefined): Slot<Row> {
    const row = this.#options.rowAt(index);
    const active = this.#active.key !== null && this.#options.keyAt(index) === this.#active.key;
    const selected = this.#selection.isSelected(index, active);
    const looksSame = before?.row === row && before.active === active && before.selected === selected;
    if (looksSame && before.index === index) return before;
    return Object.freeze({ key, id: `${name}-${key}`, index, rowIndex: index + 2, row, active, selected });
  }
}
