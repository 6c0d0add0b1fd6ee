import type { TrafficRecord } from "../../../engine/messages/traffic-messages.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { axisText } from "../../format/duration.ts";
import { LAST_ROWS } from "../../parts/asked-rows.ts";
import type { ListFrame } from "../../parts/list-frame.ts";
import type { Picked } from "../../parts/picked-rows.ts";
import type { HeldKeys } from "../../parts/row-picking.ts";
import { VirtualList } from "../../parts/virtual-list.ts";
import type { Selected } from "../../state/selection.ts";
import type { ListSubscription, QueryOf, ValueSubscription } from "../../state/windows.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { answerOf } from "../list-now.ts";
import { BarredRows } from "./barred-rows.ts";
import type { ColumnName } from "./columns.ts";
import type { TrafficRow } from "./rows.ts";
import { sortOf } from "./sort.ts";

/** Height of a row, as in tokens.css (--row). */
const ROW = 28;

type Query = QueryOf<"traffic">;

interface TrafficListOptions {
  readonly deps: Pick<ViewDependencies, "windows" | "selection" | "now">;
  /** Columns that are in sight. */
  shown(): ReadonlySet<ColumnName>;
  /** An answer came. */
  arrived(): void;
  draw(frame: ListFrame<TrafficRow>): void;
  /** The bars' common axis in words; empty while there are no bars. */
  scaled(text: string): void;
  picked(picked: Picked): void;
}

/** What the list asks for as it is opened. */
export function firstQueryOf({ filter, trafficSort }: Selected): Query {
  return Object.freeze({ view: "traffic", filter, sort: sortOf(trafficSort), range: LAST_ROWS });
}

/** The exchanges as a list: its query, the records that are held, and the rows that they are shaped into. */
export class TrafficList {
  readonly #options: TrafficListOptions;
  readonly #records: ListSubscription<"traffic">;
  readonly #list: VirtualList<TrafficRow>;
  readonly #rows: BarredRows;
  #query: Query;
  /** Whose rows are held: a query that is refused has none. */
  #shown: Pick<Query, "filter" | "sort">;
  /** Where an exchange stands that is to be shown, while that is asked for. */
  #place: ValueSubscription<"place"> | null = null;

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
    this.#list = new VirtualList<TrafficRow>({
      name: "traffic-row",
      rowHeight: ROW,
      headHeight: ROW,
      asked: this.#query.range,
      follows: () => this.#query.sort.column === "startTime" && !this.#query.sort.descending,
      seeing: (first, count) => this.#fit(first, count),
      rowAt: (index) => {
        const record = this.recordAt(index);
        return record === null ? null : this.#rows.rowOf(record, options.shown());
      },
      keyAt: (index) => this.recordAt(index)?.id ?? null,
      indexOf: (key) => {
        const at = this.#records.state.keys.indexOf(key);
        return at < 0 ? null : at + this.#records.state.from;
      },
      placeOf: (key, tell) => this.#findPlace(key as ExchangeId, tell),
      wanted: (range) => this.#ask({ range }),
      answer: () => answerOf(this.#records),
      draw: options.draw,
      moved: (_, key) => {
        if (selection.now.exchange !== null) selection.set({ exchange: key as ExchangeId });
      },
      opened: (_, key) => {
        selection.set({ exchange: key as ExchangeId });
      },
      picked: options.picked,
    });
  }

  /** What is held of it. */
  get records(): Omit<ListSubscription<"traffic">, "update" | "close"> {
    return this.#records;
  }

  get query(): Query {
    return this.#query;
  }

  /** What the rows are of that are held. */
  get shown(): Pick<Query, "filter" | "sort"> {
    return this.#shown;
  }

  /** The active row's; `null` if none is. */
  get active(): ExchangeId | null {
    return this.#list.active as ExchangeId | null;
  }

  /** `null` while it is on its way. */
  recordAt(index: number): TrafficRecord | null {
    return this.#records.rows()[index - this.#records.state.from] ?? null;
  }

  /** For `$refs` with `list`, `space` and `window`. */
  attach({ list, space, window }: Readonly<Record<string, HTMLElement>>): void {
    if (list === undefined || space === undefined || window === undefined) throw new Error("the list is not there");
    this.#list.attach(list, space, window);
  }

  close(): void {
    this.#records.close();
    this.#place?.close();
    this.#list.detach();
  }

  /** Shapes what may have changed: new records, other columns, and what is in flight. */
  update(): void {
    this.#list.update(this.#records.state.matched);
  }

  /** Another order or filter. */
  restart(change: Pick<Query, "filter" | "sort">): void {
    this.#query = Object.freeze({ ...this.#query, ...change });
    this.#list.reset();
    this.#ask({});
  }

  activate(exchange: ExchangeId | null): void {
    this.#list.activate(exchange);
  }

  /** Of an exchange that was chosen elsewhere. */
  show(exchange: ExchangeId): void {
    this.#list.show(exchange);
  }

  pickNothing(): void {
    this.#list.pickNothing();
  }

  /** For a press on a row: true if it picked one of several, false if it means that row alone. */
  click(index: number, held: HeldKeys): boolean {
    return this.#list.click(index, held);
  }

  onKey(event: KeyboardEvent): void {
    this.#list.onKey(event);
  }

  #findPlace(exchange: ExchangeId, tell: (index: number | null) => void): void {
    const { filter, sort } = this.#shown;
    this.#place?.close();
    const place = this.#options.deps.windows.value({ view: "place", exchange, filter, sort }, () => {
      place.close();
      tell(place.value?.index ?? null);
    });
    this.#place = place;
  }

  #ask(change: Partial<Query>): void {
    this.#query = Object.freeze({ ...this.#query, ...change });
    this.#records.update(this.#query);
  }

  #fit(first: number, count: number): void {
    const inSight = Array.from({ length: count }, (_, place) => this.recordAt(first + place) ?? []);
    this.#rows.fit(inSight.flat());
    const hasBars = count > 0 && this.#options.shown().has("phases");
    this.#options.scaled(hasBars ? `0 to ${axisText(this.#rows.scale)}` : "");
  }
}
