import type { Status } from "../../../engine/messages/status-messages.ts";
import type { Mark } from "../../../engine/model/annotation.ts";
import { countText } from "../../format/count.ts";
import { EMPTY_FRAME, type ListFrame, type Slot } from "../../parts/list/list-frame.ts";
import { focusList } from "../../parts/view-focus.ts";
import type { ValueSubscription } from "../../state/subscription-store.ts";
import { sortTextOf } from "../column-headers.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { MARK_CHOICES } from "../exchange-actions.ts";
import { matchesOf } from "../list-now.ts";
import { view } from "../view.ts";
import { Arrangement, type HeaderCells } from "./arrangement.ts";
import type { DrawnRow } from "./barred-rows.ts";
import type { ColumnName } from "./columns.ts";
import { type FirstSteps, firstStepsOf, HUB_TARGETS } from "./first-steps.ts";
import { RowActions } from "./row-actions.ts";
import { RowTemplate } from "./row-template.ts";
import { footerOf, type TrafficRow } from "./rows.ts";
import { SelectionSummary, type SummaryItem } from "./selection-summary.ts";
import { sortOf } from "./sort.ts";

import { TrafficList } from "./traffic-list.ts";

/** Milliseconds after which a list without its first rows is shown as loading. */
const LONG_MS = 500;
/** Milliseconds between updates of the durations of exchanges in flight. */
const TICK_MS = 1_000;

/** Clears the style when no column is dragged; without an object the last style would stay. */
const NO_DROP = Object.freeze({});

