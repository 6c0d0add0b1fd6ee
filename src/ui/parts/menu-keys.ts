/**
 * Handles @keydown in a menu: moves the focus among its items, as the ARIA menu pattern prescribes. Arrow keys wrap
 * around (items may be side by side), Home and End go to the ends. Items of a menu within the menu are left out.
 */
export function moveInMenu(event: KeyboardEvent, menu: HTMLElement): void {
  const items = [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
  moveAmong(
    event,
    items.filter((item) => item.closest('[role="menu"]') === menu),
    true,
  );
}

/**
 * Handles @keydown in a list of items that is one tab stop: moves the focus as in a menu. `isSideways`: the left and
 * right arrow keys also move the focus. `j` and `k` move as the arrow keys do.
 */
export function moveAmong(event: KeyboardEvent, items: readonly HTMLElement[], isSideways = false): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const sideways = isSideways ? { ArrowRight: "ArrowDown", ArrowLeft: "ArrowUp" }[event.key] : undefined;
  const key = sideways ?? { j: "ArrowDown", k: "ArrowUp" }[event.key] ?? event.key;
  const index = menuIndexAfter(key, items.indexOf(document.activeElement as HTMLElement), items.length);
  const item = index === null ? undefined : items[index];
  if (item === undefined) return;
  event.preventDefault();
  item.focus();
}

/** The index of the item that a key moves to; `null` for any other key. `at` is -1 if no item has the focus. */
export function menuIndexAfter(key: string, at: number, count: number): number | null {
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
