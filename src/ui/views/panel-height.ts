import { type ResizeOptions, resizeByKey, startResize } from "../parts/resize.ts";

/** Initial height of a panel and its least height, in px. */
const HEIGHT = 220;
const LEAST = 160;
/** Least height of the list above the panel: its header and six rows. */
const LIST_LEAST = 196;

/** A view with a panel below its list. */
export interface Resized {
  height: number;
  /** `list`: the list above the panel. */
  readonly $refs: Readonly<Record<string, HTMLElement>>;
}

/** Members of a view with a panel below its list. The user resizes the panel by drag or keyboard. */
export const PANEL_HEIGHT = {
  height: HEIGHT,

  startResize(this: Resized, event: PointerEvent): void {
    startResize(event, optionsOf(this));
  },

  resizeByKey(this: Resized, event: KeyboardEvent): void {
    resizeByKey(event, optionsOf(this));
  },
};

function optionsOf(panel: Resized): ResizeOptions {
  return {
    edge: "top",
    size: () => panel.height,
    bounds: () => {
      const room = Math.max(0, (panel.$refs["list"]?.clientHeight ?? 0) - LIST_LEAST);
      return { least: LEAST, most: panel.height + room };
    },
    resized: (height) => {
      panel.height = height;
    },
  };
}
