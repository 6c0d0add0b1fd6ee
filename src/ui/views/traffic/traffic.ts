import type { Status } from "../../../engine/messages/status-messages.ts";
import type { TrafficRecord } from "../../../engine/messages/traffic-messages.ts";
import type { Mark } from "../../../engine/model/remark.ts";
import type { ExchangeId, Milliseconds } from "../../../engine/model/units.ts";
import { axisText } from "../../format/duration.ts";
import { LAST_ROWS } from "../../parts/asked-rows.ts";
import { EMPTY_FRAME, type ListFrame, type Slot } from "../../parts/list-frame.ts";
import { VirtualList } from "../../parts/virtual-list.ts";
import type { Selected } from "../../state/selection.ts";
import type { QueryOf } from "../../state/windows.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { copyExchange, MARK_CHOICES, markExchanges, type PickedRows, resendExchange } from "../exchange-actions.ts";
import type { View } from "../mounted.ts";
import { Arrangement, type ColumnHead } from "./arrangement.ts";
import { barScaleOf } from "./bar-scale.ts";
import type { ColumnLayout, ColumnName } from "./columns.ts";
import { type FirstSteps, firstStepsOf, HUB_TARGETS } from "./first-steps.ts";
import { phaseBackground } from "./phase-background.ts";
import { PickedLine } from "./picked-line.ts";
import { RowTemplate } from "./row-template.ts";
import { footOf, type TrafficRow, trafficRowOf } from "./rows.ts";
import { sortOf, sortTextOf } from "./sort.ts";
import type { SumItem } from "./sums.ts";

/** Height of a row, as in tokens.css (--row). */
const ROW = 28;
/** First rows that take longer than this are said to be on their way. Our choice. */
const LONG_MS = 500;
/** Exchanges in flight show how long they have lasted, to the second. */
const TICK_MS = 1_000;

/** No column is being dragged, or it would stay. */
const NO_DROP = Object.freeze({});

interface TrafficView {
  frame: ListFrame<TrafficRow>;
  heads: readonly ColumnHead[];
  layout: ColumnLayout;
  /** Some column is narrower than the view has it. */
  narrowed: boolean;
  /** For :style of the line where a column that is being dragged would be put. */
  drop: Readonly<Record<string, string>>;
  /** Room for the row numbers in px, so that the columns of all rows agree. */
  digits: number;
  foot: string;
  /** The first rows are long in coming. */
  waiting: boolean;
  /** The bars' common axis in words. */
  scaleText: string;
  /** What the picked rows come to; empty while no more than one is picked. */
  sums: readonly SumItem[];
  /** The same as it is read out. */
  spokenSums: string;
  /** What to do while nothing is captured; `null` once something is, or before it is known. */
  firstSteps: FirstSteps | null;
  readonly hasHub: boolean;
  readonly hubTargets: typeof HUB_TARGETS;
  readonly markChoices: typeof MARK_CHOICES;
  init(): void;
  destroy(): void;
  onHeadClick(event: MouseEvent): void;
  onHeadPress(event: PointerEvent): void;
  onHeadKey(event: KeyboardEvent): void;
  onEdgeReset(event: MouseEvent): void;
  onPress(event: MouseEvent): void;
  onClick(event: MouseEvent): void;
  onKey(event: KeyboardEvent): void;
  onMenu(event: MouseEvent): void;
  clearFilter(): void;
  pickNothing(): void;
  markPicked(mark: Mark | null): void;
  copyCommand(): void;
  openHub(target: string | null): void;
}

/** A row with the bar that it has on a scale. */
interface BarredRow {
  readonly texts: TrafficRow;
  readonly scale: Milliseconds;
  /** Columns that it has texts for. */
  readonly shown: ReadonlySet<ColumnName>;
  readonly row: TrafficRow & { readonly bar: string };
}

/** What the list asks for as it is opened. */
export function firstQueryOf({ filter, trafficSort }: Selected): QueryOf<"traffic"> {
  return Object.freeze({ view: "traffic", filter, sort: sortOf(trafficSort), range: LAST_ROWS });
}

