import { drawMarked } from "./marked-text.ts";
import type { TargetGroup, TargetList, TargetRow } from "./target-rows.ts";

/**
 * Draws a filtered list: shows or hides rows and groups, and marks matches in their texts. A row that is the same
 * object in `before` is not drawn again. Works without Alpine, because a key press must be handled within 16 ms.
 */
export function drawTargets(now: TargetList, before: TargetList | null): void {
  for (const [index, group] of now.groups.entries()) {
    const old = before?.groups[index] ?? null;
    drawGroup(group);
    for (const [at, row] of group.rows.entries()) if (row !== old?.rows[at]) drawRow(row);
  }
}

function drawGroup({ id, shown, title, count }: TargetGroup): void {
  const element = document.getElementById(id);
  if (element === null) return;
  element.hidden = !shown;
  partOf(element, "title", (part) => drawMarked(part, title));
  partOf(element, "count", (part) => {
    part.textContent = count;
  });
}

function drawRow({ id, shown, name, summary, support, whole }: TargetRow): void {
  const element = document.getElementById(id);
  if (element === null) return;
  element.hidden = !shown;
  if (!shown) return;
  partOf(element, "name", (part) => drawMarked(part, name));
  partOf(element, "summary", (part) => {
    drawMarked(part, summary);
    part.classList.toggle("is-whole", whole);
  });
  partOf(element, "support", (part) => {
    drawMarked(part, support);
    part.hidden = support.length === 0;
  });
}

function partOf(element: HTMLElement, name: string, draw: (part: HTMLElement) => void): void {
  const part = element.querySelector<HTMLElement>(`[data-part="${name}"]`);
  if (part !== null) draw(part);
}
