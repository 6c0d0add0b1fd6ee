import type { Part } from "./marks.ts";

/**
 * Renders the parts of a text into an element, matches as `mark`s. Plain nodes, not templates: the source list is
 * redrawn at every key press, within 16 ms.
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
