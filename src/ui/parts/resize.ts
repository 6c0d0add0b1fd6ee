import { trackPointer } from "./drag.ts";

/** Pixels per arrow key. */
const KEY_STEP = 16;

export interface ResizeOptions {
  /** The edge where the handle is. Moving the handle outward enlarges the element. */
  readonly edge: "top" | "left" | "right";
  /** The size of the resized element in px: its height for the top edge, its width for the others. */
  size(): number;
  /** Smallest and largest size, in px. */
  bounds(): { readonly least: number; readonly most: number };
  resized(size: number): void;
}

/** Starts dragging an edge; for @pointerdown on the edge's handle or on an element around it. */
export function startResize(event: PointerEvent, options: ResizeOptions, handle?: HTMLElement): void {
  const before = options.size() - outwardOf(event, options.edge);
  const move = (moved: PointerEvent): void =>
    options.resized(bounded(before + outwardOf(moved, options.edge), options));
  trackPointer(event, move, undefined, handle);
  event.preventDefault();
}

/** Resizes by keyboard: arrows (up, right: larger), Home (smallest), End (largest); for @keydown on the handle. */
export function resizeByKey(event: KeyboardEvent, options: ResizeOptions): void {
  const size = sizeAfter(event.key, options);
  if (size === null) return;
  event.preventDefault();
  options.resized(bounded(size, options));
}

function sizeAfter(key: string, options: ResizeOptions): number | null {
  switch (key) {
    case "ArrowUp":
    case "ArrowRight":
      return options.size() + KEY_STEP;
    case "ArrowDown":
    case "ArrowLeft":
      return options.size() - KEY_STEP;
    case "Home":
      return options.bounds().least;
    case "End":
      return options.bounds().most;
    default:
      return null;
  }
}

/** The pointer's position in px across the edge; it increases outward. */
function outwardOf({ clientX, clientY }: PointerEvent, edge: ResizeOptions["edge"]): number {
  switch (edge) {
    case "top":
      return -clientY;
    case "left":
      return -clientX;
    case "right":
      return clientX;
  }
}

function bounded(size: number, options: ResizeOptions): number {
  const { least, most } = options.bounds();
  return Math.round(Math.min(Math.max(size, least), most));
}
