import type { VirtualListOptions } from "./list-options.ts";
import { type ScrollScale, scrollScale } from "./scroll-scale.ts";

type Measures = Pick<VirtualListOptions<unknown>, "rowHeight" | "headHeight">;

/** Where a list is scrolled to among its rows, to the pixel. The scroll bar is brought there, and followed when a person moves it. */
export class ScrollPlace {
  /** Rows of the whole list. */
  count = 0;
  readonly #rowHeight: number;
  readonly #headHeight: number;
  readonly #moved: () => void;
  #scroller: HTMLElement | null = null;
  #space: HTMLElement | null = null;
  #spaceHeight = "";
  /** The scroller's height in px; reading it off the element while rows change would lay them out twice. */
  #seen = 0;
  #offset = 0;
  /** Where the bar was brought to, or found when a person had moved it. */
  #bar = 0;

  /** `moved`: a person has scrolled. */
  constructor({ rowHeight, headHeight }: Measures, moved: () => void) {
    this.#rowHeight = rowHeight;
    this.#headHeight = headHeight;
    this.#moved = moved;
  }

  /** `space` is made as tall as all rows. */
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

  /** Pixels from the first row's upper edge to the upper edge of what is seen. */
  get offset(): number {
    return this.#offset;
  }

  /** Index of the row that what is seen begins with; beyond the last there may be a foot. */
  get first(): number {
    return Math.floor(this.#offset / this.#rowHeight);
  }

  /** Rows that are mounted at once. */
  get mounted(): number {
    return Math.ceil(this.#seenHeight() / this.#rowHeight) + 1;
  }

  /** Rows that a page moves by. */
  get page(): number {
    return Math.max(1, Math.floor(this.#seenHeight() / this.#rowHeight) - 1);
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#lastOffset() - this.#rowHeight;
  }

  /** Whether that row begins in what is seen. */
  shows(index: number): boolean {
    const top = index * this.#rowHeight;
    return top >= this.#offset && top < this.#offset + this.#seenHeight();
  }

  /** The scroller is that tall now, in px. */
  resize(seen: number): void {
    this.#seen = seen;
  }

  /** Goes where a person has moved the bar, which the browser tells in its next frame only; true if anybody has. */
  follow(): boolean {
    if (this.#scroller === null) return false;
    const seen = this.#scroller.clientHeight;
    if (seen > this.#seen) this.#grow(seen);
    // Another height moves the bar at the end: that is no person, and `resize` comes.
    if (seen !== this.#seen || Math.abs(this.#scroller.scrollTop - this.#bar) < 1) return false;
    return this.#goToBar();
  }

  // What goes somewhere leaves the bar where it is: `settle` brings it there.

  toStart(): void {
    this.#offset = 0;
  }

  toEnd(): void {
    this.#offset = this.#lastOffset();
  }

  /** So many rows came in above what is seen; negative: went from there. */
  shift(rows: number): void {
    this.#offset += rows * this.#rowHeight;
  }

  /** As little as needed to see the row. */
  reveal(index: number): void {
    const top = index * this.#rowHeight;
    const lowest = top + this.#rowHeight - this.#seenHeight();
    this.#offset = Math.min(Math.max(this.#offset, lowest), top);
  }

  /** Brings the scroll bar there, as far as it goes. */
  settle(): void {
    if (this.#scroller === null) return;
    this.giveRoom();
    this.#scroller.scrollTop = this.#scale().scrollTopOf(this.#offset);
    this.#bar = this.#scroller.scrollTop;
    if (!this.#scale().scaled) this.#offset = this.#bar;
  }

  /** The space is as tall as all rows. */
  giveRoom(): void {
    const height = `${this.#scale().spaceHeight}px`;
    if (this.#space === null || height === this.#spaceHeight) return;
    this.#space.style.height = height;
    this.#spaceHeight = height;
  }

  readonly #onScroll = (): void => {
    if (this.#goToBar()) this.#moved();
  };

  /** A scaled scroll bar would run too fast under the wheel, so there the wheel moves rows, and the bar follows. */
  readonly #onWheel = (event: WheelEvent): void => {
    if (!this.#scale().scaled || event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    const step = event.deltaMode === event.DOM_DELTA_LINE ? this.#rowHeight : 1;
    this.#offset = Math.min(Math.max(0, this.#offset + event.deltaY * step), this.#lastOffset());
    this.settle();
    this.#moved();
  };

  /** What was at its end still is. */
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
    return Math.max(0, this.#seen - this.#headHeight);
  }

  #lastOffset(): number {
    return Math.max(0, this.#height() - this.#seenHeight());
  }

  #scale(): ScrollScale {
    return scrollScale(this.#height(), this.#seenHeight());
  }
}
