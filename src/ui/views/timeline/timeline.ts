import { PHASES, type Phase } from "../../../engine/model/phases.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { debounce } from "../../parts/debounce.ts";
import { EMPTY_FRAME, type ListFrame, type Slot } from "../../parts/list/list-frame.ts";
import { moveAmong } from "../../parts/menu-keys.ts";
import { resizeByKey, startResize } from "../../parts/resize.ts";
import { focusList } from "../../parts/view-focus.ts";
import { openExchangeMenu } from "../context-menu.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { isPending, isUnanswered, matchesOf } from "../list-now.ts";
import { view } from "../view.ts";
import { NO_PATH, type PathFrame } from "./critical-path.ts";
import { drawingOf, NO_DRAWING, NO_ROW_DRAWING, type RowDrawing } from "./drawing.ts";
import { LabelWidth } from "./label-width.ts";
import { legendOf } from "./legend.ts";
import { MarkedConnection } from "./marked-connection.ts";
import { Minimap } from "./minimap.ts";
import { EMPTY_MINIMAP } from "./minimap-frame.ts";
import { PathLine } from "./path-line.ts";
import { watchPinch } from "./pinch.ts";
import type { TimelineRow } from "./rows.ts";
import { TimelineList } from "./timeline-list.ts";
import { fitted, latestWithin } from "./visible-range.ts";

/** Milliseconds between updates of exchanges in flight. */
const TICK_MS = 1_000;
/** Zoom factors per pixel of the wheel and per key press. */
const ZOOM_PER_PIXEL = 1.002;
const ZOOM_PER_KEY = 1.5;
/** Share of the range by which a key press moves. */
const MOVE_PER_KEY = 0.1;

