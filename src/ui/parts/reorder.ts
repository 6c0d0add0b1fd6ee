/** Pixels that a press may move before it is a drag. Our choice. */
const STILL = 4;

export interface ReorderOptions {
  /** What is put in another order, from left to right. */
  items(): readonly HTMLElement[];
  /** Where it would be put if it were let go now: left of that item, or of the end (their count); `null`: it stays. */
  over(place: number | null): void;
  /** It was let go there. */
  moved(from: number, place: number): void;
}

/** Starts a drag of the item that was pressed; for @pointerdown around the items. Less than a few pixels is a press like any other. */
export function startReorder(event: PointerEvent, { items, over, moved }: ReorderOptions): void {
  const from = items().findIndex((item) => event.target instanceof Node && item.contains(event.target));
  const held = items()[from];
  if (held === undefined || event.button !== 0) return;
  let place: number | null = null;
  let isDrag = false;
  const move = ({ clientX }: PointerEvent): void => {
    isDrag ||= Math.abs(clientX - event.clientX) > STILL;
    if (!isDrag) return;
    held.setPointerCapture(event.pointerId);
    const middles = items().map((item) => {
      const { left, width } = item.getBoundingClientRect();
      return left + width / 2;
    });
    place = placeAt(clientX, middles, from);
    over(place);
  };
  const end = (put: boolean): void => {
    ends.abort();
    over(null);
    if (put && place !== null) moved(from, place);
    // The click that follows a drag is none.
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

/** Left of which item something at `x` would be put, of items with these middles (px, rising); `null`: where it is. */
export function placeAt(x: number, middles: readonly number[], from: number): number | null {
  const place = middles.filter((middle) => middle < x).length;
  return place === from || place === from + 1 ? null : place;
}

function swallow(event: Event): void {
  event.stopPropagation();
  event.preventDefault();
}
