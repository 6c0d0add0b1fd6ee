/** Parts that scroll if the panel is too low for their content. */
const SCROLLERS = ".fact-groups, .timing-chart, .timing-side, .headers, .messages-list, .message-whole";

/** Event for changes inside a shadow root, which the page's observers do not see. */
export const DRAWN = "drawn";

/**
 * Calls `grow` with the hidden height of the content, in px, at most once per frame and never with 0. The returned
 * function stops the calls.
 */
export function followHiddenHeight(panel: HTMLElement, grow: (hidden: number) => void): () => void {
  let frame = 0;
  const measure = (): void => {
    frame = 0;
    const hidden = hiddenHeightOf(panel);
    if (hidden > 0) grow(hidden);
  };
  const changed = (): void => {
    if (frame === 0) frame = requestAnimationFrame(measure);
  };
  const observer = new MutationObserver(changed);
  observer.observe(panel, { childList: true, subtree: true, characterData: true });
  panel.addEventListener(DRAWN, changed);
  // The event `load` of an image does not bubble, so it is handled in the capture phase.
  panel.addEventListener("load", changed, true);
  changed();
  return () => {
    observer.disconnect();
    panel.removeEventListener(DRAWN, changed);
    panel.removeEventListener("load", changed, true);
    cancelAnimationFrame(frame);
  };
}

/** The largest hidden height among the parts of the panel, in px; 0 if nothing is hidden. */
export function hiddenHeightOf(panel: Pick<HTMLElement, "querySelectorAll">): number {
  const overflows = [...panel.querySelectorAll(SCROLLERS)].map(overflowOf);
  for (const text of panel.querySelectorAll(".body-text")) {
    const scroller = text.shadowRoot?.querySelector(".cm-scroller");
    if (scroller) overflows.push(overflowOf(scroller));
  }
  for (const image of panel.querySelectorAll<HTMLImageElement>(".body-image")) {
    if (image.offsetHeight > 0) overflows.push(image.naturalHeight - image.offsetHeight);
  }
  return Math.max(0, ...overflows);
}

function overflowOf(scroller: Element): number {
  return scroller.scrollHeight - scroller.clientHeight;
}
