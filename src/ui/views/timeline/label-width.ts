import { paneWidthOf } from "../../parts/pane-width.ts";
import type { ResizeOptions } from "../../parts/resize.ts";

/** Initial width of the column of requests, in a wide and in a narrow timeline, in px. */
const WIDTH = 308;
const WIDTH_NARROW = 280;
/** Its initial share of a wide timeline, where that is more. */
const SHARE = 0.24;
/** Least width of the column in px, and greatest width as a share of the timeline. */
const LEAST = 160;
const MOST_SHARE = 0.6;

/** The state bound by the timeline's markup. */
interface LabelWidthNow {
  labels: { readonly "--labels": string };
  labelWidth: number;
}

/** Width of the column of requests, which the user changes by drag or keyboard. */
export class LabelWidth implements ResizeOptions {
  static readonly atFirst: LabelWidthNow = Object.freeze({ labels: propertyOf(WIDTH), labelWidth: WIDTH });
  readonly edge = "right";
  readonly #view: LabelWidthNow;
  readonly #around: HTMLElement;
  readonly #changed: (chosen: number | null) => void;

  /**
   * `around`: the element that contains the column and the bars. `changed`: `chosen` is the width if the user chose it.
   */
  constructor(view: LabelWidthNow, around: HTMLElement, changed: (chosen: number | null) => void) {
    this.#view = view;
    this.#around = around;
    this.#changed = changed;
  }

  /** Sets the width that the user chose; `null`: the initial one, which depends on the timeline's width. */
  suit(chosen: number | null): void {
    const wide = Math.max(WIDTH, this.#around.clientWidth * SHARE);
    const { least, most } = this.bounds();
    const width = chosen ?? (paneWidthOf(this.#around).isNarrow ? WIDTH_NARROW : wide);
    this.#set(Math.round(Math.min(Math.max(width, least), most)));
    this.#changed(null);
  }

  size(): number {
    return this.#view.labelWidth;
  }

  bounds(): { readonly least: number; readonly most: number } {
    return { least: LEAST, most: Math.max(LEAST, this.#around.clientWidth * MOST_SHARE) };
  }

  resized(width: number): void {
    this.#set(width);
    this.#changed(width);
  }

  #set(width: number): void {
    this.#view.labelWidth = width;
    this.#view.labels = propertyOf(width);
  }
}

function propertyOf(width: number): LabelWidthNow["labels"] {
  return { "--labels": `${width}px` };
}
