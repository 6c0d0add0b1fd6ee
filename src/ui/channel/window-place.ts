/** A rectangle on the desktop, in CSS pixels. */
export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** How much of a window's upper edge a user needs to see to move the window. */
const GRIP: Pick<Rectangle, "width" | "height"> = { width: 100, height: 20 };

/**
 * Whether a window can't be moved with the mouse, because too little of its upper edge is on `screen`: the screen on
 * which it was left is gone.
 */
export function isOutOfReach(window: Rectangle, screen: Rectangle): boolean {
  const visible = Math.min(window.left + window.width, screen.left + screen.width) - Math.max(window.left, screen.left);
  const isBelow = window.top > screen.top + screen.height - GRIP.height;
  return visible < GRIP.width || isBelow || window.top < screen.top - GRIP.height;
}
