import type { Sort } from "../../../engine/messages/list-messages.ts";
import type { TrafficColumn } from "../../../engine/messages/traffic-messages.ts";
import { type PaneWidth, paneWidthOf } from "../../parts/pane-width.ts";
import { startReorder } from "../../parts/reorder.ts";
import { type ResizeOptions, resizeByKey, startResize } from "../../parts/resize.ts";
import type { Selection } from "../../state/selection.ts";
import { headersOf } from "../column-headers.ts";
import {
  COLUMN_BOUNDS,
  type ColumnLayout,
  type ColumnName,
  choicesOf,
  chosen,
  columnsOf,
  isNarrowed,
  layoutOf,
  moved,
  type ShownColumn,
  spared,
  textsOf,
} from "./columns.ts";

/** A header as drawn: its texts, by their names in traffic.html. */
export type HeaderCells = ReturnType<typeof headerCellsOf>;

/** The columns as arranged: their headers, the style of the list element, and which columns are visible. */
export interface Arranged {
  readonly headers: readonly HeaderCells[];
  readonly layout: ColumnLayout;
  /** Whether a column is narrower than its default, so that its texts may be cut. */
  readonly narrowed: boolean;
  /** The visible columns from left to right; a new set after each change of columns or their order. */
  readonly shown: ReadonlySet<ColumnName>;
}

/** A column moved by keyboard, with its new position as text. */
interface MovedByKey {
  readonly announcement: string;
  readonly name: ColumnName;
}

/** The columns of the list, as arranged by the user. */
export class Arrangement {
  readonly #selection: Selection;
  readonly #resized: ResizeObserver;
  readonly #show: (arranged: Arranged) => void;
  #texts: readonly string[] | null;
  #columns: readonly ShownColumn[] = [];
  #shown: ReadonlySet<ColumnName> = new Set();
  #sort: Sort<TrafficColumn>;
  #digits: number;
  #pane: PaneWidth;

