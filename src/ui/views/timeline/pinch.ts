/** `factor`: the change of the visible range's length. `x`: the point that does not move, in CSS pixels of the page. */
type Zoom = (factor: number, x: number) => void;

/**
 * WebKit's event for two fingers on a trackpad; TypeScript's DOM types lack it. Chromium sends a wheel event with Ctrl
 * instead.
 */
interface GestureEvent extends UIEvent {
  readonly scale: number;
  readonly clientX: number;
}

interface Fingers {
  readonly apart: number;
  readonly x: number;
}

/**
 * Calls `zoom` when two fingers pinch the element, on a touch screen or on a trackpad in WebKit; one finger still
 * scrolls. The returned function stops the calls.
 */
export function watchPinch(element: HTMLElement, zoom: Zoom): () => void {
  let last: Fingers | null = null;
  let lastScale = 1;
  const listening = new AbortController();
  const { signal } = listening;

  const touched = ({ touches }: TouchEvent): void => {
    last = fingersOf(touches);
  };
  element.addEventListener("touchstart", touched, { signal, passive: true });
  element.addEventListener("touchend", touched, { signal, passive: true });
  element.addEventListener("touchcancel", touched, { signal, passive: true });
  element.addEventListener(
    "touchmove",
    (event) => {
      const fingers = fingersOf(event.touches);
      if (fingers === null) return;
      // Keeps the page itself from zooming.
      event.preventDefault();
      if (last !== null) zoom(last.apart / fingers.apart, fingers.x);
      last = fingers;
    },
    { signal, passive: false },
  );

  const gesture = (event: Event): void => {
    const { scale, clientX } = event as GestureEvent;
    event.preventDefault();
    if (event.type === "gesturechange") zoom(lastScale / scale, clientX);
    lastScale = event.type === "gesturestart" ? 1 : scale;
  };
  element.addEventListener("gesturestart", gesture, { signal });
  element.addEventListener("gesturechange", gesture, { signal });
  return () => listening.abort();
}

/** The distance and the middle of two fingers; `null` unless there are exactly two, at different points. */
function fingersOf(touches: TouchList): Fingers | null {
  const [one, other] = [touches[0], touches[1]];
  if (one === undefined || other === undefined || touches.length > 2) return null;
  const apart = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
  return apart === 0 ? null : { apart, x: (one.clientX + other.clientX) / 2 };
}
