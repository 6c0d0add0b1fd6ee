import { startDrag } from "../../parts/drag.ts";

/** Width at first and within which it may be drawn, px. Our choice. */
const WIDTH = 308;
const WIDTH_NARROW = 280;
const NARROW_WINDOW = 1100;
const LEAST = 160;
const MOST_SHARE = 0.6;
const KEY_STEP = 16;
/** The divider reaches so far to both sides of its line, px. */
const DIVIDER_HALF = 4;

/** What the timeline's markup binds. */
interface LabelWidthNow {
  labels: { readonly "--labels": string };
  labelWidth: number;
}

/** How wide the column of requests is, by drag and by keyboard. */
export class LabelWidth {
  static readonly atFirst: LabelWidthNow = Object.freeze({ labels: propertyOf(WIDTH), labelWidth: WIDTH });
  readonly #view: LabelWidthNow;
  readonly #around: HTMLElement;
  readonly #resized: () => void;

  /** `around`: what the column and the bars share. */
  constructor(view: LabelWidthNow, around: HTMLElement, resized: () => void) {
    this.#view = view;
    this.#around = around;
    this.#resized = resized;
  }

  /** As wide as suits the window. */
  suit(): void {
    this.#set(window.innerWidth < NARROW_WINDOW ? WIDTH_NARROW : WIDTH);
  }

  /** For @pointerdown on the divider. */
  start(event: PointerEvent): void {
    startDrag(event, (x) => this.#set(this.#view.labelWidth - DIVIDER_HALF + x));
  }

  /** For @keydown on the divider. */
  byKey(event: KeyboardEvent): void {
    const by = { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.#set(this.#view.labelWidth + by);
  }

  #set(width: number): void {
    const most = Math.max(LEAST, this.#around.clientWidth * MOST_SHARE);
    this.#view.labelWidth = Math.round(Math.min(Math.max(width, LEAST), most));
    this.#view.labels = propertyOf(this.#view.labelWidth);
    this.#resized();
  }
}

function propertyOf(width: number): LabelWidthNow["labels"] {
  return { "--labels": `${width}px` };
}
