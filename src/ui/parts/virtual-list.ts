import type { Range } from "../../engine/messages/list-messages.ts";
import { indexAfter } from "./list-keys.ts";
import type { Picked, Place } from "./picked-rows.ts";
import { type HeldKeys, RowPicking } from "./row-picking.ts";
import { type ScrollScale, scrollScale } from "./scroll-scale.ts";
import { SlotOrder } from "./slot-order.ts";

type Key = string | number;

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

export interface VirtualListOptions<Row> {
  /** Unique in the page; slots are called `<name>-<key>`. */
  readonly name: string;
  readonly rowHeight: number;
  /** Height of the sticky head inside the scroller; 0 if it has none. */
  readonly headHeight: number;
  /** What has been asked for before the list is there; left out: nothing. */
  readonly asked?: Range;
  /** Stay at the tail when rows are added there and nothing is active. */
  follows(): boolean;
  /** These rows are about to be asked for by `rowAt`: what they share can be found first. */
  seeing?(first: number, count: number): void;
  rowAt(index: number): Row | null;
  keyAt(index: number): Key | null;
  /** Where the row with that key is now; `null` if it is not held. */
  indexOf(key: Key): number | null;
  /** Which rows to hold from now on; called only when that changes. */
  wanted(range: Range): void;
  /** After `reset`: whether rows of the new order or filter are held, and not still those before. Left out: at once. */
  arrived?(): boolean;
  draw(frame: ListFrame<Row>): void;
  /** The active row was moved by keyboard; called once its row is held. */
  moved(index: number, key: Key): void;
  /** Enter on the active row. */
  opened(index: number, key: Key): void;
  /** Other rows are picked now; left out: of this list only one row is picked at a time, the active one. */
  picked?(picked: Picked): void;
}

/** An empty list, to start with. */
export const EMPTY_FRAME: ListFrame<never> = Object.freeze({ slots: Object.freeze([]), activeId: null, rowCount: 1 });

/** Rows asked for beyond each edge of what is seen. Our choice. */
const MARGIN = 60;

/** Where the last rows begin, however many there are (messages.ts, Range). */
const AT_THE_END = Number.MAX_SAFE_INTEGER;

const NOTHING: Range = Object.freeze({ from: 0, count: 0 });

