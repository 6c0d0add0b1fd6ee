import type { Sort, TrafficColumn } from "../../../engine/messages/messages.ts";
import { narrowWindow } from "../../parts/narrow-window.ts";
import { type ResizeOptions, resizeByKey, startResize } from "../../parts/resize.ts";
import type { Selection } from "../../state/selection.ts";
import { type Head, headsOf } from "../table-heads.ts";
import {
  COLUMN_BOUNDS,
  type ColumnLayout,
  type ColumnName,
  choicesOf,
  chosen,
  columnsOf,
  layoutOf,
  type ShownColumn,
  textsOf,
} from "./columns.ts";

export type ColumnHead = ShownColumn & Head<TrafficColumn>;

/** The columns as they stand: their heads, and what the list's element is told. */
export interface Arranged {
  readonly heads: readonly ColumnHead[];
  readonly layout: ColumnLayout;
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

  /** For @pointerdown on a head's edge. */
  startResize(event: PointerEvent, column: ShownColumn): void {
    startResize(event, this.#resizing(event, column));
  }

  /** For @keydown on it. */
  resizeByKey(event: KeyboardEvent, column: ShownColumn): void {
    if (event.key === "Enter") this.#size(column.name, null);
    else resizeByKey(event, this.#resizing(event, column));
  }

  /** As wide as the view has it. */
  resetWidth({ name }: ShownColumn): void {
    this.#size(name, null);
  }

  close(): void {
    this.#narrow.removeEventListener("change", this.#arrange);
  }

  #resizing(event: Event, { name, edge }: ShownColumn): ResizeOptions {
    const head = (event.currentTarget as HTMLElement).closest<HTMLElement>('[role="columnheader"]');
    return {
      edge: edge ?? "right",
      size: () => head?.offsetWidth ?? COLUMN_BOUNDS.least,
      bounds: () => COLUMN_BOUNDS,
      resized: (width) => this.#size(name, width),
    };
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
      heads: headsOf(this.#columns, this.#sort),
      layout: layoutOf(this.#columns, narrow, this.#digits),
    });
  };
}
