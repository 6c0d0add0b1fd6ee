import { type ResizeOptions, resizeByKey, startResize } from "../parts/resize.ts";

/** First height of a panel and its least height, in px. Default; not from a specification. */
const HEIGHT = 220;
const LEAST = 160;
/** Least height of the list above the panel: its header and two rows. */
const LIST_LEAST = 84;

/** The state bound by a panel's markup. */
export interface PanelHeightNow {
  height: number;
}

/** Height of a panel below a list, which the user changes by drag or keyboard. */
export class PanelHeight {
  static readonly atFirst: PanelHeightNow = Object.freeze({ height: HEIGHT });
  readonly #options: ResizeOptions;

  constructor(panel: PanelHeightNow, listAbove: () => HTMLElement | undefined) {
    this.#options = {
      edge: "top",
      size: () => panel.height,
      bounds: () => {
        const room = Math.max(0, (listAbove()?.clientHeight ?? 0) - LIST_LEAST);
        return { least: LEAST, most: panel.height + room };
      },
      resized: (height) => {
        panel.height = height;
      },
    };
  }

  start(event: PointerEvent): void {
    startResize(event, this.#options);
  }

  byKey(event: KeyboardEvent): void {
    resizeByKey(event, this.#options);
  }
}
