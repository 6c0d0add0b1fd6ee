/** The media query for a window too narrow for wide content (below 1100 px, as in tokens.css). */
export function narrowWindow(): MediaQueryList {
  return window.matchMedia("(max-width: 1099px)");
}

/** The media query for a window below 760 px, as at 200 % zoom. */
export function smallestWindow(): MediaQueryList {
  return window.matchMedia("(max-width: 759px)");
}
