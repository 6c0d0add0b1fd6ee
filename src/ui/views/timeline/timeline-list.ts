import type { TimelineRecord } from "../../../engine/messages/timeline-messages.ts";
import type { ExchangeId, Instant } from "../../../engine/model/units.ts";
import { withOperation } from "../../format/endpoint.ts";
import type { ListFrame } from "../../parts/list/list-frame.ts";
import type { ListAnswer } from "../../parts/list/list-options.ts";
import type { ListSubscription } from "../../state/subscription-store.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { RecordList } from "../record-list.ts";
import { ROW_HEIGHT } from "./bars.ts";
import { type TimelineRow, timelineRowOf } from "./rows.ts";

interface TimelineListOptions {
  readonly deps: Pick<ViewDependencies, "windows" | "selection" | "now">;
  /** Called after each answer. */
  arrived(): void;
  draw(frame: ListFrame<TimelineRow>): void;
}

/** The exchanges of a time range as a list. */
export class TimelineList extends RecordList<"timeline", TimelineRow> {
  readonly #deps: TimelineListOptions["deps"];
  /**
   * Whether the latest query waits for the pending answer, because the range changes faster than the engine answers.
   */
  #waiting = false;
  /** The exchange to show when the next answer has arrived; until then the rows are of another range or filter. */
  #pendingReveal: ExchangeId | null = null;
  /** The start of the exchange to show, and the subscription that counts the rows up to the start. */
  #pendingStart: Instant | null = null;
  #upToPending: ListSubscription<"timeline"> | null = null;

  constructor({ deps, arrived, draw }: TimelineListOptions) {
    const { windows, selection } = deps;
    const { filter, between } = selection.now;
    super({
      windows,
      name: "timeline-row",
      rowHeight: ROW_HEIGHT,
      query: { view: "timeline", filter, between, range: { from: 0, count: 0 } },
      keyOf: ({ id }) => id,
      rowOf: (record) => this.#rowOf(record),
      isFinal: ({ endTime }) => endTime !== null,
      positionOf: (_, tell) => this.#findPosition(tell),
      arrived: () => {
        arrived();
        if (this.#waiting) this.setQuery({});
        this.#revealPending();
      },
      draw,
      moved: (key) => {
        if (selection.now.exchange !== null) selection.set({ exchange: key as ExchangeId });
      },
      opened: (key) => selection.set({ exchange: key as ExchangeId, inspectorTab: "timing" }),
    });
    this.#deps = deps;
  }

  override close(): void {
    super.close();
    this.#upToPending?.close();
  }

  /** Changes the query: the rows, the filter or the time range (`between`). Sends nothing if there is no time range. */
  protected override send(): void {
    if (this.query.between === null) return;
    const { answered, problem, state } = this.records;
    this.#waiting = !answered && problem === null && state.total > 0;
    if (!this.#waiting) super.send();
  }

  protected override answer(): ListAnswer {
    return this.#waiting ? "awaited" : super.answer();
  }

  /** Shows an exchange that was chosen outside the list and started at `start`. */
  showStarted(exchange: ExchangeId, start: Instant): void {
    this.#pendingReveal = exchange;
    this.#pendingStart = start;
    this.#revealPending();
  }

  #revealPending(): void {
    if (this.#pendingReveal === null || this.#waiting || !this.records.answered) return;
    this.show(this.#pendingReveal);
    this.#pendingReveal = null;
  }

  /**
   * Requests the index of the exchange to show. Rows are ordered by start, so the index is the number of rows in the
   * range that started earlier.
   */
  #findPosition(tell: (index: number) => void): void {
    const { filter, between } = this.query;
    const to = this.#pendingStart;
    if (between === null || to === null) return;
    this.#upToPending?.close();
    const query = {
      view: "timeline",
      filter,
      between: { from: between.from, to },
      range: { from: 0, count: 0 },
    } as const;
    const upTo = this.#deps.windows.list<"timeline">(query, () => {
      upTo.close();
      tell(Math.max(0, upTo.state.matched - 1));
    });
    this.#upToPending = upTo;
  }

  #rowOf(record: TimelineRecord): TimelineRow {
    const { now, selection } = this.#deps;
    const before = this.records.rows().find(({ id }) => id === record.follows?.from);
    const name = before === undefined ? null : `${before.method} ${withOperation(before.target, before.operation)}`;
    return timelineRowOf(record, name, now(), selection.now.finding?.exchanges.has(record.id));
  }
}