  /**
   * `around`: an element of the view. `digits`: px that the row numbers take. `show` is called at once and after each
   * change.
   */
  constructor(
    selection: Selection,
    around: Element,
    sort: Sort<TrafficColumn>,
    digits: number,
    show: (arranged: Arranged) => void,
  ) {
    this.#selection = selection;
    this.#texts = selection.now.trafficColumns;
    this.#sort = sort;
    this.#digits = digits;
    this.#show = show;
    this.#pane = paneWidthOf(around);
    this.#resized = new ResizeObserver(() => {
      const { isNarrow, isSlim } = this.#pane;
      this.#pane = paneWidthOf(around);
      if (isNarrow !== this.#pane.isNarrow || isSlim !== this.#pane.isSlim) this.#arrange();
    });
    this.#resized.observe(around);
    this.#arrange();
  }

  /** The visible columns from left to right; a new set after each change of columns or their order. */
  get shown(): ReadonlySet<ColumnName> {
    return this.#shown;
  }

  /** Arranges the columns again if the choices, the sort order or `digits` have changed. */
  follow(sort: Sort<TrafficColumn>, digits: number): void {
    const { trafficColumns } = this.#selection.now;
    if (trafficColumns === this.#texts && sort === this.#sort && digits === this.#digits) return;
    this.#texts = trafficColumns;
    this.#sort = sort;
    this.#digits = digits;
    this.#arrange();
  }

  /** The column to sort by after a click; `null`: the click is not on a header, or the column cannot be sorted. */
  sortColumnAt({ target }: Event): TrafficColumn | null {
    const isSort = target instanceof Element && target.closest(".sort") !== null;
    return isSort ? (this.#columnAt(target)?.column ?? null) : null;
  }

  /**
   * For @pointerdown among the headers: a column's edge resizes the column, its header moves the column. `over` gets
   * the drop position, px from the left; `null`: none.
   */
  startDrag(event: PointerEvent, over: (left: number | null) => void): void {
    const resizing = this.#resizing(event.target);
    if (resizing !== null) {
      startResize(event, resizing.options, resizing.edge);
      return;
    }
    const around = event.currentTarget as HTMLElement;
    const items = (): readonly HTMLElement[] => [...around.querySelectorAll<HTMLElement>("[data-column]")];
    startReorder(event, {
      items,
      over: (target) => over(target === null ? null : leftOf(items(), target)),
      moved: (from, index) => this.#move(from, index),
    });
  }

  /** For @keydown with Shift among the headers: an arrow key moves the column. `null` for other keys. */
  moveByKey(event: KeyboardEvent): MovedByKey | null {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined || !event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return null;
    const column = event.target instanceof Element ? this.#columnAt(event.target) : null;
    if (column === null) return null;
    event.preventDefault();
    const from = this.#columns.indexOf(column);
    const index = Math.min(Math.max(from + step, 0), this.#columns.length - 1);
    this.#move(from, index > from ? index + 1 : index);
    return {
      announcement: `${column.accessibleName}: column ${index + 1} of ${this.#columns.length}.`,
      name: column.name,
    };
  }

  /** For @keydown among the headers: resizes a column. */
  resizeByKey(event: KeyboardEvent): void {
    const resizing = this.#resizing(event.target);
    if (resizing === null) return;
    if (event.key === "Enter") this.#size(resizing.column.name, null);
    else resizeByKey(event, resizing.options);
  }

  /** For @dblclick among the headers: restores the column's default width. */
  resetWidth(event: Event): void {
    const resizing = this.#resizing(event.target);
    if (resizing !== null) this.#size(resizing.column.name, null);
  }

  close(): void {
    this.#resized.disconnect();
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

  /** Moves the visible column with index `from` to before the column with index `target`. */
  #move(from: number, target: number): void {
    const [column, before] = [this.#columns[from], this.#columns[target]];
    if (column === undefined || target === from) return;
    const choices = moved(choicesOf(this.#texts), column.name, before?.name ?? null);
    this.#selection.set({ trafficColumns: textsOf(choices) });
  }

  #size(name: ColumnName, width: number | null): void {
    const choices = chosen(choicesOf(this.#texts), name, { width });
    this.#selection.set({ trafficColumns: textsOf(choices) });
  }

  #arrange(): void {
    const { isNarrow, isSlim } = this.#pane;
    const choices = choicesOf(this.#texts);
    this.#columns = columnsOf(isSlim ? spared(choices) : choices, isNarrow);
    const names = this.#columns.map(({ name }) => name);
    if (names.join() !== [...this.#shown].join()) this.#shown = new Set(names);
    this.#show({
      headers: Object.freeze(headersOf(this.#columns, this.#sort).map((head) => headerCellsOf(head, this.#digits))),
      layout: layoutOf(this.#columns, isNarrow, this.#digits),
      narrowed: this.#columns.some((column) => isNarrowed(column, isNarrow, this.#digits)),
      shown: this.#shown,
    });
  }
}

/**
 * Position of the line to the left of the item with index `index`, in px from the left. If there is no such item, the
 * line is right of the last item.
 */
function leftOf(items: readonly HTMLElement[], index: number): number {
  const [item, last] = [items[index], items.at(-1)];
  if (item !== undefined) return item.offsetLeft;
  return last === undefined ? 0 : last.offsetLeft + last.offsetWidth;
}

type OrderedColumn = ReturnType<typeof headersOf<TrafficColumn, ShownColumn>>[number];

function headerCellsOf(head: OrderedColumn, digits: number) {
  const { name, label, accessibleName, named, column, unit, kind, order, icon, width, edge } = head;
  const hiddenIf = (holds: boolean): string => (holds ? "hidden" : "");
  return Object.freeze({
    name,
    label,
    accessibleName,
    unit,
    kind,
    icon,
    named: named ?? "",
    order: order ?? "none",
    plain: column === null ? label : "",
    sortable: hiddenIf(column !== null),
    unsortable: hiddenIf(column === null),
    unsorted: hiddenIf(order === null),
    unitless: hiddenIf(unit === ""),
    edgeClass: edge === null ? "" : `is-${edge}`,
    edgeName: `Width of ${accessibleName}`,
    edgeless: hiddenIf(edge === null),
    now: String(width ?? digits),
  });
}
