import type { TimelineRecord } from "../../../engine/messages/timeline-messages.ts";
import type { ExchangeId, Instant } from "../../../engine/model/units.ts";
import type { ListFrame } from "../../parts/list-frame.ts";
import { VirtualList } from "../../parts/virtual-list.ts";
import type { ListSubscription, QueryOf } from "../../state/windows.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { ROW_HEIGHT } from "./bars.ts";
import { type TimelineRow, timelineRowOf } from "./rows.ts";

const HEAD_HEIGHT = 28;

type Query = QueryOf<"timeline">;

interface TimelineListOptions {
  readonly deps: Pick<ViewDependencies, "windows" | "selection" | "now">;
  /** An answer came. */
  arrived(): void;
  draw(frame: ListFrame<TimelineRow>): void;
}

/** The exchanges of a stretch as a list: its query, the records that are held, and the rows that they are shaped into. */
export class TimelineList {
  readonly #options: TimelineListOptions;
  readonly #records: ListSubscription<"timeline">;
  readonly #list: VirtualList<TimelineRow>;
  readonly #rowOf = new WeakMap<TimelineRecord, TimelineRow>();
  #query: Query;
  /** The stretch moves faster than questions about it are answered: the latest waits for the answer before. */
  #waiting = false;
  /** What is to be shown once the latest question is answered: until then rows stand as another stretch or filter had them. */
  #sought: ExchangeId | null = null;
  /** When the exchange started that is to be shown, and the rows up to it while they are counted. */
  #soughtStart: Instant | null = null;
  #upToSought: ListSubscription<"timeline"> | null = null;

  constructor(options: TimelineListOptions) {
    const { windows, selection } = options.deps;
    const { filter, between } = selection.now;
    this.#options = options;
    this.#query = { view: "timeline", filter, between, range: { from: 0, count: 0 } };
    this.#records = windows.list(this.#query, () => {
      this.update();
      options.arrived();
      if (this.#waiting) this.ask({});
      this.#goToSought();
    });
    this.#list = new VirtualList<TimelineRow>({
      name: "timeline-row",
      rowHeight: ROW_HEIGHT,
      headHeight: HEAD_HEIGHT,
      follows: () => false,
      rowAt: (index) => this.#rowAt(index),
      keyAt: (index) => this.#recordAt(index)?.id ?? null,
      indexOf: (key) => this.#indexOf(key),
      placeOf: (_, tell) => this.#findPlace(tell),
      wanted: (range) => this.ask({ range }),
      draw: options.draw,
      moved: (_, key) => {
        if (selection.now.exchange !== null) selection.set({ exchange: key as ExchangeId });
      },
      opened: (_, key) => selection.set({ exchange: key as ExchangeId, inspectorTab: "timing" }),
    });
  }

  /** What is held of it. */
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
    this.#upToSought?.close();
    this.#list.detach();
  }

  /** Asks for another part, filter or stretch; without a stretch for nothing. */
  ask(change: Partial<Query>): void {
    this.#query = { ...this.#query, ...change };
    if (this.#query.between === null) return;
    const { answered, problem, state } = this.#records;
    this.#waiting = !answered && problem === null && state.total > 0;
    if (!this.#waiting) this.#records.update(this.#query);
  }

  /** Goes back to the first row. */
  reset(): void {
    this.#list.reset();
  }

  /** Shapes what may have changed: new records, and what is in flight. */
  update(): void {
    this.#list.update(this.#records.state.matched);
  }

  activate(exchange: ExchangeId | null): void {
    this.#list.activate(exchange);
  }

  /** Of an exchange that was chosen elsewhere, and started then. */
  show(exchange: ExchangeId, start: Instant): void {
    this.#sought = exchange;
    this.#soughtStart = start;
    this.#goToSought();
  }

  onKey(event: KeyboardEvent): void {
    this.#list.onKey(event);
  }

  #goToSought(): void {
    if (this.#sought === null || this.#waiting || !this.#records.answered) return;
    this.#list.show(this.#sought);
    this.#sought = null;
  }

  #recordAt(index: number): TimelineRecord | null {
    return this.#records.rows()[index - this.#records.state.from] ?? null;
  }

  #indexOf(key: string | number): number | null {
    const { keys, from } = this.#records.state;
    const at = keys.indexOf(key);
    return at < 0 ? null : at + from;
  }

  /** Rows are in the order of their starts: as many stand above it as ran in this stretch up to its own. */
  #findPlace(tell: (index: number) => void): void {
    const { filter, between } = this.#query;
    const to = this.#soughtStart;
    if (between === null || to === null) return;
    this.#upToSought?.close();
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
    this.#upToSought = upTo;
  }

  #rowAt(index: number): TimelineRow | null {
    const record = this.#recordAt(index);
    const known = record === null ? undefined : this.#rowOf.get(record);
    if (record === null || (known !== undefined && record.endTime !== null)) return known ?? null;
    const at = record.follows === null ? null : this.#indexOf(record.follows.from);
    const before = at === null ? null : this.#recordAt(at);
    const name = before === null ? null : `${before.method} ${before.target}`;
    const row = timelineRowOf(record, name, this.#options.deps.now());
    this.#rowOf.set(record, row);
    return row;
  }
}
