/** Where a list stands when a key is pressed. */
interface ListPlace {
  /** Index of the active row; -1 if none is. */
  readonly active: number;
  /** Index of the first row in sight. */
  readonly first: number;
  /** Rows that a page moves by. */
  readonly page: number;
  readonly count: number;
}

/** The row that a key goes to, perhaps beyond the list's ends; `null`: the key is not for lists. */
export function indexAfter(key: string, { active, first, page, count }: ListPlace): number | null {
  switch (key) {
    case "ArrowDown":
      return active < 0 ? first : active + 1;
    case "ArrowUp":
      return active < 0 ? first + page : active - 1;
    case "PageDown":
      return Math.max(active, first) + page;
    case "PageUp":
      return (active < 0 ? first : active) - page;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