/** The view Timeline: the session as a minimap, and a range of it as rows whose bars show when each phase ran. */
export function timelineView(deps: ViewDependencies) {
  const { selection, windows } = deps;
  const ending: (() => void)[] = [];
  const marked = new MarkedConnection();
  let shown: ReadonlySet<Phase> = new Set(PHASES);
  let list: TimelineList;
  let minimap: Minimap;
  let path: PathLine;
  let labels: LabelWidth;
  let highlighted = selection.now.finding;

  return view({
    legend: legendOf(shown),
    minimap: EMPTY_MINIMAP,
    /** The summary for assistive technology; updated for a new range, not for traffic. */
    rangeAnnouncement: "",
    frame: EMPTY_FRAME as ListFrame<TimelineRow>,
    drawing: NO_DRAWING,
    /**
     * Whether a row had a mark that few rows have, such as time that was held on purpose. The legend then keeps a line
     * of its own: if the line came and went with the row, the row would move out of the list and in again.
     */
    hasMarks: false,
    path: NO_PATH,
    /** The first request of the latest page load; `null` if there is none. */
    latestLoad: null as ExchangeId | null,
    /** The range over which the user drags on the ruler. */
    dragged: NOT_DRAGGED,
    fitLabel: fitLabelOf(selection.now.filter),
    ...LabelWidth.atFirst,
    empty: "" as "" | "nothing" | "none-here" | "refused" | "unanswered",
    problem: "",

    init(): void {
      const { list: scroller, minimap: minimapBox } = this.$refs;
      if (scroller === undefined || minimapBox === undefined) throw new Error("no timeline to fill");
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
      // The filter box shows counts for the whole session, as in every view. The list itself has the visible range.
      const showMatches = (): void => {
        if (isPending(list.records)) return;
        const matches = matchesOf(list.records);
        deps.showMatches({ ...matches, matched: minimap.matched ?? matches.matched });
      };
      const emptiness = (): typeof this.empty => {
        const { state, problem, answered } = list.records;
        if (isUnanswered(list.records)) return "unanswered";
        if (!answered) return "";
        // After a refused query, the previous rows stay.
        if (problem !== null) return state.matched > 0 ? "" : "refused";
        if (state.matched > 0) return "";
        return state.total === 0 ? "nothing" : "none-here";
      };
      const announcing = debounce(() => {
        this.rangeAnnouncement = this.minimap.summary === "" ? "" : `Visible: ${this.minimap.summary}`;
      });
      minimap = new Minimap({
        windows,
        box: minimapBox,
        filter: list.query.filter,
        range: list.query.between,
        changed: (between, settled) => {
          selection.set({ between });
          if (!settled) list.setQuery({ between });
          else {
            list.restart({ between });
            showChosen(false);
            seekPath();
          }
          announcing.call();
          paint();
        },
        redraw: () => {
          showMatches();
          paint();
        },
      });
      path = new PathLine(windows, () => {
        const stepped = path.takeSteppedRange();
        if (stepped === null) paint();
        else minimap.show(fitted(stepped));
      });
      const seekPath = (): void => {
        const { filter, exchange, between } = selection.now;
        if (between !== null) path.seek({ filter, exchange, between });
      };
      /**
       * Makes the row of the opened exchange active, if the exchange is in the range. If `isBrought`, first moves the
       * range to the exchange.
       */
      const showChosen = (isBrought: boolean): void => {
        const { exchange } = selection.now;
        if (exchange !== null) minimap.seek(exchange, isBrought, (start) => list.showStarted(exchange, start));
      };
      const paint = (): void => {
        const { state } = list.records;
        const records = list.records.rows();
        const first = this.frame.slots[0]?.index ?? 0;
        if (this.empty === "nothing") {
          this.drawing = NO_DRAWING;
          this.path = NO_PATH;
          this.latestLoad = null;
          this.minimap = EMPTY_MINIMAP;
          return;
        }
        this.drawing = drawingOf({
          range: minimap.range,
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
        const { phases, browserWait, slowed } = this.drawing;
        this.hasMarks ||= `${phases.held}${browserWait}${slowed}` !== "";
        this.latestLoad = path.latestLoad;
        this.path = path.frame({ range: minimap.range, width: this.drawing.width });
        this.minimap = minimap.frame(state.matched);
      };
      labels = new LabelWidth(this, this.$root, (timelineLabels) => {
        if (timelineLabels !== null) selection.set({ timelineLabels });
        paint();
      });
      labels.suit(selection.now.timelineLabels);
      list.attach(this.$refs);
      list.activate(selection.now.exchange);
      showChosen(true);
      seekPath();
      const fit = new ResizeObserver(() => labels.suit(selection.now.timelineLabels));
      fit.observe(scroller);
      const tick = setInterval(() => list.refresh(), TICK_MS);
      ending.push(
        watchPinch(scroller, (factor, x) => this.zoomAt(factor, x)),
        announcing.cancel,
        () => fit.disconnect(),
        () => clearInterval(tick),
        () => minimap.close(),
        () => path.close(),
        () => list.close(),
        selection.watch(({ filter, exchange, between, finding, timelineLabels }) => {
          if (timelineLabels !== null && timelineLabels !== this.labelWidth) labels.suit(timelineLabels);
          if (finding !== highlighted) list.reshape();
          highlighted = finding;
          if (exchange !== null) list.activate(exchange);
          if (between !== null && between !== minimap.range) minimap.show(between);
          seekPath();
          if (filter === list.query.filter) return;
          this.fitLabel = fitLabelOf(filter);
          minimap.filter(filter);
          list.restart({ filter });
          showChosen(false);
        }),
      );
    },

    destroy(): void {
      for (const end of ending.splice(0)) end();
      deps.showMatches(null);
    },

    togglePhase(phase: Phase): void {
      const next = new Set(shown);
      if (!next.delete(phase)) next.add(phase);
      shown = next;
      this.legend = legendOf(shown);
      minimap.redraw();
    },

    fit(): void {
      const range = minimap.matchingRange ?? minimap.sessionRange;
      if (range !== null) minimap.show(fitted(range));
    },

    /** Asks what is different about the requests that began in the visible range. */
    compareVisible(): void {
      const { filter } = list.query;
      const set = { by: "matches", filter, between: minimap.range } as const;
      deps.openDifference({ set, name: `The visible range: ${this.minimap.summary}` });
    },

    /** Shows the latest seconds. */
    showLatest(): void {
      const whole = minimap.sessionRange;
      if (whole !== null) minimap.show(latestWithin(whole));
    },

    /**
     * The drawing of a slot's row. Drawings are in the order of rows, because slots change their order
     * (slot-recycler.ts).
     */
    rowDrawing({ index }: Slot<TimelineRow>): RowDrawing {
      return this.drawing.rows[index - this.drawing.first] ?? NO_ROW_DRAWING;
    },

    open({ row }: Slot<TimelineRow>): void {
      if (row === null) return;
      list.activate(row.key);
      selection.set({ exchange: row.key });
    },

    onMenu(event: MouseEvent): void {
      openExchangeMenu(deps, event, this.frame.slots, (exchange) => list.activate(exchange));
    },

    /** Opens the exchange of a step, or the steps of a run. */
    openStep({ exchange, isRun }: PathFrame["steps"][number]): void {
      if (exchange === null) return;
      if (isRun) return path.toggle(exchange);
      selection.set({ exchange });
      minimap.seek(exchange, true, (start) => list.showStarted(exchange, start));
    },

    /** Shows the critical path of the page load that begins with this exchange; `null`: there is no such load. */
    step(load: ExchangeId | null): void {
      if (load === null) return;
      // An open inspector shows the load's first exchange, as after a key press in the list.
      if (selection.now.exchange !== null) selection.set({ exchange: load });
      path.step(load);
      minimap.seek(load, true, (start) => list.showStarted(load, start));
    },

    /** Makes the whole path visible, and no more. */
    showPath(): void {
      const { range } = path;
      if (range !== null) minimap.show(fitted(range));
    },

    /** The arrow keys move the focus through the requests of the critical path. */
    onPathKey(event: KeyboardEvent): void {
      const buttons = (event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("button");
      // The buttons of gaps are hidden.
      moveAmong(
        event,
        [...buttons].filter((button) => button.checkVisibility()),
        true,
      );
    },

    /** Marks the rows on the connection of the slot's row; `null`: on the connection of the selected row. */
    point(slot: Slot<TimelineRow> | null): void {
      marked.point(slot?.row?.key ?? null);
      minimap.redraw();
    },

    clearFilter(): void {
      selection.set({ filter: "" });
      focusList();
    },

    /**
     * Left and Right move through time, plus and minus zoom, and 0 shows all matching exchanges; the list handles other
     * keys.
     */
    onKey(event: KeyboardEvent): void {
      list.onKey(event);
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const by = { ArrowLeft: -MOVE_PER_KEY, ArrowRight: MOVE_PER_KEY }[event.key];
      const factor = { "+": 1 / ZOOM_PER_KEY, "=": 1 / ZOOM_PER_KEY, "-": ZOOM_PER_KEY }[event.key];
      if (by !== undefined) minimap.move(event.shiftKey ? by * 5 : by);
      else if (factor !== undefined) minimap.zoom(factor, 0.5);
      else if (event.key === "0") this.fit();
      else return;
      event.preventDefault();
    },

    /**
     * Zooms for a wheel event with Ctrl; a pinch also arrives as such an event. Horizontal scrolling moves through
     * time; vertical scrolling moves the rows.
     */
    onWheel(event: WheelEvent): void {
      const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
      if (event.ctrlKey || event.metaKey) this.onRulerWheel(event);
      else if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
        event.preventDefault();
        minimap.move(sideways / Math.max(1, this.drawing.width));
      }
    },

    onRulerWheel(event: WheelEvent): void {
      event.preventDefault();
      this.zoomAt(ZOOM_PER_PIXEL ** event.deltaY, event.clientX);
    },

    zoomAt(factor: number, x: number): void {
      const box = this.$refs["list"]?.getBoundingClientRect();
      const share = (x - (box?.left ?? 0) - this.labelWidth) / Math.max(1, this.drawing.width);
      minimap.zoom(factor, Math.min(1, Math.max(0, share)));
    },

    onMinimapPress(event: PointerEvent): void {
      minimap.press(event);
    },

    onEdgeKey(event: KeyboardEvent, edge: "from" | "to"): void {
      minimap.moveEdge(event, edge);
    },

    onRulerPress(event: PointerEvent): void {
      minimap.pressRuler(event, this.drawing.width, (dragged) => {
        this.dragged =
          dragged === null ? NOT_DRAGGED : Object.freeze({ left: `${dragged.left}px`, width: `${dragged.width}px` });
      });
    },

    startLabels(event: PointerEvent): void {
      startResize(event, labels);
    },

    labelsByKey(event: KeyboardEvent): void {
      resizeByKey(event, labels);
    },
  });
}

const NOT_DRAGGED: { readonly left: string; readonly width: string } = Object.freeze({ left: "0", width: "0" });

function fitLabelOf(filter: string): "Fit session" | "Fit matches" {
  return filter === "" ? "Fit session" : "Fit matches";
}
