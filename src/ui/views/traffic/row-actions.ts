import type { Mark } from "../../../engine/model/annotation.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { requestAddress } from "../../format/request-address.ts";
import type { ListFrame, Slot } from "../../parts/list/list-frame.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { copyExchange, markExchanges, type PickedRows, resendExchange } from "../exchange-actions.ts";
import type { TrafficRow } from "./rows.ts";
import type { TrafficList } from "./traffic-list.ts";

interface RowActionsOptions {
  readonly deps: Pick<ViewDependencies, "commands" | "copy" | "announce" | "openMenu">;
  readonly list: Pick<TrafficList, "active" | "activate" | "recordAt">;
  /** The selected rows; `null`: none. */
  selectedRows(): PickedRows | null;
}

/** What keys and the menu do with a row. A mark applies to all selected rows if the row is among them. */
export class RowActions {
  readonly #options: RowActionsOptions;

  constructor(options: RowActionsOptions) {
    this.#options = options;
  }

  /** For @keydown on the list, whose visible rows are in `frame`: copies, resends or marks the active row. */
  onKey(event: KeyboardEvent, { slots }: ListFrame<TrafficRow>): void {
    const { deps, list } = this.#options;
    const { active } = list;
    if (active === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "c") void copyExchange(deps, active, "curl");
    if (event.key === "r") void resendExchange(deps, active);
    const slot = slots.find((each) => each.active);
    if (event.key !== "m" || slot === undefined) return;
    this.#mark(this.#targetsOf(slot), slot.row?.markClass === "is-star" ? null : "star");
  }

  /**
   * For @contextmenu within `root`. A right click applies to the row under the pointer, the menu key to the active row.
   */
  openMenu(event: MouseEvent, { slots }: ListFrame<TrafficRow>, root: HTMLElement): void {
    const { deps, list } = this.#options;
    const row = (event.target as Element).closest<HTMLElement>(".list-row");
    const slot = slots.find(({ id, active }) => (row === null ? active : id === row.id));
    const record = slot === undefined ? null : list.recordAt(slot.index);
    if (slot === undefined || record === null) return;
    list.activate(record.id);
    const { left, bottom } = (row ?? root.querySelector(`#${slot.id}`) ?? root).getBoundingClientRect();
    const at = row === null ? { x: left + 16, y: bottom } : { x: event.clientX, y: event.clientY };
    // Determined now, because rows may move before the user chooses a mark.
    const which = this.#targetsOf(slot);
    const setMark = (mark: Mark | null): void => this.#mark(which, mark);
    const address = requestAddress(record);
    deps.openMenu({ exchange: record.id, address, mark: record.mark, setMark, ...at, corner: "left" });
  }

  /** Marks the selected rows; `null` removes their marks. */
  markSelected(mark: Mark | null): void {
    this.#mark(this.#options.selectedRows(), mark);
  }

  /** The row's exchange; all selected rows if the row is among them. */
  #targetsOf({ index, selected }: Slot<TrafficRow>): ExchangeId | PickedRows | null {
    const { list, selectedRows } = this.#options;
    return (selected ? selectedRows() : null) ?? list.recordAt(index)?.id ?? null;
  }

  #mark(which: ExchangeId | PickedRows | null, mark: Mark | null): void {
    if (which !== null) void markExchanges(this.#options.deps, which, mark);
  }
}
