/** Pixels that an arrow key moves a handle by. Our choice. */
const KEY_STEP = 16;

export interface ResizeOptions {
  /** Height of the panel below the handle, in px. */
  height(): number;
  /** The least and the most it may be, in px. */
  bounds(): { readonly least: number; readonly most: number };
  resized(height: number): void;
}

/** Starts a drag of a panel's upper edge; for @pointerdown on its handle. */
export function startResize(event: PointerEvent, options: ResizeOptions): void {
  const handle = event.currentTarget as HTMLElement;
  const from = event.clientY;
  const before = options.height();
  const move = (moved: PointerEvent): void => options.resized(bounded(before + from - moved.clientY, options));
  const end = (): void => {
    handle.removeEventListener("pointermove", move);
    handle.removeEventListener("pointerup", end);
    handle.removeEventListener("pointercancel", end);
  };
  handle.setPointerCapture(event.pointerId);
  handle.addEventListener("pointermove", move);
  handle.addEventListener("pointerup", end);
  handle.addEventListener("pointercancel", end);
  event.preventDefault();
}

/** Moves it by keyboard: arrows, Home (smallest), End (largest); for @keydown on its handle. */
export function resizeByKey(event: KeyboardEvent, options: ResizeOptions): void {
  const height = heightAfter(event.key, options);
  if (height === null) return;
  event.preventDefault();
  options.resized(bounded(height, options));
}

function heightAfter(key: string, options: ResizeOptions): number | null {
  switch (key) {
    case "ArrowUp":
      return options.height() + KEY_STEP;
    case "ArrowDown":
      return options.height() - KEY_STEP;
    case "Home":
      return options.bounds().least;
    case "End":
      return options.bounds().most;
    default:
      return null;
  }
}

function bounded(height: number, options: ResizeOptions): number {
  const { least, most } = options.bounds();
  return Math.round(Math.min(Math.max(height, least), most));
}
