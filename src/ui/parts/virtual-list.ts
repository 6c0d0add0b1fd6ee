import { ActiveRow } from "./active-row.ts";
import { AskedRows } from "./asked-rows.ts";
import { EMPTY_FRAME, type ListFrame, type Slot } from "./list-frame.ts";
import { indexAfter } from "./list-keys.ts";
import type { VirtualListOptions } from "./list-options.ts";
import type { Place } from "./picked-rows.ts";
import { type HeldKeys, RowPicking } from "./row-picking.ts";
import { ScrollPlace } from "./scroll-place.ts";
import { SlotOrder } from "./slot-order.ts";
import { SoughtRow } from "./sought-row.ts";

/**
 * A list of any length with as many rows mounted as are seen:
 *
 *   scroller (grid, focusable) ─┬─ head, sticky
 *                               └─ space, as tall as all rows ── window, sticky: the slots, moved by a fraction of a row
 *
 * Live changes move neither what is seen nor what is active: the first row seen keeps its place.
 */
export class VirtualList<Row> {
  readonly #options: VirtualListOptions<Row>;
  #scroller: HTMLElement | null = null;
  #window: HTMLElement | null = null;
  #observer: ResizeObserver | null = null;
  readonly #place: ScrollPlace;
  readonly #asked: AskedRows;
  #frame: ListFrame<Row> = EMPTY_FRAME;
  /** Another order or filter was asked for, and its rows have not come yet. */
  #restarts = false;
  readonly #order = new SlotOrder();
  /** The first row seen. */
  #anchor: Place | null = null;
  readonly #active: ActiveRow;
  readonly #sought: SoughtRow;
  readonly #picking: RowPicking;

