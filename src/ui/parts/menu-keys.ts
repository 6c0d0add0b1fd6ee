/**
 * Moves the focus among a menu's items, as the ARIA menu pattern prescribes: arrow keys wrap around (items may be side
 * by side), Home and End go to the ends. For @keydown.
 */
export function moveInMenu(event: KeyboardEvent, menu: HTMLElement): void {
  moveAmong(event, [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')], true);
}

/** The same among the items of a list that is one tab stop. `isSideways`: items may be side by side. */
export function moveAmong(event: KeyboardEvent, items: readonly HTMLElement[], isSideways = false): void {
  const sideways = { ArrowRight: "ArrowDown", ArrowLeft: "ArrowUp" }[event.key];
  const key = (isSideways ? sideways : undefined) ?? event.key;
  const index = placeAfter(key, items.indexOf(document.activeElement as HTMLElement), items.length);
  const item = index === null ? undefined : items[index];
  if (item === undefined) return;
  event.preventDefault();
  item.focus();
}

/** The item that a key moves to; `null` if the key is none of the menu's. `at` is -1 if no item has the focus. */
export function placeAfter(key: string, at: number, count: number): number | null {
  switch (key) {
    case "ArrowDown":
      return (at + 1) % count;
    case "ArrowUp":
      return (at <= 0 ? count : at) - 1;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
