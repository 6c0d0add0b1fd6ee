/**
 * Handles @pointerdown: calls `to` for each move until the pointer is released, then `done`. `to` gets the pointer's
 * distance from the left edge of the pressed element, in px.
 */
export function startDrag(event: PointerEvent, to: (x: number) => void, done: () => void = () => {}): void {
  const pressed = event.currentTarget as HTMLElement;
  const move = (moved: PointerEvent): void => to(moved.clientX - pressed.getBoundingClientRect().left);
  const end = (): void => {
    pressed.removeEventListener("pointermove", move);
    pressed.removeEventListener("pointerup", end);
    pressed.removeEventListener("pointercancel", end);
    done();
  };
  pressed.setPointerCapture(event.pointerId);
  pressed.addEventListener("pointermove", move);
  pressed.addEventListener("pointerup", end);
  pressed.addEventListener("pointercancel", end);
}
