/** The media query for a window too narrow for wide content (tokens.css, below 1100 px); it notifies of changes. */
export function narrowWindow(): MediaQueryList {
  return window.matchMedia("(max-width: 1099px)");
}
