import type { TimelineRecord } from "../../../engine/messages/insight-messages.ts";
import { PHASES, type Phase } from "../../../engine/model/phases.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { startDrag } from "../../parts/drag.ts";
import { EMPTY_FRAME, type ListFrame, type Slot } from "../../parts/list-frame.ts";
import { VirtualList } from "../../parts/virtual-list.ts";
import type { ListSubscription, QueryOf } from "../../state/windows.ts";
import type { ViewDependencies } from "../dependencies.ts";
import type { View } from "../mounted.ts";
import { ROW_HEIGHT } from "./bars.ts";
import { type Carrier, carrierOf } from "./carrier.ts";
import { type Drawing, type DrawnRow, drawingOf, NO_DRAWING, NOT_DRAWN } from "./drawing.ts";
import { type LegendChip, legendOf } from "./legend.ts";
import { watchPinch } from "./pinch.ts";
import { type TimelineRow, timelineRowOf } from "./rows.ts";
import { fitted, latestOf } from "./stretch.ts";
import { Strip } from "./strip.ts";
import { EMPTY_STRIP, type StripFrame } from "./strip-frame.ts";

const HEAD_HEIGHT = 28;
/** Width of the column of requests at first and within which it may be drawn, px. */
const LABELS = 308;
const LABELS_NARROW = 272;
const NARROW_WINDOW = 1100;
const LABELS_LEAST = 160;
const LABELS_MOST_SHARE = 0.6;
const LABELS_STEP = 16;
/** The divider reaches so far to both sides of its line, px. */
const DIVIDER_HALF = 4;
/** What is in flight grows this often. */
const TICK_MS = 500;
/** A turn of the wheel by one pixel zooms by so much; a key by the next. Our choices. */
const ZOOM_PER_PIXEL = 1.002;
const ZOOM_PER_KEY = 1.5;
const MOVE_PER_KEY = 0.1;

interface TimelineView {
  legend: readonly LegendChip[];
  strip: StripFrame;
  frame: ListFrame<TimelineRow>;
  drawing: Drawing;
  labels: { readonly "--labels": string };
  labelWidth: number;
  empty: "" | "nothing" | "none-here" | "refused";
  problem: string;
  init(): void;
  destroy(): void;
  togglePhase(phase: Phase): void;
  fit(): void;
  showLatest(): void;
  drawn(slot: Slot<TimelineRow>): DrawnRow;
  open(slot: Slot<TimelineRow>): void;
  point(slot: Slot<TimelineRow> | null): void;
  clearFilter(): void;
  onKey(event: KeyboardEvent): void;
  onWheel(event: WheelEvent): void;
  onRulerWheel(event: WheelEvent): void;
  zoomAt(factor: number, x: number): void;
  onStripPress(event: PointerEvent): void;
  onEdgeKey(event: KeyboardEvent, edge: "from" | "to"): void;
  startLabels(event: PointerEvent): void;
  labelsByKey(event: KeyboardEvent): void;
}

