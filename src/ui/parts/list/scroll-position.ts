import type { VirtualListOptions } from "./list-options.ts";
import { type ScrollScale, scrollScale } from "./scroll-scale.ts";

/** Height of the sticky head inside the scroller, in px, as in tokens.css (--row). */
const HEAD_HEIGHT = 28;

/** A list's scroll offset among its rows, in px. Sets the scroll bar, and follows the bar when the user moves it. */
export class ScrollPosition {
  /** Total rows of the list. */
  count = 0;
  readonly #rowHeight: number;
  readonly #moved: () => void;
  #scroller: HTMLElement | null = null;
  #space: HTMLElement | null = null;
  #spaceHeight = "";
  /** The scroller's height in px. Reading it from the element while rows change would cause a second layout. */
  #seen = 0;
  #offset = 0;
  /** The scroll bar's position as last set or read. */
  #bar = 0;

  /** `moved`: called after the user scrolled. */
  constructor({ rowHeight }: Pick<VirtualListOptions<unknown>, "rowHeight">, moved: () => void) {
    this.#rowHeight = rowHeight;
    this.#moved = moved;
  }

  /** `space`: the element that gets the height of all rows. */
  attach(scroller: HTMLElement, space: HTMLElement): void {
    this.#scroller = scroller;
    this.#space = space;
    scroller.addEventListener("scroll", this.#onScroll, { passive: true });
    scroller.addEventListener("wheel", this.#onWheel, { passive: false });
    this.#seen = scroller.clientHeight;
  }

  detach(): void {
    this.#scroller?.removeEventListener("scroll", this.#onScroll);
    this.#scroller?.removeEventListener("wheel", this.#onWheel);
    this.#scroller = null;
  }

  /** Pixels from the first row's top edge to the top of the visible area. */
  get offset(): number {
    return this.#offset;
  }

  /** Index of the first visible row. It exceeds the last index if only a footer after the rows is visible. */
  get first(): number {
    return Math.floor(this.#offset / this.#rowHeight);
  }

  /** Rows that are mounted at the same time. */
  get mounted(): number {
    return Math.ceil(this.#seenHeight() / this.#rowHeight) + 1;
  }

  /** Rows per page. */
  get page(): number {
    return Math.max(1, Math.floor(this.#seenHeight() / this.#rowHeight) - 1);
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#lastOffset() - this.#rowHeight;
  }

  /** Whether the row's top edge is visible. */
  shows(index: number): boolean {
    const top = index * this.#rowHeight;
    return top >= this.#offset && top < this.#offset + this.#seenHeight();
  }

  /** Sets the scroller's height, px. */
  resize(seen: number): void {
    this.#seen = seen;
  }

  /**
   * Reads the scroll bar at once, because its event comes only in the next frame. Returns true if the user moved the
   * bar.
   */
  follow(): boolean {
    if (this.#scroller === null) return false;
    const seen = this.#scroller.clientHeight;
    if (seen > this.#seen) this.#grow(seen);
    // A changed height of the scroller also moves a bar at the end. That move is not the user's; `resize` handles it.
    if (seen !== this.#seen || Math.abs(this.#scroller.scrollTop - this.#bar) < 1) return false;
    return this.#goToBar();
  }

  // The next methods change only the offset; `settle` moves the scroll bar.

  toStart(): void {
    this.#offset = 0;
  }

  toEnd(): void {
    this.#offset = this.#lastOffset();
  }

  /**
   * Adjusts the offset after rows were inserted above the visible area. `rows`: their number; negative if rows were
   * removed.
   */
  shift(rows: number): void {
    this.#offset += rows * this.#rowHeight;
  }

  /** Scrolls by the least distance that shows the row. */
  reveal(index: number): void {
    const top = index * this.#rowHeight;
    const lowest = top + this.#rowHeight - this.#seenHeight();
    this.#offset = Math.min(Math.max(this.#offset, lowest), top);
  }

  /** Moves the scroll bar to the offset, within the bar's range. */
  settle(): void {
    if (this.#scroller === null) return;
    this.giveRoom();
    this.#scroller.scrollTop = this.#scale().scrollTopOf(this.#offset);
    this.#bar = this.#scroller.scrollTop;
    if (!this.#scale().scaled) this.#offset = this.#bar;
  }

  /** Sets the height of the space to the height of all rows. */
  giveRoom(): void {
    const height = `${this.#scale().spaceHeight}px`;
    if (this.#space === null || height === this.#spaceHeight) return;
    this.#space.style.height = height;
    this.#spaceHeight = height;
  }

  readonly #onScroll = (): void => {
    if (this.#goToBar()) this.#moved();
  };

  /**
   * If the scroll bar is scaled, scrolls the rows by the wheel's distance, and lets the bar follow. The browser would
   * move the bar by that distance, and so the rows too far.
   */
  readonly #onWheel = (event: WheelEvent): void => {
    if (!this.#scale().scaled || event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    const step = event.deltaMode === event.DOM_DELTA_LINE ? this.#rowHeight : 1;
    this.#offset = Math.min(Math.max(0, this.#offset + event.deltaY * step), this.#lastOffset());
    this.settle();
    this.#moved();
  };

  /** Applies a larger height; a list at its end stays at its end. */
  #grow(seen: number): void {
    const wasAtEnd = this.isAtEnd;
    this.#seen = seen;
    if (!wasAtEnd || this.#scroller === null) return;
    this.toEnd();
    this.#bar = this.#scroller.scrollTop;
  }

  #goToBar(): boolean {
    if (this.#scroller === null) return false;
    this.#bar = this.#scroller.scrollTop;
    if (Math.abs(this.#bar - this.#scale().scrollTopOf(this.#offset)) < 1) return false;
    this.#offset = this.#scale().offsetOf(this.#bar);
    return true;
  }

  #height(): number {
    return this.count * this.#rowHeight;
  }

  #seenHeight(): number {
    return Math.max(0, this.#seen - HEAD_HEIGHT);
  }

  #lastOffset(): number {
    return Math.max(0, this.#height() - this.#seenHeight());
  }

  #scale(): ScrollScale {
    return scrollScale(this.#height(), this.#seenHeight());
  }
}
