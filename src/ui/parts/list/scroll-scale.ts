/** Above this height the scroll bar is scaled, because browsers limit an element's height to about 17,800,000 px. */
const TALLEST_PX = 15_000_000;

/** Maps positions of the scroll bar to rows whose total height may exceed the limit of an element. */
export interface ScrollScale {
  readonly scaled: boolean;
  /** Height of the element that represents all rows, in px. */
  readonly spaceHeight: number;
  /** Pixels of rows above the visible area for a position of the scroll bar. */
  offsetOf(scrollTop: number): number;
  scrollTopOf(offset: number): number;
}

/**
 * `height`: the height of all rows; `seen`: the height of the visible part, both in px. The part beyond the last row (a
 * footer) is never scaled.
 */
export function scrollScale(height: number, seen: number): ScrollScale {
  const last = Math.max(0, height - seen);
  const scaled = height > TALLEST_PX;
  const scale = scaled ? last / (TALLEST_PX - seen) : 1;
  return {
    scaled,
    spaceHeight: Math.min(height, TALLEST_PX),
    offsetOf: (scrollTop) => Math.min(scrollTop * scale, last) + Math.max(0, scrollTop - last / scale),
    scrollTopOf: (offset) => Math.min(offset, last) / scale + Math.max(0, offset - last),
  };
}