/** When everything ran: the session as a strip, a stretch of it as rows with their phases at their real offsets. */
export function timelineView(deps: ViewDependencies): View<TimelineView> {
  const { selection, windows } = deps;
  const ending: (() => void)[] = [];
  const rowOf = new WeakMap<TimelineRecord, TimelineRow>();
  let shown: ReadonlySet<Phase> = new Set(PHASES);
  let query: QueryOf<"timeline"> = {
    view: "timeline",
    filter: selection.now.filter,
    between: selection.now.between,
    range: { from: 0, count: 0 },
  };
  /** The stretch moves faster than questions about it are answered: the latest waits for the answer before. */
  let waiting = false;
  /** The row under the pointer. */
  let pointed: ExchangeId | null = null;
  /** The connection of the row that is pointed at or chosen, also once that is out of sight. */
  let marked: { readonly id: ExchangeId; readonly carrier: Carrier | null } | null = null;
  let rows: ListSubscription<"timeline">;
  let list: VirtualList<TimelineRow>;
  let strip: Strip;
  let resizeLabels = (_width: number): void => {};

  const recordAt = (index: number): TimelineRecord | null => rows.rows()[index - rows.state.from] ?? null;
  const indexOf = (key: string | number): number | null => {
    const at = rows.state.keys.indexOf(key);
    return at < 0 ? null : at + rows.state.from;
  };
  const shaped = (index: number): TimelineRow | null => {
    const record = recordAt(index);
    const known = record === null ? undefined : rowOf.get(record);
    if (record === null || (known !== undefined && record.endTime !== null)) return known ?? null;
    const at = record.follows === null ? null : indexOf(record.follows.from);
    const before = at === null ? null : recordAt(at);
    const row = timelineRowOf(record, before === null ? null : `${before.method} ${before.target}`, deps.now());
    rowOf.set(record, row);
    return row;
  };
  const ask = (change: Partial<QueryOf<"timeline">>): void => {
    query = { ...query, ...change };
    if (query.between === null) return;
    waiting = !rows.answered && rows.problem === null && rows.state.total > 0;
    if (!waiting) rows.update(query);
  };

  const markedCarrier = (): Carrier | null => {
    const id = pointed ?? selection.now.exchange;
    const record = rows.rows().find((each) => each.id === id);
    if (record !== undefined) marked = { id: record.id, carrier: carrierOf(record) };
    return marked?.id === id ? marked.carrier : null;
  };

  return {
    legend: legendOf(shown),
    strip: EMPTY_STRIP,
    frame: EMPTY_FRAME,
    drawing: NO_DRAWING,
    labels: { "--labels": `${LABELS}px` },
    labelWidth: LABELS,
    empty: "",
    problem: "",

    init() {
      const { list: scroller, space, window: rowWindow, strip: stripBox } = this.$refs;
      if (scroller === undefined || space === undefined || rowWindow === undefined || stripBox === undefined)
        throw new Error("no timeline to fill");
      const paint = (): void => {
        const first = this.frame.slots[0]?.index ?? 0;
        this.drawing = drawingOf({
          stretch: strip.stretch,
          width: Math.max(0, scroller.clientWidth - this.labelWidth),
          shown,
          records: rows.rows(),
          first,
          from: rows.state.from - first,
          count: this.frame.slots.length,
          before: rows.state.from > 0,
          marked: markedCarrier(),
          after: rows.state.from + rows.rows().length < rows.state.matched,
          now: deps.now(),
        });
        this.strip = strip.frame(rows.state.matched);
      };
      strip = new Strip({
        windows,
        box: stripBox,
        filter: query.filter,
        stretch: query.between,
        changed: (between, settled) => {
          selection.set({ between });
          if (settled) list.reset();
          ask({ between });
          paint();
        },
        redraw: paint,
      });
      rows = windows.list(query, () => {
        list.update(rows.state.matched);
        deps.showMatches({ matched: rows.state.matched, total: rows.state.total, problem: rows.problem });
        this.problem = rows.problem ?? "";
        this.empty = emptiness();
        paint();
        if (waiting) ask({});
      });
      const emptiness = (): typeof this.empty => {
        if (rows.problem !== null) return "refused";
        if (!rows.answered || rows.state.matched > 0) return "";
        return rows.state.total === 0 ? "nothing" : "none-here";
      };
      list = new VirtualList<TimelineRow>({
        name: "timeline-row",
        rowHeight: ROW_HEIGHT,
        headHeight: HEAD_HEIGHT,
        follows: () => false,
        rowAt: shaped,
        keyAt: (index) => recordAt(index)?.id ?? null,
        indexOf,
        wanted: (range) => ask({ range }),
        draw: (frame) => {
          this.frame = frame;
          paint();
        },
        moved: (_, key) => {
          if (selection.now.exchange !== null) selection.set({ exchange: key as ExchangeId });
        },
        opened: (_, key) => selection.set({ exchange: key as ExchangeId, inspectorTab: "timing" }),
      });
      const setLabels = (width: number): void => {
        const most = Math.max(LABELS_LEAST, this.$root.clientWidth * LABELS_MOST_SHARE);
        this.labelWidth = Math.round(Math.min(Math.max(width, LABELS_LEAST), most));
        this.labels = { "--labels": `${this.labelWidth}px` };
        paint();
      };
      resizeLabels = setLabels;
      setLabels(window.innerWidth < NARROW_WINDOW ? LABELS_NARROW : LABELS);
      list.attach(scroller, space, rowWindow);
      list.activate(selection.now.exchange);
      if (selection.now.exchange !== null) strip.seek(selection.now.exchange);
      const fit = new ResizeObserver(paint);
      fit.observe(scroller);
      const tick = setInterval(() => list.update(rows.state.matched), TICK_MS);
      ending.push(
        watchPinch(scroller, (factor, x) => this.zoomAt(factor, x)),
        () => fit.disconnect(),
        () => clearInterval(tick),
        () => rows.close(),
        () => strip.close(),
        () => list.detach(),
        selection.watch(({ filter, exchange, between }) => {
          if (exchange !== null) list.activate(exchange);
          if (between !== null && between !== strip.stretch) strip.show(between);
          if (filter === query.filter) return;
          strip.filter(filter);
          ask({ filter });
          list.reset();
        }),
      );
    },

    destroy() {
      for (const end of ending.splice(0)) end();
      deps.showMatches(null);
    },

    togglePhase(phase) {
      const next = new Set(shown);
      if (!next.delete(phase)) next.add(phase);
      shown = next;
      this.legend = legendOf(shown);
      strip.redraw();
    },

    fit() {
      if (strip.whole !== null) strip.show(fitted(strip.whole));
    },

    showLatest() {
      if (strip.whole !== null) strip.show(latestOf(strip.whole));
    },

    /** Slots change their order (slot-order.ts), rows do not. */
    drawn({ index }) {
      return this.drawing.rows[index - this.drawing.first] ?? NOT_DRAWN;
    },

    open({ row }) {
      if (row === null) return;
      list.activate(row.key);
      selection.set({ exchange: row.key });
    },

    /** The rows of its connection are marked; of none, those of the chosen row's. */
    point(slot) {
      pointed = slot?.row?.key ?? null;
      strip.redraw();
    },

    clearFilter() {
      selection.set({ filter: "" });
    },

    /** Left and right move through time, plus and minus zoom, 0 shows the whole session; the rest is the list's. */
    onKey(event) {
      list.onKey(event);
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const by = { ArrowLeft: -MOVE_PER_KEY, ArrowRight: MOVE_PER_KEY }[event.key];
      const factor = { "+": 1 / ZOOM_PER_KEY, "=": 1 / ZOOM_PER_KEY, "-": ZOOM_PER_KEY }[event.key];
      if (by !== undefined) strip.move(event.shiftKey ? by * 5 : by);
      else if (factor !== undefined) strip.zoom(factor, 0.5);
      else if (event.key === "0") this.fit();
      else return;
      event.preventDefault();
    },

    /** A pinch is a wheel with Ctrl; sideways moves through time; else the rows scroll. */
    onWheel(event) {
      const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
      if (event.ctrlKey || event.metaKey) this.onRulerWheel(event);
      else if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
        event.preventDefault();
        strip.move(sideways / Math.max(1, this.drawing.width));
      }
    },

    onRulerWheel(event) {
      event.preventDefault();
      this.zoomAt(ZOOM_PER_PIXEL ** event.deltaY, event.clientX);
    },

    zoomAt(factor, x) {
      const box = this.$refs["list"]?.getBoundingClientRect();
      const share = (x - (box?.left ?? 0) - this.labelWidth) / Math.max(1, this.drawing.width);
      strip.zoom(factor, Math.min(1, Math.max(0, share)));
    },

    onStripPress(event) {
      strip.press(event);
    },

    onEdgeKey(event, edge) {
      strip.moveEdge(event, edge);
    },

    startLabels(event) {
      startDrag(event, (x) => resizeLabels(this.labelWidth - DIVIDER_HALF + x));
    },

    labelsByKey(event) {
      const by = { ArrowLeft: -LABELS_STEP, ArrowRight: LABELS_STEP }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      resizeLabels(this.labelWidth + by);
    },
  };
}
