import { startDrag } from "../../parts/drag.ts";
import { paneWidthOf } from "../../parts/pane-width.ts";

/** Initial width of the column of requests, in a wide and in a narrow timeline, in px. */
const WIDTH = 308;
const WIDTH_NARROW = 280;
/** Its initial share of a wide timeline, where that is more. */
const SHARE = 0.24;
/**
 * Least width of the column in px, and greatest width as a share of the timeline.
 */
const LEAST = 160;
const MOST_SHARE = 0.6;
/** Pixels by which an arrow key moves the divider. */
const KEY_STEP = 16;
/** Half of the divider's width, in px. */
const DIVIDER_HALF = 4;

/** The state bound by the timeline's markup. */
interface LabelWidthNow {
  labels: { readonly "--labels": string };
  labelWidth: number;
}

/** Width of the column of requests, which the user changes by drag or keyboard. */
export class LabelWidth {
  static readonly atFirst: LabelWidthNow = Object.freeze({ labels: propertyOf(WIDTH), labelWidth: WIDTH });
  readonly #view: LabelWidthNow;
  readonly #around: HTMLElement;
  readonly #resized: (width: number | null) => void;

  /** `around`: the element that contains the column and the bars. `resized`: `width` is set if the user chose it. */
  constructor(view: LabelWidthNow, around: HTMLElement, resized: (width: number | null) => void) {
    this.#view = view;
    this.#around = around;
    this.#resized = resized;
  }

  /** Sets the width that the user chose; `null`: the initial one, which depends on the timeline's width. */
  suit(chosen: number | null): void {
    const wide = Math.max(WIDTH, this.#around.clientWidth * SHARE);
    this.#set(chosen ?? (paneWidthOf(this.#around).isNarrow ? WIDTH_NARROW : wide));
    this.#resized(null);
  }

  /** For @pointerdown on the divider: drags the divider. */
  start(event: PointerEvent): void {
    startDrag(event, (x) => this.#choose(this.#view.labelWidth - DIVIDER_HALF + x));
  }

  /** For @keydown on the divider: arrow keys move the divider. */
  byKey(event: KeyboardEvent): void {
    const by = { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.#choose(this.#view.labelWidth + by);
  }

  #choose(width: number): void {
    this.#set(width);
    this.#resized(this.#view.labelWidth);
  }

  #set(width: number): void {
    const most = Math.max(LEAST, this.#around.clientWidth * MOST_SHARE);
    this.#view.labelWidth = Math.round(Math.min(Math.max(width, LEAST), most));
    this.#view.labels = propertyOf(this.#view.labelWidth);
  }
}

function propertyOf(width: number): LabelWidthNow["labels"] {
  return { "--labels": `${width}px` };
}
