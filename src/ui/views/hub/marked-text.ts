import type { Part } from "./marks.ts";

/**
 * Draws the parts of a text into an element; the parts that match become `mark` elements. Uses no template, because the
 * source list must be drawn within 16 ms of a key press.
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
