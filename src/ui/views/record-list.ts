import type { ListQuery } from "../../engine/messages/messages.ts";
import type { ListAnswer, VirtualListOptions } from "../parts/list/list-options.ts";
import { VirtualList } from "../parts/list/virtual-list.ts";
import type { ListSubscription, ListView, QueryOf, SubscriptionStore } from "../state/subscription-store.ts";
import { answerOf } from "./list-now.ts";

type Key = string | number;
type RecordIn<View extends ListView> = ReturnType<ListSubscription<View>["rows"]>[number];
type Derived = "requested" | "follows" | "rowAt" | "keyAt" | "indexOf" | "wanted" | "answer";

export interface RecordListOptions<View extends ListView, Row> extends Omit<VirtualListOptions<Row>, Derived> {
  readonly windows: SubscriptionStore;
  readonly query: QueryOf<View> & { readonly view: View };
  /** As in a virtual list. Omitted: the list stays at its start. */
  follows?(): boolean;
  keyOf(record: RecordIn<View>): Key;
  rowOf(record: RecordIn<View>): Row;
  /** Whether the row of a record stays as it is. Omitted: always. */
  isFinal?(record: RecordIn<View>): boolean;
  /** Called after each answer. */
  arrived(list: ListSubscription<View>): void;
}

/**
 * A virtual list of records: requests the visible range, converts each record to a row once, and keeps the scroll
 * position.
 */
export class RecordList<View extends ListView, Row> extends VirtualList<Row> {
  /** The subscription, with the engine's latest answer. */
  readonly records: ListSubscription<View>;
  #query: QueryOf<View> & { readonly view: View };
  #answered: QueryOf<View>;
  readonly #options: RecordListOptions<View, Row>;
  #rows = new WeakMap<RecordIn<View>, Row>();

  constructor(options: RecordListOptions<View, Row>) {
    super({
      follows: () => false,
      ...options,
      requested: (options.query as ListQuery).range,
      rowAt: (index) => this.#rowAt(index),
      keyAt: (index) => {
        const record = this.recordAt(index);
        return record === null ? null : options.keyOf(record);
      },
      indexOf: (key) => {
        const at = this.records.state.keys.indexOf(key);
        return at < 0 ? null : at + this.records.state.from;
      },
      wanted: (range) => this.setQuery({ range } as Partial<QueryOf<View>>),
      answer: () => this.answer(),
    });
    this.#options = options;
    this.#query = options.query;
    this.#answered = options.query;
    this.records = options.windows.list<View>(options.query, () => {
      if (this.answer() === "come") this.#answered = this.#query;
      this.refresh();
      options.arrived(this.records);
    });
  }

  get query(): QueryOf<View> {
    return this.#query;
  }

  /** The query that the loaded rows answer, never a refused query. */
  get answeredQuery(): QueryOf<View> {
    return this.#answered;
  }

  /** The record at an index; `null` while it is loading. */
  recordAt(index: number): RecordIn<View> | null {
    return this.records.rows()[index - this.records.state.from] ?? null;
  }

  setQuery(change: Partial<QueryOf<View>>): void {
    this.#query = { ...this.#query, ...change };
    this.send();
  }

  protected send(): void {
    this.records.update(this.#query);
  }

  protected answer(): ListAnswer {
    return answerOf(this.records);
  }

  /** Requests another order or filter and scrolls to the first row. */
  restart(change: Partial<QueryOf<View>>): void {
    this.#query = { ...this.#query, ...change };
    this.reset();
  }

  /** Converts the records that may have changed: new records, and those whose rows are not final. */
  refresh(): void {
    this.update(this.records.state.matched);
  }

  /** Converts all records to rows again, after their appearance changed. */
  reshape(): void {
    this.#rows = new WeakMap();
    this.refresh();
  }

  close(): void {
    this.detach();
    this.records.close();
  }

  #rowAt(index: number): Row | null {
    const record = this.recordAt(index);
    if (record === null) return null;
    const known = this.#rows.get(record);
    if (known !== undefined && this.#options.isFinal?.(record) !== false) return known;
    const row = this.#options.rowOf(record);
    this.#rows.set(record, row);
    return row;
  }
}
