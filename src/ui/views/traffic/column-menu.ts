import { moveInMenu } from "../../parts/menu-keys.ts";
import { paneWidthOf } from "../../parts/pane-width.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { view } from "../view.ts";
import { type ColumnItem, choicesOf, chosen, itemsOf, spared, textsOf } from "./columns.ts";

/** Width of the menu in px, as in traffic.css. */
const WIDTH = 200;

/** The menu of the list's columns. Stays open when a column is shown or hidden. */
export function columnMenu({ selection }: Pick<ViewDependencies, "selection">) {
  const itemsIn = (around: Element): readonly ColumnItem[] => {
    const { isNarrow, isSlim } = paneWidthOf(around);
    const choices = choicesOf(selection.now.trafficColumns);
    return itemsOf(isSlim ? spared(choices) : choices, isNarrow);
  };

  return view({
    // Built when the menu is first opened.
    items: Object.freeze([]) as readonly ColumnItem[],
    style: {} as { readonly left?: string; readonly top?: string; readonly maxHeight?: string },

    onOpening(state: string): void {
      if (state !== "open") return;
      this.items = itemsIn(this.$root);
      const button = document.querySelector('[popovertarget="column-menu"]');
      const { right, bottom } = (button ?? this.$root).getBoundingClientRect();
      const left = Math.min(right, window.innerWidth - 4) - WIDTH;
      this.style = Object.freeze({
        left: `${Math.max(4, left)}px`,
        top: `${bottom + 2}px`,
        maxHeight: `calc(100vh - ${bottom + 6}px)`,
      });
    },

    onToggle(state: string): void {
      if (state === "open") this.$root.querySelector<HTMLElement>('[role^="menuitem"]')?.focus();
    },

    onKey(event: KeyboardEvent): void {
      if (event.key === "Tab") this.$root.hidePopover();
      else moveInMenu(event, event.currentTarget as HTMLElement);
    },

    toggle({ name, shown, fixed }: ColumnItem): void {
      if (fixed) return;
      const choices = chosen(choicesOf(selection.now.trafficColumns), name, { shown: !shown });
      selection.set({ trafficColumns: textsOf(choices) });
      this.items = itemsIn(this.$root);
    },

    /** Restores the default columns, their order and their widths. */
    reset(): void {
      selection.set({ trafficColumns: Object.freeze([]) });
      this.items = itemsIn(this.$root);
    },
  });
}
