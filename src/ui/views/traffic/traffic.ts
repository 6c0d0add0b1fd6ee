import type { Status } from "../../../engine/messages/status-messages.ts";
import type { Mark } from "../../../engine/model/remark.ts";
import { EMPTY_FRAME, type ListFrame, type Slot } from "../../parts/list-frame.ts";
import { focusList } from "../../parts/view-focus.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { MARK_CHOICES } from "../exchange-actions.ts";
import { matchesOf } from "../list-now.ts";
import type { View } from "../mounted.ts";
import { Arrangement, type ColumnHead } from "./arrangement.ts";
import type { ColumnLayout, ColumnName } from "./columns.ts";
import { type FirstSteps, firstStepsOf, HUB_TARGETS } from "./first-steps.ts";
import { PickedLine } from "./picked-line.ts";
import { RowActions } from "./row-actions.ts";
import { RowTemplate } from "./row-template.ts";
import { footOf, type TrafficRow } from "./rows.ts";
import { sortOf, sortTextOf } from "./sort.ts";
import type { SumItem } from "./sums.ts";
import { TrafficList } from "./traffic-list.ts";

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
  /** The first rows are long in coming, or nobody is there to answer. */
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

/** The live list of exchanges. */
export function trafficView(deps: ViewDependencies): View<TrafficView> {
  const { selection, windows } = deps;
  const ending: (() => void)[] = [];
  let sortText = selection.now.trafficSort;
  let list: TrafficList;
  let actions: RowActions;
  let arrangement: Arrangement;

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
      list = new TrafficList({
        deps,
        shown: () => arrangement.shown,
        arrived: () => {
          const { records, query } = list;
          const { state } = records;
          this.waiting = records.left;
          this.foot = footOf(records);
          for (const { id } of records.rows()) last = Math.max(last, id);
          this.digits = digitsFor(Math.max(last, state.total));
          arrangement.follow(query.sort, this.digits);
          deps.showMatches(matchesOf(records));
          showFirstSteps();
        },
        draw: (frame) => {
          this.frame = frame;
        },
        scaled: (text) => {
          this.scaleText = text;
        },
        picked: (picked) => line.pick(picked, list.shown),
      });
      const status = windows.value({ view: "status" }, () => showFirstSteps());
      const showFirstSteps = (): void => {
        const known: Status | undefined = status.value;
        const { answered, problem, state } = list.records;
        const empty = answered && problem === null && state.total === 0;
        this.firstSteps = empty && known !== undefined ? firstStepsOf(known) : null;
      };
      const template = new RowTemplate(this.$refs["row"] as HTMLTemplateElement);
      let cells: ReadonlySet<ColumnName> | null = null;
      arrangement = new Arrangement(selection, list.query.sort, this.digits, ({ heads, layout, narrowed, shown }) => {
        this.heads = heads;
        this.layout = layout;
        this.narrowed = narrowed;
        if (shown === cells) return;
        const isFirst = cells === null;
        cells = shown;
        template.show(shown);
        // The first rows are still to come.
        if (!isFirst) list.update();
      });
      const line = new PickedLine(windows, (items, spoken) => {
        this.sums = items;
        this.spokenSums = spoken;
      });
      actions = new RowActions({ deps, list, picked: () => line.rows });
      list.attach(this.$refs);
      let opened = selection.now.exchange;
      if (opened !== null) list.show(opened);
      const waiting = setTimeout(() => {
        this.waiting = !list.records.answered;
        if (this.waiting && this.foot === "") this.foot = "Loading.";
      }, LONG_MS);
      const tick = setInterval(() => list.update(), TICK_MS);
      ending.push(
        () => clearTimeout(waiting),
        () => clearInterval(tick),
        () => status.close(),
        () => list.close(),
        () => line.close(),
        () => arrangement.close(),
        selection.watch(({ filter, exchange, trafficSort }) => {
          const isSorted = trafficSort === sortText;
          const sort = isSorted ? list.query.sort : sortOf(trafficSort);
          sortText = trafficSort;
          arrangement.follow(sort, this.digits);
          const isFiltered = filter !== list.query.filter;
          if (isFiltered || !isSorted) list.restart({ filter, sort });
          // What is opened is in sight, also if it was the active row before, and where another filter lets it stand.
          if (exchange !== null && (isFiltered || exchange !== list.active || exchange !== opened)) list.show(exchange);
          opened = exchange;
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
      const { sort } = list.query;
      const descending = sort.column === column && !sort.descending;
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
      const record = slot === null ? null : list.recordAt(slot.index);
      if (slot === null || record === null) return;
      if (list.click(slot.index, event)) {
        if (selection.now.exchange !== null) selection.set({ exchange: record.id });
        return;
      }
      list.activate(record.id);
      selection.set({ exchange: record.id });
    },

    onKey(event) {
      list.onKey(event);
      actions.onKey(event, this.frame);
    },

    onMenu(event) {
      event.preventDefault();
      const isHead = (event.target as Element).closest(".list-head") !== null;
      if (isHead) document.querySelector<HTMLElement>("#column-menu")?.showPopover();
      else actions.openMenu(event, this.frame, this.$root);
    },

    openHub(target) {
      deps.openHub?.(target);
    },

    pickNothing() {
      list.pickNothing();
      this.$refs["list"]?.focus();
    },

    markPicked(choice) {
      actions.markPicked(choice);
    },

    clearFilter() {
      selection.set({ filter: "" });
      focusList();
    },

    copyCommand() {
      if (this.firstSteps !== null) void deps.copy(this.firstSteps.command, "The command is copied.");
    },
  };
}

/** The slot of the row that an event happened in; `null` beside the rows. */
function slotAt({ target }: Event, { slots }: ListFrame<TrafficRow>): Slot<TrafficRow> | null {
  const row = target instanceof Element ? target.closest(".list-row") : null;
  return slots.find(({ id }) => id === row?.id) ?? null;
}

/** Pixels that row numbers up to this one take: digits, and a comma for every three. */
function digitsFor(last: number): number {
  const digits = String(last).length;
  return Math.max(32, digits * 8 + Math.floor((digits - 1) / 3) * 5);
}
