import type { TrafficRecord } from "../../../engine/messages/traffic-messages.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { axisText } from "../../format/duration.ts";
import type { ListFrame } from "../../parts/list/list-frame.ts";
import { LAST_ROWS } from "../../parts/list/requested-range.ts";
import type { ModifierKeys } from "../../parts/list/row-selection.ts";
import type { SelectedRows } from "../../parts/list/selected-rows.ts";
import { VirtualList } from "../../parts/list/virtual-list.ts";
import type { Selected } from "../../state/selection.ts";
import type { ListSubscription, QueryOf, ValueSubscription } from "../../state/subscription-store.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { answerOf } from "../list-now.ts";
import { BarredRows, type DrawnRow } from "./barred-rows.ts";
import type { ColumnName } from "./columns.ts";
import { sortOf } from "./sort.ts";

/** Height of a row, as in tokens.css (--row). */
const ROW = 28;

type Query = QueryOf<"traffic">;

interface TrafficListOptions {
  readonly deps: Pick<ViewDependencies, "windows" | "selection" | "now">;
  shown(): ReadonlySet<ColumnName>;
  /** Called after each answer. */
  arrived(): void;
  /** Called with the number of rows below that came while the list was scrolled up. */
  missed(count: number): void;
  draw(frame: ListFrame<DrawnRow>): void;
  /** Called with the end of the bars' shared axis as text; empty if there are no bars. */
  scaled(text: string): void;
  selectionChanged(selected: SelectedRows): void;
}

export function firstQueryOf({ filter, trafficSort }: Selected): Query {
  return Object.freeze({ view: "traffic", filter, sort: sortOf(trafficSort), range: LAST_ROWS });
}

/** The exchanges as a list: the query, the loaded records, and their rows. */
export class TrafficList {
  readonly #options: TrafficListOptions;
  readonly #records: ListSubscription<"traffic">;
  readonly #list: VirtualList<DrawnRow>;
  readonly #rows: BarredRows;
  #query: Query;
  /** The query that the loaded rows answer, never a refused query. */
  #shown: Pick<Query, "filter" | "sort">;
  /** While pending: the subscription for the position of an exchange to show. */
  #position: ValueSubscription<"position"> | null = null;

  constructor(options: TrafficListOptions) {
    const { windows, selection, now } = options.deps;
    this.#options = options;
    this.#query = firstQueryOf(selection.now);
    this.#rows = new BarredRows(now);
    this.#shown = this.#query;
    this.#records = windows.list(this.#query, () => {
      if (answerOf(this.#records) === "come") this.#shown = this.#query;
      this.update();
      options.arrived();
    });
    this.#list = new VirtualList<DrawnRow>({
      name: "traffic-row",
      rowHeight: ROW,
      headHeight: ROW,
      requested: this.#query.range,
      follows: () => this.#query.sort.column === "startTime" && !this.#query.sort.descending,
      seeing: (first, count) => this.#fit(first, count),
      rowAt: (index) => {
        const record = this.recordAt(index);
        return record === null
          ? null
          : this.#rows.rowOf(record, options.shown(), selection.now.finding?.exchanges.has(record.id));
      },
      keyAt: (index) => this.recordAt(index)?.id ?? null,
      indexOf: (key) => {
        const at = this.#records.state.keys.indexOf(key);
        return at < 0 ? null : at + this.#records.state.from;
      },
      positionOf: (key, tell) => this.#findPosition(key as ExchangeId, tell),
      wanted: (range) => this.#setQuery({ range }),
      answer: () => answerOf(this.#records),
      missed: options.missed,
      draw: options.draw,
      moved: (_, key) => {
        const active = key as ExchangeId;
        selection.set(selection.now.exchange === null ? { active } : { active, exchange: active });
      },
      opened: (_, key) => {
        selection.set({ active: key as ExchangeId, exchange: key as ExchangeId });
      },
      selectionChanged: options.selectionChanged,
    });
  }

  get records(): Omit<ListSubscription<"traffic">, "update" | "close"> {
    return this.#records;
  }

  get query(): Query {
    return this.#query;
  }

  /** The query that the loaded rows answer. */
  get shown(): Pick<Query, "filter" | "sort"> {
    return this.#shown;
  }

  /** The exchange of the active row; `null` if there is none. */
  get active(): ExchangeId | null {
    return this.#list.active as ExchangeId | null;
  }

  /** The record at an index; `null` while it is loading. */
  recordAt(index: number): TrafficRecord | null {
    return this.#records.rows()[index - this.#records.state.from] ?? null;
  }

  /** `$refs` contains `list`, `space` and `window`. */
  attach({ list, space, window }: Readonly<Record<string, HTMLElement>>): void {
    if (list === undefined || space === undefined || window === undefined) throw new Error("the list is not there");
    this.#list.attach(list, space, window);
  }

  close(): void {
    this.#records.close();
    this.#position?.close();
    this.#list.detach();
  }

  /** Converts the records that may have changed: new records, records with other columns, and exchanges in flight. */
  update(): void {
    this.#list.update(this.#records.state.matched);
  }

  /** Requests another order or filter. */
  restart(change: Pick<Query, "filter" | "sort">): void {
    this.#query = Object.freeze({ ...this.#query, ...change });
    this.#list.reset();
    this.#setQuery({});
  }

  activate(exchange: ExchangeId | null): void {
    this.#list.activate(exchange);
  }

  /** Shows an exchange that was chosen outside the list. */
  show(exchange: ExchangeId): void {
    this.#list.show(exchange);
  }

  showLatest(): void {
    this.#list.toEnd();
  }

  clearSelection(): void {
    this.#list.clearSelection();
  }

  /** Handles a press on a row. True if the press changed a multiple selection; false for a plain press. */
  click(index: number, keys: ModifierKeys): boolean {
    return this.#list.click(index, keys);
  }

  onKey(event: KeyboardEvent): void {
    this.#list.onKey(event);
  }

  #findPosition(exchange: ExchangeId, tell: (index: number | null) => void): void {
    const { filter, sort } = this.#shown;
    this.#position?.close();
    const position = this.#options.deps.windows.value({ view: "position", exchange, filter, sort }, () => {
      position.close();
      tell(position.value?.index ?? null);
    });
    this.#position = position;
  }

  #setQuery(change: Partial<Query>): void {
    this.#query = Object.freeze({ ...this.#query, ...change });
    this.#records.update(this.#query);
  }

  #fit(first: number, count: number): void {
    const inSight = Array.from({ length: count }, (_, index) => this.recordAt(first + index) ?? []);
    this.#rows.fit(inSight.flat());
    const hasBars = count > 0 && this.#options.shown().has("phases");
    this.#options.scaled(hasBars ? `0 to ${axisText(this.#rows.scale)}` : "");
  }
}
