/** The position of a list when a key is pressed. */
interface ListPosition {
  /** Index of the active row; -1 if there is none. */
  readonly active: number;
  /** Index of the first visible row. */
  readonly first: number;
  /** Rows per page. */
  readonly page: number;
  readonly count: number;
}

/**
 * The index that a key moves to (`j` and `k` as the arrow keys), possibly beyond the list's ends; `null` if the list
 * does not handle the key.
 */
export function indexAfter(key: string, { active, first, page, count }: ListPosition): number | null {
  switch (key) {
    case "ArrowDown":
    case "j":
      return active < 0 ? first : active + 1;
    case "ArrowUp":
    case "k":
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
