import type { Part } from "./marks.ts";

/**
 * Puts the pieces of a text into an element, those that were found as `mark`s. Plain nodes, not templates: the source list
 * is drawn anew with every key, and has 16 ms for it.
 */
export function drawMarked(element: HTMLElement, parts: readonly Part[]): void {
  element.replaceChildren(
    ...parts.map(({ text, marked }) => {
      if (!marked) return text;
      const mark = document.createElement("mark");
      mark.textContent = text;
      return mark;
    }),
  );
}