/** The live list of exchanges. */
export function trafficView(deps: ViewDependencies): View<TrafficView> {
  const { selection, windows } = deps;
  const rowOf = new WeakMap<TrafficRecord, BarredRow>();
  const ending: (() => void)[] = [];
  let query = firstQueryOf(selection.now);
  let sortText = selection.now.trafficSort;
  let list: VirtualList<TrafficRow> | null = null;
  let arrangement: Arrangement;
  let line: PickedLine;
  let recordAt: (index: number) => TrafficRecord | null = () => null;
  /** End of the bars' common axis. */
  let scale: Milliseconds = 1;

  function shaped(index: number): TrafficRow | null {
    const record = recordAt(index);
    if (record === null) return null;
    const known = rowOf.get(record);
    const { shown } = arrangement;
    const isKnown = known !== undefined && !record.inFlight && known.shown === shown;
    if (isKnown && known.scale === scale) return known.row;
    const texts = isKnown ? known.texts : trafficRowOf(record, deps.now(), shown);
    const row = Object.freeze({ ...texts, bar: phaseBackground(record.spans, scale) });
    rowOf.set(record, { texts, scale, shown, row });
    return row;
  }

  /** The slot of the row that an event happened in; `null` beside the rows. */
  function slotAt({ target }: Event, { slots }: ListFrame<TrafficRow>): Slot<TrafficRow> | null {
    const row = target instanceof Element ? target.closest(".list-row") : null;
    return slots.find(({ id }) => id === row?.id) ?? null;
  }

  /** That row's exchange, or all that are picked if it is one of them. */
  function meantBy({ index, selected }: Slot<TrafficRow>): ExchangeId | PickedRows | null {
    return (selected ? line.rows : null) ?? recordAt(index)?.id ?? null;
  }

  function mark(which: ExchangeId | PickedRows | null, choice: Mark | null): void {
    if (which !== null) void markExchanges(deps, which, choice);
  }

  return {
    frame: EMPTY_FRAME,
    heads: Object.freeze([]),
    layout: Object.freeze({}),
    narrowed: false,
    drop: NO_DROP,
    digits: digitsFor(0),
    foot: "",
    waiting: false,
    scaleText: "",
    sums: Object.freeze([]),
    spokenSums: "",
    firstSteps: null,
    hasHub: deps.openHub !== null,
    hubTargets: HUB_TARGETS,
    markChoices: MARK_CHOICES,

    init() {
      // Numbers run on from one session to the next: they may be far larger than the count of rows.
      let last = 0;
      const rows = windows.list(query, () => {
        list?.update(rows.state.matched);
        this.waiting = false;
        this.foot = footOf(rows.state);
        for (const { id } of rows.rows()) last = Math.max(last, id);
        this.digits = digitsFor(Math.max(last, rows.state.total));
        arrangement.follow(query.sort, this.digits);
        deps.showMatches({ matched: rows.state.matched, total: rows.state.total, problem: rows.problem });
        showFirstSteps();
      });
      const status = windows.value({ view: "status" }, () => showFirstSteps());
      const showFirstSteps = (): void => {
        const known: Status | undefined = status.value;
        const empty = rows.answered && rows.problem === null && rows.state.total === 0;
        this.firstSteps = empty && known !== undefined ? firstStepsOf(known) : null;
      };
      const template = new RowTemplate(this.$refs["row"] as HTMLTemplateElement);
      let cells: ReadonlySet<ColumnName> | null = null;
      arrangement = new Arrangement(selection, query.sort, this.digits, ({ heads, layout, narrowed, shown }) => {
        this.heads = heads;
        this.layout = layout;
        this.narrowed = narrowed;
        if (shown === cells) return;
        cells = shown;
        template.show(shown);
        list?.update(rows.state.matched);
      });
      recordAt = (index) => rows.rows()[index - rows.state.from] ?? null;
      const ask = (change: Partial<QueryOf<"traffic">>): void => {
        query = Object.freeze({ ...query, ...change });
        rows.update(query);
      };
      list = new VirtualList<TrafficRow>({
        name: "traffic-row",
        rowHeight: ROW,
        headHeight: ROW,
        asked: query.range,
        follows: () => query.sort.column === "startTime" && !query.sort.descending,
        seeing: (first, count) => {
          const inSight = Array.from({ length: count }, (_, place) => recordAt(first + place) ?? []);
          scale = barScaleOf(inSight.flat(), scale);
          this.scaleText = count > 0 && arrangement.shown.has("phases") ? `0 to ${axisText(scale)}` : "";
        },
        rowAt: shaped,
        keyAt: (index) => recordAt(index)?.id ?? null,
        indexOf: (key) => {
          const at = rows.state.keys.indexOf(key);
          return at < 0 ? null : at + rows.state.from;
        },
        wanted: (range) => ask({ range }),
        arrived: () => rows.answered && rows.problem === null,
        draw: (frame) => {
          this.frame = frame;
        },
        moved: (_, key) => {
          if (selection.now.exchange !== null) selection.set({ exchange: key as ExchangeId });
        },
        opened: (_, key) => {
          selection.set({ exchange: key as ExchangeId });
        },
        picked: (picked) => line.pick(picked, query),
      });
      line = new PickedLine(windows, (items, spoken) => {
        this.sums = items;
        this.spokenSums = spoken;
      });
      const { list: scroller, space, window } = this.$refs;
      if (scroller === undefined || space === undefined || window === undefined)
        throw new Error("the list is not there");
      list.attach(scroller, space, window);
      list.activate(selection.now.exchange);
      const waiting = setTimeout(() => {
        this.waiting = !rows.answered;
        if (this.waiting) this.foot = "Loading.";
      }, LONG_MS);
      const tick = setInterval(() => list?.update(rows.state.matched), TICK_MS);
      ending.push(
        () => clearTimeout(waiting),
        () => clearInterval(tick),
        () => rows.close(),
        () => status.close(),
        () => list?.detach(),
        () => line.close(),
        () => arrangement.close(),
        selection.watch(({ filter, exchange, trafficSort }) => {
          if (exchange !== null) list?.activate(exchange);
          const isSorted = trafficSort === sortText;
          const sort = isSorted ? query.sort : sortOf(trafficSort);
          sortText = trafficSort;
          arrangement.follow(sort, this.digits);
          if (filter === query.filter && isSorted) return;
          query = Object.freeze({ ...query, filter, sort });
          list?.reset();
          ask({});
        }),
      );
    },

    destroy() {
      for (const end of ending.splice(0)) end();
      deps.showMatches(null);
    },

    onHeadClick(event) {
      const column = arrangement.sortColumnAt(event);
      if (column === null) return;
      const descending = query.sort.column === column && !query.sort.descending;
      selection.set({ trafficSort: sortTextOf({ column, descending }) });
    },

    onHeadPress(event) {
      arrangement.startDrag(event, (left) => {
        this.drop = left === null ? NO_DROP : Object.freeze({ display: "block", left: `${left}px` });
      });
    },

    onHeadKey(event) {
      const isEdge = (event.target as Element).matches(".column-edge");
      const moved = arrangement.moveByKey(event);
      if (moved === null) {
        arrangement.resizeByKey(event);
        return;
      }
      deps.announce(moved.spoken);
      // Once the heads stand in their new order, which Alpine does in a microtask before: no key comes in between.
      queueMicrotask(() => {
        const head = this.$root.querySelector(`[data-column="${moved.name}"]`);
        head?.querySelector<HTMLElement>(isEdge ? ".column-edge" : ".sort")?.focus();
      });
    },

    onEdgeReset(event) {
      arrangement.resetWidth(event);
    },

    /** With Shift it would select the page's text instead. */
    onPress(event) {
      if (!event.shiftKey) return;
      event.preventDefault();
      this.$refs["list"]?.focus();
    },

    onClick(event) {
      const slot = slotAt(event, this.frame);
      const record = slot === null ? null : recordAt(slot.index);
      if (slot === null || record === null) return;
      if (list?.click(slot.index, event) === true) {
        if (selection.now.exchange !== null) selection.set({ exchange: record.id });
        return;
      }
      list?.activate(record.id);
      selection.set({ exchange: record.id });
    },

    onKey(event) {
      list?.onKey(event);
      const { active } = list ?? { active: null };
      if (active === null || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "c") void copyExchange(deps, active as ExchangeId, "curl");
      if (event.key === "r") void resendExchange(deps, active as ExchangeId);
      const slot = this.frame.slots.find((each) => each.active);
      if (event.key !== "m" || slot === undefined) return;
      mark(meantBy(slot), slot.row?.markClass === "is-star" ? null : "star");
    },

    /** By a press of the right button the row is told; by the menu key it is the active one. */
    onMenu(event) {
      event.preventDefault();
      if ((event.target as Element).closest(".list-head") !== null) {
        document.querySelector<HTMLElement>("#column-menu")?.showPopover();
        return;
      }
      const row = (event.target as Element).closest<HTMLElement>(".list-row");
      const slot = this.frame.slots.find(({ id, active }) => (row === null ? active : id === row.id));
      const record = slot === undefined ? null : recordAt(slot.index);
      if (slot === undefined || record === null) return;
      list?.activate(record.id);
      const { left, bottom } = (row ?? this.$root.querySelector(`#${slot.id}`) ?? this.$root).getBoundingClientRect();
      const at = row === null ? { x: left + 16, y: bottom } : { x: event.clientX, y: event.clientY };
      // Rows may have moved by the time that a mark is chosen.
      const which = meantBy(slot);
      const setMark = (choice: Mark | null): void => mark(which, choice);
      deps.openMenu({ exchange: record.id, mark: record.mark, setMark, ...at, corner: "left" });
    },

    openHub(target) {
      deps.openHub?.(target);
    },

    pickNothing() {
      list?.pickNothing();
      this.$refs["list"]?.focus();
    },

    markPicked(choice) {
      mark(line.rows, choice);
    },

    clearFilter() {
      selection.set({ filter: "" });
    },

    copyCommand() {
      if (this.firstSteps !== null) void deps.copy(this.firstSteps.command, "The command is copied.");
    },
  };
}

/** Pixels that row numbers up to this one take: digits, and a comma for every three. */
function digitsFor(last: number): number {
  const digits = String(last).length;
  return Math.max(32, digits * 8 + Math.floor((digits - 1) / 3) * 5);
}
