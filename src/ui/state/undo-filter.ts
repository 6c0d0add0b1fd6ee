import type { Instant, Milliseconds } from "../../engine/model/units.ts";
import type { Selection } from "./selection.ts";
import type { UndoStack, UndoStep } from "./undo.ts";

/**
 * Changes of the filter that follow each other sooner are one change, as while typing, unless all of it is cleared at
 * once.
 */
const TYPING: Milliseconds = 1_000;

/** Makes each change of the filter one that can be undone. */
export function undoFilter(selection: Selection, undo: UndoStack, now: () => Instant): void {
  let { filter } = selection.now;
  let latest: { readonly step: UndoStep; readonly before: string; readonly at: Instant } | null = null;
  let isUndoing = false;
  const restore = (before: string) => {
    isUndoing = true;
    selection.set({ filter: before });
    isUndoing = false;
    return before === "" ? "Filter cleared again." : "Filter restored.";
  };
  selection.watch((selected) => {
    if (selected.filter === filter) return;
    const before = filter;
    filter = selected.filter;
    if (isUndoing) return;
    const isCleared = filter === "" && before.length > 1;
    const isTyping = !isCleared && latest !== null && undo.latest === latest.step && now() - latest.at < TYPING;
    if (latest !== null && isTyping) {
      latest = { ...latest, at: now() };
      if (filter === latest.before) undo.remove(latest.step);
      return;
    }
    const step = { offer: "", undo: () => restore(before) };
    latest = { step, before, at: now() };
    undo.push(step);
  });
}
