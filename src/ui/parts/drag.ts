/** Handles @pointerdown: calls `moved` for each move until the pointer is released, then `done`. */
export function trackPointer(
  event: PointerEvent,
  moved: (event: PointerEvent) => void,
  done: () => void = () => {},
  pressed = event.currentTarget as HTMLElement,
): void {
  const end = (): void => {
    pressed.removeEventListener("pointermove", moved);
    done();
  };
  pressed.setPointerCapture(event.pointerId);
  pressed.addEventListener("pointermove", moved);
  pressed.addEventListener("lostpointercapture", end, { once: true });
}

/** `trackPointer`; `to` gets the pointer's distance from the left edge of the pressed element, in px. */
export function startDrag(event: PointerEvent, to: (x: number) => void, done?: () => void): void {
  const pressed = event.currentTarget as HTMLElement;
  trackPointer(event, ({ clientX }) => to(clientX - pressed.getBoundingClientRect().left), done);
}
