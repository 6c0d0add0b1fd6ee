import type { ListFrame } from "../parts/list/list-frame.ts";
import { VirtualList } from "../parts/list/virtual-list.ts";
import type { ListSubscription, ListView, QueryOf, SubscriptionStore } from "../state/subscription-store.ts";

import { answerOf } from "./list-now.ts";

type Key = string | number;
type RecordIn<View extends ListView> = ReturnType<ListSubscription<View>["rows"]>[number];

export interface RecordListOptions<View extends ListView, Row> {
  readonly windows: SubscriptionStore;
  /** The list's name, unique in the page. */
  readonly name: string;
  readonly rowHeight: number;
  readonly headHeight: number;
  readonly query: QueryOf<View> & { readonly view: View };
  keyOf(record: RecordIn<View>): Key;
  rowOf(record: RecordIn<View>): Row;
  /** Called after each answer. */
  arrived(list: ListSubscription<View>): void;
  draw(frame: ListFrame<Row>): void;
  /** Called when a key press has made another row active. */
  moved(key: Key): void;
  /** Called when Enter is pressed on the active row. */
  opened(key: Key): void;
}

/**
 * A virtual list of records: requests the visible range, converts each record to a row once, and keeps the scroll
 * position.
 */
export class RecordList<View extends ListView, Row> {
  readonly #options: RecordListOptions<View, Row>;
  readonly #list: VirtualList<Row>;
  readonly #records: ListSubscription<View>;
  #query: QueryOf<View> & { readonly view: View };
  #rows = new WeakMap<RecordIn<View>, Row>();

  constructor(options: RecordListOptions<View, Row>) {
    this.#options = options;
    this.#query = options.query;
    this.#records = options.windows.list<View>(options.query, () => {
      this.#list.update(this.#records.state.matched);
      options.arrived(this.#records);
    });
    this.#list = new VirtualList<Row>({
      name: options.name,
      rowHeight: options.rowHeight,
      headHeight: options.headHeight,
      follows: () => false,
      rowAt: (index) => this.#rowAt(index),
      keyAt: (index) => {
        const record = this.#recordAt(index);
        return record === null ? null : options.keyOf(record);
      },
      indexOf: (key) => this.#indexOf(key),
      wanted: (range) => this.setQuery({ range } as Partial<QueryOf<View>>),
      answer: () => answerOf(this.#records),
      draw: options.draw,
      moved: (_, key) => options.moved(key),
      opened: (_, key) => options.opened(key),
    });
  }

  get query(): QueryOf<View> {
    return this.#query;
  }

  /** The subscription, with the engine's latest answer. */
  get records(): ListSubscription<View> {
    return this.#records;
  }

  /** `$refs` contains `list`, `space` and `window`. */
  attach({ list, space, window }: Readonly<Record<string, HTMLElement>>): void {
    if (list === undefined || space === undefined || window === undefined) throw new Error("no list to fill");
    this.#list.attach(list, space, window);
  }

  setQuery(change: Partial<QueryOf<View>>): void {
    this.#query = { ...this.#query, ...change };
    this.#records.update(this.#query);
  }

  /** Requests another order or filter and scrolls to the first row. */
  restart(change: Partial<QueryOf<View>>): void {
    this.#query = { ...this.#query, ...change };
    this.#list.reset();
    this.setQuery({});
  }

  /** Converts all records to rows again, after their appearance changed. */
  reshape(): void {
    this.#rows = new WeakMap();
    this.#list.update(this.#records.state.matched);
  }

  activate(key: Key | null): void {
    this.#list.activate(key);
  }

  /** Scrolls by the least distance that shows the row, if the row is loaded. */
  reveal(key: Key): void {
    const index = this.#indexOf(key);
    if (index !== null) this.#list.reveal(index);
  }

  onKey(event: KeyboardEvent): void {
    this.#list.onKey(event);
  }

  close(): void {
    this.#list.detach();
    this.#records.close();
  }

  #indexOf(key: Key): number | null {
    const at = this.#records.state.keys.indexOf(key);
    return at < 0 ? null : at + this.#records.state.from;
  }

  #recordAt(index: number): RecordIn<View> | null {
    return this.#records.rows()[index - this.#records.state.from] ?? null;
  }

  #rowAt(index: number): Row | null {
    const record = this.#recordAt(index);
    if (record === null) return null;
    const row = this.#rows.get(record) ?? this.#options.rowOf(record);
    this.#rows.set(record, row);
    return row;
  }
}
