import { PHASES, type Phase } from "../../../engine/model/phases.ts";
import { EMPTY_FRAME, type ListFrame, type Slot } from "../../parts/list-frame.ts";
import { onceSettled } from "../../parts/settled.ts";
import { focusList } from "../../parts/view-focus.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { isUnanswered, matchesOf } from "../list-now.ts";
import type { View } from "../mounted.ts";
import { type Drawing, type DrawnRow, drawingOf, NO_DRAWING, NOT_DRAWN } from "./drawing.ts";
import { LabelWidth } from "./label-width.ts";
import { type LegendChip, legendOf } from "./legend.ts";
import { MarkedCarrier } from "./marked-carrier.ts";
import { watchPinch } from "./pinch.ts";
import type { TimelineRow } from "./rows.ts";
import { fitted, latestOf } from "./stretch.ts";
import { Strip } from "./strip.ts";
import { EMPTY_STRIP, type StripFrame } from "./strip-frame.ts";
import { TimelineList } from "./timeline-list.ts";

/** What is in flight grows this often. */
const TICK_MS = 500;
/** A turn of the wheel by one pixel zooms by so much; a key by the next. Our choices. */
const ZOOM_PER_PIXEL = 1.002;
const ZOOM_PER_KEY = 1.5;
const MOVE_PER_KEY = 0.1;

interface TimelineView {
  legend: readonly LegendChip[];
  strip: StripFrame;
  /** Its summary as it is read out: once for each stretch that is gone to, not whenever traffic changes it. */
  spokenStretch: string;
  frame: ListFrame<TimelineRow>;
  drawing: Drawing;
  labels: { readonly "--labels": string };
  labelWidth: number;
  empty: "" | "nothing" | "none-here" | "refused" | "unanswered";
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
  const marked = new MarkedCarrier();
  let shown: ReadonlySet<Phase> = new Set(PHASES);
  let list: TimelineList;
  let strip: Strip;
  let labels: LabelWidth;

  return {
    legend: legendOf(shown),
    strip: EMPTY_STRIP,
    spokenStretch: "",
    frame: EMPTY_FRAME,
    drawing: NO_DRAWING,
    ...LabelWidth.atFirst,
    empty: "",
    problem: "",

    init() {
      const { list: scroller, space, window: rowWindow, strip: stripBox } = this.$refs;
      if (scroller === undefined || space === undefined || rowWindow === undefined || stripBox === undefined)
        throw new Error("no timeline to fill");
      list = new TimelineList({
        deps,
        arrived: () => {
          this.problem = list.records.problem ?? "";
          this.empty = emptiness();
          showMatches();
          paint();
        },
        draw: (frame) => {
          this.frame = frame;
          paint();
        },
      });
      /** Of the session, as in every view; the strip's summary tells how many of them are in sight. */
      const showMatches = (): void => {
        const matches = matchesOf(list.records);
        deps.showMatches({ ...matches, matched: strip.matched ?? matches.matched });
      };
      const emptiness = (): typeof this.empty => {
        const { state, problem, answered } = list.records;
        if (isUnanswered(list.records)) return "unanswered";
        if (!answered) return "";
        if (problem !== null) return "refused";
        if (state.matched > 0) return "";
        return state.total === 0 ? "nothing" : "none-here";
      };
      const speaking = onceSettled(() => {
        this.spokenStretch = this.strip.summary === "" ? "" : `In sight: ${this.strip.summary}`;
      });
      strip = new Strip({
        windows,
        box: stripBox,
        filter: list.query.filter,
        stretch: list.query.between,
        changed: (between, settled) => {
          selection.set({ between });
          if (settled) list.reset();
          list.ask({ between });
          if (settled) showChosen(false);
          speaking.again();
          paint();
        },
        redraw: () => {
          showMatches();
          paint();
        },
      });
      /** The row of what is open, if it is among those of the stretch. */
      const showChosen = (isBrought: boolean): void => {
        const { exchange } = selection.now;
        if (exchange !== null) strip.seek(exchange, isBrought, (start) => list.show(exchange, start));
      };
      const paint = (): void => {
        const { state } = list.records;
        const records = list.records.rows();
        const first = this.frame.slots[0]?.index ?? 0;
        if (this.empty === "nothing") {
          this.drawing = NO_DRAWING;
          return;
        }
        this.drawing = drawingOf({
          stretch: strip.stretch,
          width: Math.max(0, scroller.clientWidth - this.labelWidth),
          shown,
          records,
          first,
          from: state.from - first,
          count: this.frame.slots.length,
          before: state.from > 0,
          marked: marked.among(records, selection.now.exchange),
          after: state.from + records.length < state.matched,
          now: deps.now(),
        });
        this.strip = strip.frame(state.matched);
      };
      labels = new LabelWidth(this, this.$root, paint);
      labels.suit();
      list.attach(scroller, space, rowWindow);
      list.activate(selection.now.exchange);
      showChosen(true);
      const fit = new ResizeObserver(paint);
      fit.observe(scroller);
      const tick = setInterval(() => list.update(), TICK_MS);
      ending.push(
        watchPinch(scroller, (factor, x) => this.zoomAt(factor, x)),
        speaking.end,
        () => fit.disconnect(),
        () => clearInterval(tick),
        () => strip.close(),
        () => list.close(),
        selection.watch(({ filter, exchange, between }) => {
          if (exchange !== null) list.activate(exchange);
          if (between !== null && between !== strip.stretch) strip.show(between);
          if (filter === list.query.filter) return;
          strip.filter(filter);
          list.ask({ filter });
          list.reset();
          showChosen(false);
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
      marked.point(slot?.row?.key ?? null);
      strip.redraw();
    },

    clearFilter() {
      selection.set({ filter: "" });
      focusList();
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
      labels.start(event);
    },

    labelsByKey(event) {
      labels.byKey(event);
    },
  };
}