/** What a list that is read from its end asks for before its length is known. */
export const LAST_ROWS: Range = Object.freeze({ from: AT_THE_END, count: 2 * MARGIN });

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
  #space: HTMLElement | null = null;
  #window: HTMLElement | null = null;
  #observer: ResizeObserver | null = null;
  #count = 0;
  /** The scroller's height in px; reading it off the element while rows change would lay them out twice. */
  #seen = 0;
  #spaceHeight = "";
  /** Pixels from the first row's upper edge to the upper edge of what is seen. */
  #offset = 0;
  #asked: Range;
  #frame: ListFrame<Row> = EMPTY_FRAME;
  /** Another order or filter was asked for, and its rows have not come yet. */
  #restarts = false;
  readonly #order = new SlotOrder();
  #anchor: { key: Key; index: number } | null = null;
  #activeKey: Key | null = null;
  #activeIndex = -1;
  /** Enter was pressed on an active row that is not held yet. */
  #opens = false;
  readonly #picking: RowPicking;

  constructor(options: VirtualListOptions<Row>) {
    this.#options = options;
    this.#asked = options.asked ?? NOTHING;
    this.#picking = new RowPicking(options.picked === undefined ? null : (picked) => options.picked?.(picked));
  }

  /** `space` stands in `scroller`, `window` in `space` (classes list-space and list-window). */
  attach(scroller: HTMLElement, space: HTMLElement, window: HTMLElement): void {
    this.#scroller = scroller;
    this.#space = space;
    this.#window = window;
    scroller.addEventListener("scroll", this.#onScroll, { passive: true });
    scroller.addEventListener("wheel", this.#onWheel, { passive: false });
    this.#seen = scroller.clientHeight;
    this.#observer = new ResizeObserver(() => this.#resize(scroller.clientHeight));
    this.#observer.observe(scroller);
    this.#redraw();
  }

  detach(): void {
    this.#observer?.disconnect();
    this.#scroller?.removeEventListener("scroll", this.#onScroll);
    this.#scroller?.removeEventListener("wheel", this.#onWheel);
    this.#scroller = null;
  }

  /** The data changed: `count` rows now. */
  update(count: number): void {
    const restarts = this.#restarts && this.#options.arrived?.() === true;
    if (restarts) this.#restart();
    const following = this.#options.follows() && (restarts || (this.#activeKey === null && this.#atEnd()));
    const anchor = this.#anchor;
    this.#count = count;
    this.#findActive();
    this.#picking.follow(count, (key) => this.#options.indexOf(key));
    if (following) this.#offset = this.#lastOffset();
    else if (anchor !== null && this.#offset > 0) {
      const index = this.#options.indexOf(anchor.key);
      if (index !== null) this.#offset += (index - anchor.index) * this.#options.rowHeight;
    }
    this.#settle();
  }

  /** Another order or filter: asks for where such a list is read from, and goes there once its rows have come; if it is refused, never. */
  reset(): void {
    if (this.#options.arrived === undefined || this.#scroller === null) {
      this.#restart();
      this.#offset = this.#options.follows() ? this.#lastOffset() : 0;
      this.#asked = NOTHING;
      this.#settle();
      return;
    }
    this.#restarts = true;
    this.#asked = this.#options.follows() ? this.#end() : { from: 0, count: this.#mounted() + 2 * MARGIN };
    this.#options.wanted(this.#asked);
  }

  /** The key of the active row; `null` if none is. */
  get active(): Key | null {
    return this.#activeKey;
  }

  /** Makes a row active without moving what is seen; `null` = none. */
  activate(key: Key | null): void {
    this.#opens = false;
    this.#activeKey = key;
    this.#activeIndex = key === null ? -1 : (this.#options.indexOf(key) ?? this.#activeIndex);
    this.#redraw();
  }

  /** Scrolls as little as needed to see the row. */
  reveal(index: number): void {
    const top = index * this.#options.rowHeight;
    const lowest = top + this.#options.rowHeight - this.#seenHeight();
    this.#offset = Math.min(Math.max(this.#offset, lowest), top);
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
    const several = place !== null && this.#picking.press(place, near, this.#activePlace(), held);
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
    if (event.key === "Enter" && this.#activeIndex >= 0) {
      event.preventDefault();
      if (this.#activeKey === null) this.#opens = true;
      else this.#options.opened(this.#activeIndex, this.#activeKey);
      return;
    }
    const index = indexAfter(event.key, {
      active: this.#activeIndex,
      first: Math.floor(this.#offset / this.#options.rowHeight),
      page: Math.max(1, Math.floor(this.#seenHeight() / this.#options.rowHeight) - 1),
      count: this.#count,
    });
    if (index === null || this.#count === 0) return;
    event.preventDefault();
    this.#opens = false;
    this.#picking.leave(this.#activePlace(), event);
    this.#activeIndex = Math.min(Math.max(index, 0), this.#count - 1);
    this.#activeKey = this.#options.keyAt(this.#activeIndex);
    this.#picking.reach(this.#activePlace());
    this.reveal(this.#activeIndex);
    if (this.#activeKey !== null) this.#options.moved(this.#activeIndex, this.#activeKey);
  }

  #activePlace(): Place | null {
    return this.#activeKey === null ? null : Object.freeze({ key: this.#activeKey, index: this.#activeIndex });
  }

  #placeAt(index: number): Place | null {
    const key = this.#options.keyAt(index);
    return key === null ? null : Object.freeze({ key, index });
  }

  #restart(): void {
    this.#restarts = false;
    this.#anchor = null;
    this.#picking.clear();
    this.#offset = 0;
  }

  /** Follows the active row to where it is now; one that was reached before it was held becomes known here. */
  #findActive(): void {
    if (this.#activeKey !== null) this.#activeIndex = this.#options.indexOf(this.#activeKey) ?? this.#activeIndex;
    else if (this.#activeIndex >= 0) {
      this.#activeKey = this.#options.keyAt(this.#activeIndex);
      this.#picking.reach(this.#activePlace());
      if (this.#activeKey === null) return;
      const opens = this.#opens;
      this.#opens = false;
      this.#options.moved(this.#activeIndex, this.#activeKey);
      if (opens) this.#options.opened(this.#activeIndex, this.#activeKey);
    }
  }

  /** An active row that was in sight stays in sight: a panel that opens on it must not cover it. */
  #resize(seen: number): void {
    const top = this.#activeIndex * this.#options.rowHeight;
    const wasSeen = this.#activeIndex >= 0 && top >= this.#offset && top < this.#offset + this.#seenHeight();
    this.#seen = seen;
    if (wasSeen) this.reveal(this.#activeIndex);
    else this.#redraw();
  }

  // ---- scrolling ----------------------------------------------------------------------------------------------

  readonly #onScroll = (): void => {
    if (this.#scroller === null) return;
    if (Math.abs(this.#scroller.scrollTop - this.#scale().scrollTopOf(this.#offset)) < 1) return;
    this.#offset = this.#scale().offsetOf(this.#scroller.scrollTop);
    this.#redraw();
  };

  /** A scaled scroll bar would run too fast under the wheel, so there the wheel moves rows, and the bar follows. */
  readonly #onWheel = (event: WheelEvent): void => {
    if (!this.#scale().scaled || event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    const step = event.deltaMode === event.DOM_DELTA_LINE ? this.#options.rowHeight : 1;
    this.#offset = Math.min(Math.max(0, this.#offset + event.deltaY * step), this.#lastOffset());
    this.#settle();
  };

  #height(): number {
    return this.#count * this.#options.rowHeight;
  }

  #seenHeight(): number {
    return Math.max(0, this.#seen - this.#options.headHeight);
  }

  #lastOffset(): number {
    return Math.max(0, this.#height() - this.#seenHeight());
  }

  #atEnd(): boolean {
    return this.#offset >= this.#lastOffset() - this.#options.rowHeight;
  }

  #scale(): ScrollScale {
    return scrollScale(this.#height(), this.#seenHeight());
  }

  // ---- drawing ------------------------------------------------------------------------------------------------

  /** Brings the scroll bar to the offset, then draws. */
  #settle(): void {
    if (this.#scroller === null) return;
    this.#giveRoom();
    this.#scroller.scrollTop = this.#scale().scrollTopOf(this.#offset);
    if (!this.#scale().scaled) this.#offset = this.#scroller.scrollTop;
    this.#redraw();
  }

  /** The space is as tall as all rows. */
  #giveRoom(): void {
    const height = `${this.#scale().spaceHeight}px`;
    if (this.#space === null || height === this.#spaceHeight) return;
    this.#space.style.height = height;
    this.#spaceHeight = height;
  }

  #redraw(): void {
    if (this.#scroller === null || this.#window === null) return;
    const { rowHeight, name } = this.#options;
    const first = Math.min(Math.floor(this.#offset / rowHeight), Math.max(0, this.#count - 1));
    const mounted = this.#mounted();
    this.#ask(first, mounted);
    this.#giveRoom();
    this.#window.style.transform = `translateY(${first * rowHeight - this.#offset}px)`;
    const before = this.#frame;
    const drawn = new Map(before.slots.map((slot) => [slot.key, slot]));
    const count = Math.min(mounted, this.#count - first);
    this.#options.seeing?.(first, count);
    const keys = this.#order.at(first, count, this.#window);
    const slots = keys.map((key, place) => this.#slot(key, first + place, name, drawn.get(key)));
    const key = this.#options.keyAt(first);
    this.#anchor = key === null ? null : { key, index: first };
    const same = slots.length === before.slots.length && slots.every((slot, at) => slot === before.slots[at]);
    if (same && before.rowCount === this.#count + 1) return;
    const activeId = slots.find(({ active }) => active)?.id ?? null;
    this.#frame = Object.freeze({ slots: Object.freeze(slots), activeId, rowCount: this.#count + 1 });
    this.#options.draw(this.#frame);
  }

  /** A slot in which nothing changed stays the same object, so that nothing of it is drawn again. */
  #slot(key: number, index: number, name: string, before: Slot<Row> | undefined): Slot<Row> {
    const row = this.#options.rowAt(index);
    const active = this.#activeKey !== null && this.#options.keyAt(index) === this.#activeKey;
    const selected = this.#picking.isSelected(index, active);
    const looksSame = before?.row === row && before.active === active && before.selected === selected;
    if (looksSame && before.index === index) return before;
    return Object.freeze({ key, id: `${name}-${key}`, index, rowIndex: index + 2, row, active, selected });
  }

  /** Asks for another range once what is seen comes within half a margin of the edge of the last. */
  #ask(first: number, mounted: number): void {
    if (this.#restarts) return;
    const { count } = this.#asked;
    const last = this.#asked.from === AT_THE_END;
    const from = last ? Math.max(0, this.#count - count) : this.#asked.from;
    const above = from === 0 || first - from >= MARGIN / 2;
    const below = last || from + count - (first + mounted) >= MARGIN / 2;
    if (above && below) return;
    const atEnd = this.#options.follows() && first + mounted >= this.#count;
    this.#asked = atEnd ? this.#end() : { from: Math.max(0, first - MARGIN), count: mounted + 2 * MARGIN };
    this.#options.wanted(this.#asked);
  }

  #end(): Range {
    return { from: AT_THE_END, count: this.#mounted() + MARGIN };
  }

  /** Rows that are mounted at once. */
  #mounted(): number {
    return Math.ceil(this.#seenHeight() / this.#options.rowHeight) + 1;
  }
}
