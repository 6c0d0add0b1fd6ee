import type { Slot } from "./list-frame.ts";
import { RowCells } from "./row-cells.ts";

type DrawnSlot = Parameters<RowCells["show"]>[0];

interface MountedRow {
  readonly element: HTMLElement;
  /** The template element from which `element` was cloned. */
  readonly made: Element;
  readonly cells: RowCells;
  shown: DrawnSlot | null;
}

/**
 * Renders one element per slot from a template, and redraws only changed slots. In lists whose cells are drawn without
 * Alpine (row-cells.ts), this class replaces x-for, which evaluates every row.
 */
export class MountedRows {
  readonly #template: HTMLTemplateElement;
  readonly #rows = new Map<Slot<unknown>["key"], MountedRow>();

  constructor(template: HTMLTemplateElement) {
    this.#template = template;
  }

  /**
   * Shows the slots, given from top to bottom, and removes surplus elements. If the template's row was replaced, all
   * elements are made anew.
   */
  show(slots: readonly DrawnSlot[]): void {
    const keys = new Set(slots.map(({ key }) => key));
    const template = this.#template.content.firstElementChild;
    for (const [key, { element, made }] of this.#rows) {
      if (keys.has(key) && made === template) continue;
      element.remove();
      this.#rows.delete(key);
    }
    let above: Element = this.#template;
    for (const slot of slots) {
      const row = this.#rows.get(slot.key) ?? this.#mount(slot.key);
      // The element is usually in place already, because SlotRecycler has moved it.
      if (above.nextElementSibling !== row.element) above.after(row.element);
      above = row.element;
      if (row.shown === slot) continue;
      row.shown = slot;
      row.cells.show(slot);
    }
  }

  #mount(key: Slot<unknown>["key"]): MountedRow {
    const made = this.#template.content.firstElementChild;
    const element = made?.cloneNode(true);
    if (made === null || !(element instanceof HTMLElement)) throw new Error("a list without a row");
    const row = { element, made, cells: new RowCells(element), shown: null };
    this.#rows.set(key, row);
    return row;
  }
}
