import type { Sort, TrafficColumn } from "../../../engine/messages/messages.ts";
import { narrowWindow } from "../../parts/narrow-window.ts";
import { type ResizeOptions, resizeByKey, startResize } from "../../parts/resize.ts";
import type { Selection } from "../../state/selection.ts";
import { headsOf } from "../table-heads.ts";
import {
  COLUMN_BOUNDS,
  type ColumnLayout,
  type ColumnName,
  choicesOf,
  chosen,
  columnsOf,
  isNarrowed,
  layoutOf,
  type ShownColumn,
  textsOf,
} from "./columns.ts";

/** A head as it is drawn: texts by the names that traffic.html has for them. */
export type ColumnHead = Readonly<Record<string, string>> & { readonly name: ColumnName };

/** The columns as they stand: their heads, what the list's element is told, and which are in sight. */
export interface Arranged {
  readonly heads: readonly ColumnHead[];
  readonly layout: ColumnLayout;
  /** Some column is narrower than the view has it, and so perhaps than its texts. */
  readonly narrowed: boolean;
  /** Another set once they are others. */
  readonly shown: ReadonlySet<ColumnName>;
}

/** The columns of the list, as a person has arranged them. */
export class Arrangement {
  readonly #selection: Selection;
  readonly #narrow = narrowWindow();
  readonly #show: (arranged: Arranged) => void;
  #texts: readonly string[] | null;
  #columns: readonly ShownColumn[] = [];
  #shown: ReadonlySet<ColumnName> = new Set();
  #sort: Sort<TrafficColumn>;
  #digits: number;

  /** `show` is called whenever they stand differently, and at once. `digits`: px that the row numbers need. */
  constructor(selection: Selection, sort: Sort<TrafficColumn>, digits: number, show: (arranged: Arranged) => void) {
    this.#selection = selection;
    this.#texts = selection.now.trafficColumns;
    this.#sort = sort;
    this.#digits = digits;
    this.#show = show;
    this.#narrow.addEventListener("change", this.#arrange);
    this.#arrange();
  }

  /** Columns that are in sight. Another set once they are others. */
  get shown(): ReadonlySet<ColumnName> {
    return this.#shown;
  }

  /** Looks whether something was arranged differently. */
  follow(sort: Sort<TrafficColumn>, digits: number): void {
    const { trafficColumns } = this.#selection.now;
    if (trafficColumns === this.#texts && sort === this.#sort && digits === this.#digits) return;
    this.#texts = trafficColumns;
    this.#sort = sort;
    this.#digits = digits;
    this.#arrange();
  }

  /** What the list is sorted by after a click there; `null`: it was on no such head. */
  sortColumnAt({ target }: Event): TrafficColumn | null {
    const isSort = target instanceof Element && target.closest(".sort") !== null;
    return isSort ? (this.#columnAt(target)?.column ?? null) : null;
  }

  /** For @pointerdown among the heads. */
  startResize(event: PointerEvent): void {
    const resizing = this.#resizing(event.target);
    if (resizing !== null) startResize(event, resizing.options, resizing.edge);
  }

  /** For @keydown among them. */
  resizeByKey(event: KeyboardEvent): void {
    const resizing = this.#resizing(event.target);
    if (resizing === null) return;
    if (event.key === "Enter") this.#size(resizing.column.name, null);
    else resizeByKey(event, resizing.options);
  }

  /** For @dblclick among them: as wide as the view has it. */
  resetWidth(event: Event): void {
    const resizing = this.#resizing(event.target);
    if (resizing !== null) this.#size(resizing.column.name, null);
  }

  close(): void {
    this.#narrow.removeEventListener("change", this.#arrange);
  }

  #columnAt(target: Element): ShownColumn | null {
    const name = target.closest<HTMLElement>("[data-column]")?.dataset["column"];
    return this.#columns.find((column) => column.name === name) ?? null;
  }

  #resizing(
    target: EventTarget | null,
  ): { readonly column: ShownColumn; readonly edge: HTMLElement; readonly options: ResizeOptions } | null {
    const edge = target instanceof Element ? target.closest<HTMLElement>(".column-edge") : null;
    const column = edge === null ? null : this.#columnAt(edge);
    if (edge === null || column === null) return null;
    const options: ResizeOptions = {
      edge: column.edge ?? "right",
      size: () => edge.parentElement?.offsetWidth ?? COLUMN_BOUNDS.least,
      bounds: () => COLUMN_BOUNDS,
      resized: (width) => this.#size(column.name, width),
    };
    return { column, edge, options };
  }

  #size(name: ColumnName, width: number | null): void {
    const choices = chosen(choicesOf(this.#texts), name, { width });
    this.#selection.set({ trafficColumns: textsOf(choices) });
  }

  readonly #arrange = (): void => {
    const narrow = this.#narrow.matches;
    this.#columns = columnsOf(choicesOf(this.#texts), narrow);
    const names = this.#columns.map(({ name }) => name);
    if (names.length !== this.#shown.size || names.some((name) => !this.#shown.has(name))) this.#shown = new Set(names);
    this.#show({
      heads: Object.freeze(headsOf(this.#columns, this.#sort).map((head) => drawnHead(head, this.#digits))),
      layout: layoutOf(this.#columns, narrow, this.#digits),
      narrowed: this.#columns.some((column) => isNarrowed(column, narrow, this.#digits)),
      shown: this.#shown,
    });
  };
}

type OrderedColumn = ReturnType<typeof headsOf<TrafficColumn, ShownColumn>>[number];

function drawnHead(head: OrderedColumn, digits: number): ColumnHead {
  const { name, label, spoken, named, column, unit, kind, order, icon, width, edge } = head;
  const hiddenIf = (holds: boolean): string => (holds ? "hidden" : "");
  return Object.freeze({
    ...{ name, label, spoken, unit, kind, icon, named: named ?? "", order: order ?? "none" },
    plain: column === null ? label : "",
    sortable: hiddenIf(column !== null),
    unsortable: hiddenIf(column === null),
    unsorted: hiddenIf(order === null),
    unitless: hiddenIf(unit === ""),
    edgeClass: edge === null ? "" : `is-${edge}`,
    edgeName: `Width of ${spoken}`,
    edgeless: hiddenIf(edge === null),
    now: String(width ?? digits),
  });
}
