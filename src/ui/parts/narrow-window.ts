/** The media query for a window too narrow for wide content (below 1100 px, as in tokens.css). Notifies of changes. */
export function narrowWindow(): MediaQueryList {
  return window.matchMedia("(max-width: 1099px)");
}

/** The same for a window at 200 % zoom: below 760 px. */
export function smallestWindow(): MediaQueryList {
  return window.matchMedia("(max-width: 759px)");
}
