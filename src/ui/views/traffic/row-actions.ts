import type { Mark } from "../../../engine/model/annotation.ts";
import { hostOf } from "../../../engine/model/endpoint.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { countPhrase } from "../../format/count.ts";
import { requestAddress } from "../../format/request-address.ts";
import type { ListFrame, Slot } from "../../parts/list/list-frame.ts";
import type { PickedRows } from "../../state/selection.ts";
import { rowMenuAt } from "../context-menu.ts";
import { deleteExchanges } from "../delete-exchanges.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { copyExchange, copyPicked, markExchanges, resendExchange } from "../exchange-actions.ts";
import { cellTermOf } from "./cell-terms.ts";
import { columnOf } from "./columns.ts";
import type { TrafficRow } from "./rows.ts";
import type { TrafficList } from "./traffic-list.ts";

type Slots = ListFrame<TrafficRow>["slots"];

interface RowActionsOptions {
  readonly deps: Pick<
    ViewDependencies,
    "commands" | "copy" | "announce" | "undo" | "selection" | "openMenu" | "openComparison" | "openDifference"
  >;
  readonly list: Pick<TrafficList, "active" | "activate" | "show" | "recordAt" | "clearSelection">;
  selectedRows(): PickedRows | null;
}

/** What keys and the menu do with a row. A mark applies to all selected rows if the row is among them. */
export class RowActions {
  readonly #options: RowActionsOptions;

  constructor(options: RowActionsOptions) {
    this.#options = options;
  }

  /** For @keydown on the list, whose visible rows are in `frame`: copies, resends, marks or deletes the active row. */
  onKey(event: KeyboardEvent, { slots }: ListFrame<TrafficRow>): void {
    const { deps, list } = this.#options;
    const active = list.active as ExchangeId | null;
    if (active === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const slot = slots.find((each) => each.active);
    const picked = slot?.selected === true ? this.#options.selectedRows() : null;
    if (event.key === "c")
      void (picked === null ? copyExchange(deps, active, "curl") : copyPicked(deps, picked, "curl"));
    if (event.key === "r") void resendExchange(deps, active);
    if ((event.key === "Delete" || event.key === "Backspace") && slot !== undefined) this.#deleteAt(slot, slots);
    if (event.key !== "m" || slot === undefined) return;
    this.#mark(this.#targetsOf(slot), slot.row?.markClass === "is-star" ? null : "star");
  }

  /**
   * For @contextmenu within the list. A right click applies to the row under the pointer, the menu key to the active
   * row.
   */
  openMenu(event: MouseEvent, { slots }: ListFrame<TrafficRow>): void {
    const { deps, list } = this.#options;
    const at = rowMenuAt(event);
    const slot = slots.find(({ id }) => id === at?.row);
    const record = slot === undefined ? null : list.recordAt(slot.index);
    if (at === null || slot === undefined || record === null) return;
    list.activate(record.id);
    // Determined now, because rows may move before the user chooses a mark.
    const which = this.#targetsOf(slot);
    const setMark = (mark: Mark | null): void => this.#mark(which, mark);
    const column = columnOf((event.target as Element).closest('[role="gridcell"]'));
    const term = column === null ? null : cellTermOf(column, record);
    deps.openMenu({
      exchange: record.id,
      address: requestAddress(record),
      endpoint: null,
      host: hostOf(record.origin),
      value: term === null ? null : { term, text: null, line: null },
      picked: slot.selected ? this.#options.selectedRows() : null,
      mark: record.mark,
      setMark,
      remove: () => this.#deleteAt(slot, slots),
      ...at,
    });
  }

  /** Marks the selected rows; `null` removes their marks. */
  markSelected(mark: Mark | null): void {
    this.#mark(this.#options.selectedRows(), mark);
  }

  deleteSelected({ slots }: ListFrame<TrafficRow>): void {
    const rows = this.#options.selectedRows();
    const gone = slots.filter(({ selected }) => selected);
    if (rows !== null) void this.#delete(rows, this.#beside(gone, slots));
  }

  /** Compares two selected rows with each other, more of them with the other requests of their endpoints. */
  compareSelected(count: number): void {
    const { deps, selectedRows } = this.#options;
    const rows = selectedRows();
    if (rows === null || count < 2) return;
    const ends = new Set(rows.stretches.flatMap(({ from, to }) => [from, to]));
    const [exchange, other] = ends;
    if (count === 2 && exchange != null && other != null) return deps.openComparison({ exchange, other });
    const name = countPhrase(count, "selected request", "selected requests");
    deps.openDifference({ set: { by: "rows", ...rows }, name });
  }

  /** The row's exchange; all selected rows if the row is among them. */
  #targetsOf({ index, selected }: Slot<TrafficRow>): ExchangeId | PickedRows | null {
    const { list, selectedRows } = this.#options;
    return (selected ? selectedRows() : null) ?? list.recordAt(index)?.id ?? null;
  }

  /** Deletes the row's exchange, or all selected rows if it is among them. */
  #deleteAt(slot: Slot<TrafficRow>, slots: Slots): void {
    const which = this.#targetsOf(slot);
    const gone = typeof which === "number" ? [slot] : slots.filter(({ selected }) => selected);
    if (which !== null) void this.#delete(which, this.#beside(gone, slots));
  }

  /** The exchange in the visible row below these rows, else in the row above them; `null` if there is neither. */
  #beside(gone: Slots, slots: Slots): ExchangeId | null {
    const [first, last] = [gone[0]?.index ?? 0, gone.at(-1)?.index ?? 0];
    const next = slots.find(({ index }) => index > last) ?? slots.findLast(({ index }) => index < first);
    return next === undefined ? null : (this.#options.list.recordAt(next.index)?.id ?? null);
  }

  /** `next`: the row that is active after the deletion, and open if the deleted one was. */
  async #delete(which: ExchangeId | PickedRows, next: ExchangeId | null): Promise<void> {
    const { deps, list } = this.#options;
    const isOpen = deps.selection.now.exchange === which;
    if (!(await deleteExchanges(deps, which))) return;
    if (typeof which !== "number") list.clearSelection();
    if (next === null) list.activate(null);
    else list.show(next);
    deps.selection.set(isOpen ? { active: next, exchange: next } : { active: next });
  }

  #mark(which: ExchangeId | PickedRows | null, mark: Mark | null): void {
    if (which !== null) void markExchanges(this.#options.deps, which, mark);
  }
}
