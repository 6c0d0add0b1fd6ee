/** Browsers cannot make an element taller than about 17,800,000 px; from here on the scroll bar moves by a scale. */
const TALLEST_PX = 15_000_000;

/** How a scroll bar stands to rows that may be taller together than an element can be. */
export interface ScrollScale {
  readonly scaled: boolean;
  /** Height to give the element that stands for all rows, in px. */
  readonly spaceHeight: number;
  /** Pixels of rows above what is seen, for a position of the bar. */
  offsetOf(scrollTop: number): number;
  scrollTopOf(offset: number): number;
}

/** `height`: of all rows; `seen`: of the part in sight, in px. Beyond the last row (a foot, say) the bar is never scaled. */
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