  constructor(options: VirtualListOptions<Row>) {
    this.#options = options;
    this.#place = new ScrollPlace(options, () => {
      this.#sought.forget();
      this.#redraw();
    });
    this.#asked = new AskedRows(options);
    this.#active = new ActiveRow(options);
    this.#sought = new SoughtRow(options, () => this.#goToSought());
    this.#picking = new RowPicking(options.picked === undefined ? null : (picked) => options.picked?.(picked));
  }

  /** `space` stands in `scroller`, `window` in `space` (classes list-space and list-window). */
  attach(scroller: HTMLElement, space: HTMLElement, window: HTMLElement): void {
    this.#scroller = scroller;
    this.#window = window;
    this.#place.attach(scroller, space);
    this.#observer = new ResizeObserver(() => this.#resize(scroller.clientHeight));
    this.#observer.observe(scroller);
    this.#redraw();
  }

  detach(): void {
    this.#observer?.disconnect();
    this.#place.detach();
    this.#scroller = null;
  }

  /** The data changed: `count` rows now. */
  update(count: number): void {
    if (this.#place.follow()) {
      this.#sought.forget();
      this.#anchor = null;
    }
    const answer = this.#restarts ? this.#options.answer?.() : "awaited";
    const restarts = answer === "come";
    if (restarts) this.#restart();
    if (answer === "refused") this.#restarts = false;
    const begins = restarts || this.#place.count === 0;
    // The active row is not moved out of sight; one that a person has scrolled away from holds nothing up.
    const isHeld = this.#place.shows(this.#active.index);
    const following = this.#options.follows() && (begins || (this.#place.isAtEnd && !isHeld));
    const anchor = this.#anchor;
    this.#place.count = count;
    this.#findActive();
    this.#picking.follow(count, (key) => this.#options.indexOf(key));
    if (following) this.#place.toEnd();
    else if (anchor !== null && this.#place.offset > 0) {
      const index = this.#options.indexOf(anchor.key);
      if (index !== null) this.#place.shift(index - anchor.index);
    }
    this.#goToSought();
    if (restarts || answer === "refused") this.#sought.ask();
  }

  /** Another order or filter: asks for where such a list is read from, and goes there once its rows have come; if it is refused, never. */
  reset(): void {
    this.#sought.forget();
    if (this.#options.answer === undefined || this.#scroller === null) {
      this.#restart();
      if (this.#options.follows()) this.#place.toEnd();
      this.#asked.forget();
      this.#settle();
      return;
    }
    this.#restarts = true;
    this.#asked.restart(this.#place.mounted);
  }

  /** The key of the active row; `null` if none is. */
  get active(): Place["key"] | null {
    return this.#active.key;
  }

  /** Makes a row active without moving what is seen; `null` = none. */
  activate(key: Place["key"] | null): void {
    this.#sought.forget();
    this.#active.set(key);
    this.#redraw();
  }

  /** Makes a row active that was chosen elsewhere, and brings it into sight: at once, or when it is known where it stands. */
  show(key: Place["key"]): void {
    this.activate(key);
    this.#sought.seek(key);
    this.#goToSought();
    // Until the rows of another order or filter have come nobody knows whether it is among them.
    if (!this.#restarts) this.#sought.ask();
  }

  /** Scrolls as little as needed to see the row. */
  reveal(index: number): void {
    this.#place.reveal(index);
    this.#settle();
  }

  /** None are picked any more but the active row. */
  pickNothing(): void {
    if (this.#picking.clear()) this.#redraw();
  }

  /** For a press on a row: true if it picked one of several, false if it means that row alone. */
  click(index: number, held: HeldKeys): boolean {
    const place = this.#placeAt(index);
    const near = [this.#placeAt(index - 1), this.#placeAt(index + 1)] as const;
    const several = place !== null && this.#picking.press(place, near, this.#active.place, held);
    if (several) this.activate(place.key);
    else this.pickNothing();
    return several;
  }

  /** For @keydown on the scroller. */
  onKey(event: KeyboardEvent): void {
    if (event.target !== this.#scroller) return;
    if (this.#picking.takes(event)) {
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
    const { first, page, count } = this.#place;
    const index = indexAfter(event.key, { active: this.#active.index, first, page, count });
    if (index === null || count === 0) return;
    event.preventDefault();
    this.#sought.forget();
    this.#picking.leave(this.#active.place, event);
    this.#active.move(Math.min(Math.max(index, 0), count - 1));
    this.#picking.reach(this.#active.place);
    this.reveal(this.#active.index);
    this.#active.tell();
  }

  #goToSought(): void {
    const index = this.#restarts ? null : this.#sought.take();
    if (index !== null) this.#place.reveal(index);
    this.#settle();
  }

  #placeAt(index: number): Place | null {
    const key = this.#options.keyAt(index);
    return key === null ? null : Object.freeze({ key, index });
  }

  #restart(): void {
    this.#restarts = false;
    this.#anchor = null;
    this.#picking.clear();
    this.#place.toStart();
  }

  /** Follows the active row to where it is now; one that was reached before it was held becomes known here. */
  #findActive(): void {
    if (!this.#active.follow()) return;
    this.#picking.reach(this.#active.place);
    this.#active.tell();
  }

  /** An active row that was in sight stays in sight: a panel that opens on it must not cover it. */
  #resize(seen: number): void {
    const { index } = this.#active;
    const wasSeen = index >= 0 && this.#place.shows(index);
    this.#place.resize(seen);
    if (wasSeen) this.reveal(index);
    else this.#redraw();
  }

  // ---- drawing ------------------------------------------------------------------------------------------------

  /** Brings the scroll bar to the offset, then draws. */
  #settle(): void {
    this.#place.settle();
    this.#redraw();
  }

  #redraw(): void {
    if (this.#scroller === null || this.#window === null) return;
    const { rowHeight, name } = this.#options;
    const { mounted, count: total, offset } = this.#place;
    const first = Math.min(this.#place.first, Math.max(0, total - 1));
    if (!this.#restarts) this.#asked.cover(first, mounted, total);
    this.#place.giveRoom();
    this.#window.style.transform = `translateY(${first * rowHeight - offset}px)`;
    const before = this.#frame;
    const drawn = new Map(before.slots.map((slot) => [slot.key, slot]));
    const count = Math.min(mounted, total - first);
    this.#options.seeing?.(first, count);
    const keys = this.#order.at(first, count, this.#window);
    const slots = keys.map((key, place) => this.#slot(key, first + place, name, drawn.get(key)));
    this.#anchor = this.#placeAt(first);
    const same = slots.length === before.slots.length && slots.every((slot, at) => slot === before.slots[at]);
    if (same && before.rowCount === total + 1) return;
    const activeId = slots.find(({ active }) => active)?.id ?? null;
    this.#frame = Object.freeze({ slots: Object.freeze(slots), activeId, rowCount: total + 1 });
    this.#options.draw(this.#frame);
  }

  /** A slot in which nothing changed stays the same object, so that nothing of it is drawn again. */
  #slot(key: number, index: number, name: string, before: Slot<Row> | undefined): Slot<Row> {
    const row = this.#options.rowAt(index);
    const active = this.#active.key !== null && this.#options.keyAt(index) === this.#active.key;
    const selected = this.#picking.isSelected(index, active);
    const looksSame = before?.row === row && before.active === active && before.selected === selected;
    if (looksSame && before.index === index) return before;
    return Object.freeze({ key, id: `${name}-${key}`, index, rowIndex: index + 2, row, active, selected });
  }
}
