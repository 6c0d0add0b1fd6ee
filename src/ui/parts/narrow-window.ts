/** The window while it is too narrow for what is wide (tokens.css, below 1100 px); it says when that changes. */
export function narrowWindow(): MediaQueryList {
  return window.matchMedia("(max-width: 1099px)");
}
