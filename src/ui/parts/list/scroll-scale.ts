/** Browsers limit an element's height to about 17,800,000 px; from here on the scroll bar is scaled. */
const TALLEST_PX = 15_000_000;

/** Maps the scroll bar to rows that may be taller in total than an element can be. */
export interface ScrollScale {
  readonly scaled: boolean;
  /** Height of the element that represents all rows, in px. */
  readonly spaceHeight: number;
  /** Pixels of rows above the visible area, for a position of the bar. */
  offsetOf(scrollTop: number): number;
  scrollTopOf(offset: number): number;
}

/**
 * `height`: of all rows; `seen`: of the visible part, in px. Beyond the last row (a footer) the bar is never scaled.
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
