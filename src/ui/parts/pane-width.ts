/** Whether a pane is too narrow for wide content, and whether it is as narrow as at 200 % zoom. */
export interface PaneWidth {
  readonly isNarrow: boolean;
  readonly isSlim: boolean;
}

/** Least widths in px of a pane that is not narrow, and not slim, as in app.css. */
const WIDE = 1_040;
const NOT_SLIM = 712;

/** The width of the view around `inside`. */
export function paneWidthOf(inside: Element): PaneWidth {
  const width = inside.closest(".view")?.clientWidth ?? window.innerWidth;
  return Object.freeze({ isNarrow: width < WIDE, isSlim: width < NOT_SLIM });
}
