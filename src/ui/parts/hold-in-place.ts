/**
 * Notes where the element under the mouse is. Returns a function to call after a change is drawn: it scrolls by as much
 * as the change has moved the element, if necessary into empty space below, which stays until the mouse is elsewhere.
 */
export function holdInPlace(scroller: HTMLElement | undefined): () => void {
  if (scroller === undefined) return () => {};
  const held = [...scroller.querySelectorAll(":hover")].at(-1);
  if (held === undefined) {
    scroller.style.paddingBottom = "";
    return () => {};
  }
  const before = held.getBoundingClientRect().top;
  return () => {
    const moved = held.isConnected ? held.getBoundingClientRect().top - before : 0;
    if (moved === 0) return;
    const to = scroller.scrollTop + moved;
    const { clientHeight, style } = scroller;
    // First as much space as could ever be needed, to measure how much of it is.
    style.paddingBottom = `${clientHeight}px`;
    const spare = scroller.scrollHeight - clientHeight - to;
    style.paddingBottom = `${Math.max(0, clientHeight - spare)}px`;
    scroller.scrollTop = to;
  };
}
