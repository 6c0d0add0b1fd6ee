import { type ResizeOptions, resizeByKey, startResize } from "../parts/resize.ts";

/** Height of a panel at first and at least, px. Our choice. */
const HEIGHT = 220;
const LEAST = 160;
/** What the list above keeps at least: its head and two rows. */
const LIST_LEAST = 84;

/** What a panel's markup binds. */
export interface PanelHeightNow {
  height: number;
}

/** How tall a panel below a list is, by drag and by keyboard. */
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
