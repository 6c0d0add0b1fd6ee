import type { TimelineRecord } from "../../../engine/messages/timeline-messages.ts";
import type { ExchangeId, Instant } from "../../../engine/model/units.ts";
import { withOperation } from "../../format/endpoint.ts";
import type { ListFrame } from "../../parts/list/list-frame.ts";
import { VirtualList } from "../../parts/list/virtual-list.ts";
import type { ListSubscription, QueryOf } from "../../state/subscription-store.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { ROW_HEIGHT } from "./bars.ts";
import { type TimelineRow, timelineRowOf } from "./rows.ts";

const HEAD_HEIGHT = 28;

type Query = QueryOf<"timeline">;

interface TimelineListOptions {
  readonly deps: Pick<ViewDependencies, "windows" | "selection" | "now">;
  /** Called after each answer. */
  arrived(): void;
  draw(frame: ListFrame<TimelineRow>): void;
}

/** The exchanges of a time range as a list: the query, the loaded records, and their rows. */
export class TimelineList {
  readonly #options: TimelineListOptions;
  readonly #records: ListSubscription<"timeline">;
  readonly #list: VirtualList<TimelineRow>;
  #rowOf = new WeakMap<TimelineRecord, TimelineRow>();
  #query: Query;
  /**
   * Whether the latest query waits for the pending answer, because the range changes faster than the engine answers.
   */
  #waiting = false;
  /** The exchange to show when the next answer has arrived; until then the rows are of another range or filter. */
  #pendingReveal: ExchangeId | null = null;
  /** The start of the exchange to show, and the subscription that counts the rows up to the start. */
  #pendingStart: Instant | null = null;
  #upToPending: ListSubscription<"timeline"> | null = null;

  constructor(options: TimelineListOptions) {
    const { windows, selection } = options.deps;
    const { filter, between } = selection.now;
    this.#options = options;
    this.#query = { view: "timeline", filter, between, range: { from: 0, count: 0 } };
    this.#records = windows.list(this.#query, () => {
      this.update();
      options.arrived();
      if (this.#waiting) this.setQuery({});
      this.#revealPending();
    });
    this.#list = new VirtualList<TimelineRow>({
      name: "timeline-row",
      rowHeight: ROW_HEIGHT,
      headHeight: HEAD_HEIGHT,
      follows: () => false,
      rowAt: (index) => this.#rowAt(index),
      keyAt: (index) => this.#recordAt(index)?.id ?? null,
      indexOf: (key) => this.#indexOf(key),
      positionOf: (_, tell) => this.#findPosition(tell),
      wanted: (range) => this.setQuery({ range }),
      draw: options.draw,
      moved: (_, key) => {
        if (selection.now.exchange !== null) selection.set({ exchange: key as ExchangeId });
      },
      opened: (_, key) => selection.set({ exchange: key as ExchangeId, inspectorTab: "timing" }),
    });
  }

  /** The loaded records. */
  get records(): Omit<ListSubscription<"timeline">, "update" | "close"> {
    return this.#records;
  }

  get query(): Query {
    return this.#query;
  }

  attach(scroller: HTMLElement, space: HTMLElement, window: HTMLElement): void {
    this.#list.attach(scroller, space, window);
  }

  close(): void {
    this.#records.close();
    this.#upToPending?.close();
    this.#list.detach();
  }

  /** Changes the query: the rows, the filter or the time range (`between`). Sends nothing if there is no time range. */
  setQuery(change: Partial<Query>): void {
    this.#query = { ...this.#query, ...change };
    if (this.#query.between === null) return;
    const { answered, problem, state } = this.#records;
    this.#waiting = !answered && problem === null && state.total > 0;
    if (!this.#waiting) this.#records.update(this.#query);
  }

  /** Scrolls to the first row. */
  reset(): void {
    this.#list.reset();
  }

  /** Converts the records that may have changed: new records, and exchanges in flight. */
  update(): void {
    this.#list.update(this.#records.state.matched);
  }

  /** Converts all records to rows again, after another finding was selected. */
  reshape(): void {
    this.#rowOf = new WeakMap();
    this.update();
  }

  activate(exchange: ExchangeId | null): void {
    this.#list.activate(exchange);
  }

  /** Shows an exchange that was chosen outside the list and started at `start`. */
  show(exchange: ExchangeId, start: Instant): void {
    this.#pendingReveal = exchange;
    this.#pendingStart = start;
    this.#revealPending();
  }

  onKey(event: KeyboardEvent): void {
    this.#list.onKey(event);
  }

  #revealPending(): void {
    if (this.#pendingReveal === null || this.#waiting || !this.#records.answered) return;
    this.#list.show(this.#pendingReveal);
    this.#pendingReveal = null;
  }

  #recordAt(index: number): TimelineRecord | null {
    return this.#records.rows()[index - this.#records.state.from] ?? null;
  }

  #indexOf(key: string | number): number | null {
    const { keys, from } = this.#records.state;
    const at = keys.indexOf(key);
    return at < 0 ? null : at + from;
  }

  /**
   * Requests the index of the exchange to show. Rows are ordered by start, so the index is the number of rows in the
   * range that started earlier.
   */
  #findPosition(tell: (index: number) => void): void {
    const { filter, between } = this.#query;
    const to = this.#pendingStart;
    if (between === null || to === null) return;
    this.#upToPending?.close();
    const query = {
      view: "timeline",
      filter,
      between: { from: between.from, to },
      range: { from: 0, count: 0 },
    } as const;
    const upTo = this.#options.deps.windows.list<"timeline">(query, () => {
      upTo.close();
      tell(Math.max(0, upTo.state.matched - 1));
    });
    this.#upToPending = upTo;
  }

  #rowAt(index: number): TimelineRow | null {
    const record = this.#recordAt(index);
    const known = record === null ? undefined : this.#rowOf.get(record);
    if (record === null || (known !== undefined && record.endTime !== null)) return known ?? null;
    const at = record.follows === null ? null : this.#indexOf(record.follows.from);
    const before = at === null ? null : this.#recordAt(at);
    const { now, selection } = this.#options.deps;
    const name = before === null ? null : `${before.method} ${withOperation(before.target, before.operation)}`;
    const row = timelineRowOf(record, name, now(), selection.now.finding?.exchanges.has(record.id));
    this.#rowOf.set(record, row);
    return row;
  }
}
