/** `factor`: how much longer the stretch in sight becomes; `x`: where in the page, in CSS pixels, it keeps its place. */
type Zoom = (factor: number, x: number) => void;

/** What WebKit sends for two fingers on a trackpad, where Chromium sends a wheel with Ctrl. Not in the DOM's types. */
interface GestureEvent extends UIEvent {
  readonly scale: number;
  readonly clientX: number;
}

interface Fingers {
  readonly apart: number;
  readonly x: number;
}

/** Zooms by two fingers on an element, on a touch screen or on WebKit's trackpad; one finger scrolls as ever. Returns the end of it. */
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
      // Else the page itself would grow.
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

/** `null` unless there are two, with some room between them. */
function fingersOf(touches: TouchList): Fingers | null {
  const [one, other] = [touches[0], touches[1]];
  if (one === undefined || other === undefined || touches.length > 2) return null;
  const apart = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
  return apart === 0 ? null : { apart, x: (one.clientX + other.clientX) / 2 };
}
