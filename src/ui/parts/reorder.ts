/** Pixels that the pointer moves before a press becomes a drag. */
const STILL = 4;

export interface ReorderOptions {
  items(): readonly HTMLElement[];
  /**
   * Called during a drag with the drop position: the index of the item before which a drop inserts, or the number of
   * items for the end. `null`: a drop would change nothing.
   */
  over(target: number | null): void;
  /** Called when the item `from` is dropped at another position; `target` as in `over`. */
  moved(from: number, target: number): void;
}

/** Starts dragging the pressed item; for @pointerdown around the items. A movement of a few pixels remains a press. */
export function startReorder(event: PointerEvent, { items, over, moved }: ReorderOptions): void {
  const from = items().findIndex((item) => event.target instanceof Node && item.contains(event.target));
  const held = items()[from];
  if (held === undefined || event.button !== 0) return;
  let target: number | null = null;
  let isDrag = false;
  const move = ({ clientX }: PointerEvent): void => {
    isDrag ||= Math.abs(clientX - event.clientX) > STILL;
    if (!isDrag) return;
    held.setPointerCapture(event.pointerId);
    const middles = items().map((item) => {
      const { left, width } = item.getBoundingClientRect();
      return left + width / 2;
    });
    target = targetAt(clientX, middles, from);
    over(target);
  };
  const end = (put: boolean): void => {
    ends.abort();
    over(null);
    if (put && target !== null) moved(from, target);
    // Suppresses the click that follows a drag.
    if (isDrag) window.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => window.removeEventListener("click", swallow, { capture: true }));
  };
  const ends = new AbortController();
  const { signal } = ends;
  window.addEventListener("pointermove", move, { signal });
  window.addEventListener("pointerup", () => end(true), { signal });
  window.addEventListener("pointercancel", () => end(false), { signal });
  window.addEventListener(
    "keydown",
    (pressed) => {
      if (pressed.key !== "Escape" || !isDrag) return;
      pressed.stopPropagation();
      end(false);
    },
    { signal, capture: true },
  );
}

/**
 * The drop position for the pointer at `x`, as in `over`. `middles`: the centres of the items in px, ascending; `from`:
 * the index of the dragged item.
 */
export function targetAt(x: number, middles: readonly number[], from: number): number | null {
  const index = middles.filter((middle) => middle < x).length;
  return index === from || index === from + 1 ? null : index;
}

function swallow(event: Event): void {
  event.stopPropagation();
  event.preventDefault();
}