/** The view Traffic: the list of exchanges as they arrive. */
export function trafficView(deps: ViewDependencies) {
  const { selection, windows } = deps;
  const ending: (() => void)[] = [];
  let sortText = selection.now.trafficSort;
  let list: TrafficList;
  let actions: RowActions;
  let arrangement: Arrangement;
  let highlighted = selection.now.finding;

  return view({
    frame: EMPTY_FRAME as ListFrame<DrawnRow>,
    headers: Object.freeze([]) as readonly HeaderCells[],
    layout: Object.freeze({}),
    /** Whether a column is narrower than its default. */
    narrowed: false,
    /** For :style of the line where a dragged column would be dropped. */
    drop: NO_DROP,
    /** Width of the row numbers in px, the same in all rows so that columns align. */
    digits: digitsFor(0),
    footer: "",
    filtered: false,
    /** How many rows came below while the list was scrolled up: "12 new"; "" for none. */
    newText: "",
    /** Whether the first rows are late, or there is no connection. */
    waiting: false,
    /** The end of the bars' shared axis, as text. */
    scaleText: "",
    /** The totals of the selected rows; empty for fewer than two. */
    summary: Object.freeze([]) as readonly SummaryItem[],
    selectedCount: 0,
    get compareText(): string {
      return this.selectedCount === 2 ? "Compare" : "What is different here?";
    },
    /** The same totals for assistive technology. */
    summaryAnnouncement: "",
    /** Shown if nothing is captured; `null` if something is captured, or if that is not known yet. */
    firstSteps: null as FirstSteps | null,
    /** Whether the latest change that can be undone is that the session was cleared. */
    isCleared: false,
    hasHub: deps.openHub !== null,
    hubTargets: HUB_TARGETS,
    markChoices: MARK_CHOICES,

    init(): void {
      // The greatest number. It can exceed the row count, because numbers go on over sessions.
      let last = 0;
      let status: ValueSubscription<"status"> | null = null;
      list = new TrafficList({
        deps,
        shown: () => arrangement.shown,
        arrived: () => {
          const { records, query } = list;
          const { state } = records;
          this.waiting = records.isDisconnected;
          showFooter();
          this.filtered = query.filter !== "";
          for (const { id } of records.rows()) last = Math.max(last, id);
          this.digits = digitsFor(Math.max(last, state.total));
          arrangement.follow(query.sort, this.digits);
          deps.showMatches(matchesOf(records));
          showFirstSteps();
        },
        missed: (count) => {
          this.newText = count === 0 ? "" : `${countText(count)} new`;
        },
        draw: (frame) => {
          this.frame = frame;
        },
        scaled: (text) => {
          this.scaleText = text;
        },
        selectionChanged: (selected) => summary.select(selected, list.answeredQuery),
      });
      const showFooter = (): void => {
        const { hiddenHosts = [], showHiddenHosts = false } = status?.value?.settings ?? {};
        this.footer = footerOf(list.records, list.query.filter, hiddenHosts.length > 0 && !showHiddenHosts);
      };
      status = windows.value({ view: "status" }, () => {
        showFooter();
        showFirstSteps();
      });
      const showFirstSteps = (): void => {
        const known: Status | undefined = status?.value;
        const { answered, problem, state } = list.records;
        const empty = answered && problem === null && state.total === 0;
        this.firstSteps = empty && known !== undefined ? firstStepsOf(known) : null;
      };
      const showCleared = (): void => {
        this.isCleared = deps.undo.latest?.clears === true;
      };
      showCleared();
      const template = new RowTemplate(this.$refs["row"] as HTMLTemplateElement);
      let cells: ReadonlySet<ColumnName> | null = null;
      arrangement = new Arrangement(
        selection,
        this.$root,
        list.query.sort,
        this.digits,
        ({ headers, layout, narrowed, shown }) => {
          this.headers = headers;
          this.layout = layout;
          this.narrowed = narrowed;
          if (shown === cells) return;
          const isFirst = cells === null;
          cells = shown;
          template.show(shown);
          // On the first call, there are no rows to update yet.
          if (!isFirst) list.refresh();
        },
      );
      const summary = new SelectionSummary(windows, (items, announcement) => {
        this.summary = items;
        // Without totals there is one row or none, or the totals are awaited.
        const picked = items.length === 0 ? null : summary.rows;
        if (picked !== selection.now.picked) selection.set({ picked });
        this.selectedCount = summary.count;
        this.summaryAnnouncement = announcement;
      });
      actions = new RowActions({ deps, list, selectedRows: () => summary.rows });
      list.attach(this.$refs);
      let opened = selection.now.exchange;
      let chosen = selection.now.active;
      if (opened !== null) list.show(opened);
      const waiting = setTimeout(() => {
        this.waiting = !list.records.answered;
        if (this.waiting && this.footer === "") this.footer = "Loading.";
      }, LONG_MS);
      const tick = setInterval(() => list.refresh(), TICK_MS);
      ending.push(
        () => clearTimeout(waiting),
        () => clearInterval(tick),
        () => status?.close(),
        () => list.close(),
        () => summary.close(),
        () => arrangement.close(),
        deps.undo.onOffer(showCleared),
        selection.watch(({ filter, exchange, trafficSort, finding, active }) => {
          if (finding !== highlighted) list.refresh();
          highlighted = finding;
          const isSorted = trafficSort === sortText;
          const sort = isSorted ? list.query.sort : sortOf(trafficSort);
          sortText = trafficSort;
          arrangement.follow(sort, this.digits);
          const isFiltered = filter !== list.query.filter;
          if (isFiltered || !isSorted) list.restart({ filter, sort });
          // Scrolls to the exchange after the filter has changed, and after the exchange was opened, even if its row is
          // active already.
          if (exchange !== null && (isFiltered || exchange !== list.active || exchange !== opened)) list.show(exchange);
          else if (active !== null && active !== chosen && active !== list.active) list.show(active);
          opened = exchange;
          chosen = active;
        }),
      );
    },

    destroy(): void {
      for (const end of ending.splice(0)) end();
      deps.showMatches(null);
      selection.set({ picked: null, active: null });
    },

    onHeaderClick(event: MouseEvent): void {
      const column = arrangement.sortColumnAt(event);
      if (column === null) return;
      const { sort } = list.query;
      const descending = sort.column === column && !sort.descending;
      selection.set({ trafficSort: sortTextOf({ column, descending }) });
    },

    onHeaderPress(event: PointerEvent): void {
      arrangement.startDrag(event, (left) => {
        this.drop = left === null ? NO_DROP : Object.freeze({ display: "block", left: `${left}px` });
      });
    },

    onHeaderKey(event: KeyboardEvent): void {
      const isEdge = (event.target as Element).matches(".column-edge");
      const moved = arrangement.moveByKey(event);
      if (moved === null) {
        arrangement.resizeByKey(event);
        return;
      }
      deps.announce(moved.announcement);
      // A microtask runs before the next key, and after Alpine has put the headers in their new order.
      queueMicrotask(() => {
        const head = this.$root.querySelector(`[data-column="${moved.name}"]`);
        head?.querySelector<HTMLElement>(isEdge ? ".column-edge" : ".sort")?.focus();
      });
    },

    onEdgeReset(event: MouseEvent): void {
      arrangement.resetWidth(event);
    },

    /** Keeps Shift from selecting the page's text. */
    onPress(event: MouseEvent): void {
      if (!event.shiftKey) return;
      event.preventDefault();
      this.$refs["list"]?.focus();
    },

    onClick(event: MouseEvent): void {
      const slot = slotAt(event, this.frame);
      const record = slot === null ? null : list.recordAt(slot.index);
      if (slot === null || record === null) return;
      if (list.click(slot.index, event)) {
        if (selection.now.exchange !== null) selection.set({ exchange: record.id, active: record.id });
        return;
      }
      list.activate(record.id);
      selection.set({ exchange: record.id, active: record.id });
    },

    onKey(event: KeyboardEvent): void {
      list.onKey(event);
      actions.onKey(event, this.frame);
    },

    onMenu(event: MouseEvent): void {
      event.preventDefault();
      const isHead = (event.target as Element).closest(".list-head") !== null;
      if (isHead) document.querySelector<HTMLElement>("#column-menu")?.showPopover();
      else actions.openMenu(event, this.frame);
    },

    openHub(target: string | null): void {
      deps.openHub?.(target);
    },

    showLatest(): void {
      list.toEnd();
      focusList();
    },

    clearSelection(): void {
      list.clearSelection();
      this.$refs["list"]?.focus();
    },

    markSelected(choice: Mark | null): void {
      actions.markSelected(choice);
    },

    compareSelected(): void {
      actions.compareSelected(this.selectedCount);
    },

    deleteSelected(): void {
      actions.deleteSelected(this.frame);
      this.$refs["list"]?.focus();
    },

    clearFilter(): void {
      selection.set({ filter: "" });
      focusList();
    },

    copyCommand(): void {
      if (this.firstSteps !== null) void deps.copy(this.firstSteps.command, "Command copied.");
    },
  });
}

/** The slot of the row where the event happened; `null` if it was outside the rows. */
function slotAt({ target }: Event, { slots }: ListFrame<TrafficRow>): Slot<TrafficRow> | null {
  const row = target instanceof Element ? target.closest(".list-row") : null;
  return slots.find(({ id }) => id === row?.id) ?? null;
}

/** Width in px of row numbers up to `last`: digits, and a comma for every three. */
function digitsFor(last: number): number {
  const digits = String(last).length;
  return Math.max(32, digits * 8 + Math.floor((digits - 1) / 3) * 5);
}
