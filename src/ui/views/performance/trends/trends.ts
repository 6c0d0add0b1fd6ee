import { overallText } from "../../../../engine/insights/comparison-text.ts";
import type { TrendColumn } from "../../../../engine/messages/trend-messages.ts";
import type { TrendMetric } from "../../../../engine/model/findings.ts";
import { EMPTY_FRAME, type ListFrame, type Slot } from "../../../parts/list/list-frame.ts";
import { focusList } from "../../../parts/view-focus.ts";
import type { ValueSubscription } from "../../../state/subscription-store.ts";
import { sortAfter, sortIn, sortTextOf } from "../../column-headers.ts";
import { openEndpointMenu } from "../../context-menu.ts";
import type { ViewDependencies } from "../../dependencies.ts";
import { isUnanswered, matchesOf } from "../../list-now.ts";
import { view } from "../../mounted.ts";
import { RecordList } from "../../record-list.ts";
import { scopeText } from "../scope-text.ts";
import {
  comparedNames,
  comparedText,
  METRICS,
  recordedText,
  type TrendRow,
  trendHeadsOf,
  trendRowOf,
} from "./trend-rows.ts";

const ROW_HEIGHT = 28;

const BY_CHANGE = { column: "change", descending: true } as const;

function metricIn(opened: string | null): TrendMetric {
  return METRICS.find(({ metric }) => metric === opened)?.metric ?? "latency";
}

/** The tab Trends: each endpoint compared with the median of the latest sessions. */
export function trendsTable({ windows, selection, showMatches, openMenu }: ViewDependencies) {
  let list: RecordList<"trends", TrendRow>;
  let baseline: ValueSubscription<"baseline">;
  let unwatch = (): void => {};
  const select = (row: TrendRow | null): void => {
    if (row !== null) selection.set({ endpoint: row.endpoint, exchange: null });
  };

  const sortNow = () => sortIn(selection.now.tableSort, trendHeadsOf(BY_CHANGE, "latency"), BY_CHANGE);

  return view({
    metrics: METRICS,
    metric: metricIn(selection.now.opened),
    heads: trendHeadsOf(sortNow(), metricIn(selection.now.opened)),
    frame: EMPTY_FRAME as ListFrame<TrendRow>,
    empty: "" as "" | "too-few" | "none" | "filtered" | "unanswered",
    problem: "",
    /** The text of `recordedText`. */
    recorded: "",
    compared: "",
    /** Whether the session is slower than its baseline, in one sentence; "" if not known. */
    answer: "",
    /** The names of the baseline sessions. */
    comparedNames: "",
    /** The text of `scopeText`. */
    scope: scopeText(selection.now.filter),

    init(): void {
      const emptiness = (): typeof this.empty => {
        const { state, problem, answered } = list.records;
        if (isUnanswered(list.records)) return "unanswered";
        if (!answered || state.matched > 0) return "";
        if (this.recorded !== "") return "too-few";
        return state.total === 0 && problem === null ? "none" : "filtered";
      };
      baseline = windows.value({ view: "baseline" }, () => {
        if (baseline.value === undefined) return;
        this.recorded = recordedText(baseline.value);
        this.compared = comparedText(baseline.value);
        this.answer = baseline.value.overall === null ? "" : overallText(baseline.value.overall);
        this.comparedNames = this.compared === "" ? "" : comparedNames(baseline.value);
        this.empty = emptiness();
      });
      const rowOfSlot = (key: string | number): TrendRow | null =>
        this.frame.slots.find(({ row }) => row?.key === key)?.row ?? null;
      list = new RecordList<"trends", TrendRow>({
        windows,
        name: "trend",
        rowHeight: ROW_HEIGHT,
        headHeight: ROW_HEIGHT,
        query: {
          view: "trends",
          filter: selection.now.filter,
          metric: this.metric,
          direction: "all",
          sort: sortNow(),
          range: { from: 0, count: 60 },
        },
        keyOf: ({ key }) => key,
        rowOf: trendRowOf,
        arrived: ({ problem }) => {
          showMatches(matchesOf(list.records));
          this.problem = problem ?? "";
          this.empty = emptiness();
        },
        draw: (frame) => {
          this.frame = frame;
        },
        moved: (key) => {
          if (selection.now.endpoint !== null) select(rowOfSlot(key));
        },
        opened: (key) => select(rowOfSlot(key)),
      });
      list.attach(this.$refs);
      unwatch = selection.watch(({ filter, opened }) => {
        this.scope = scopeText(filter);
        const [sort, metric] = [sortNow(), metricIn(opened)];
        if (sortTextOf(sort) !== sortTextOf(list.query.sort) || metric !== this.metric) {
          this.metric = metric;
          this.heads = trendHeadsOf(sort, metric);
          list.restart({ sort, metric });
        }
        if (filter !== list.query.filter) list.restart({ filter });
      });
    },

    destroy(): void {
      unwatch();
      list.close();
      baseline.close();
      showMatches(null);
    },

    choose(metric: TrendMetric): void {
      selection.set({ opened: metric === "latency" ? null : metric });
    },

    sortBy(column: TrendColumn | null): void {
      if (column === null) return;
      selection.set({ tableSort: sortTextOf(sortAfter(list.query.sort, column, ["endpoint"])) });
    },

    open({ row }: Slot<TrendRow>): void {
      if (row === null) return;
      list.activate(row.key);
      select(row);
    },

    compare(): void {
      selection.set({ view: "sessions", exchange: null });
    },

    clearFilter(): void {
      selection.set({ filter: "" });
      focusList();
    },

    onKey(event: KeyboardEvent): void {
      list.onKey(event);
    },

    onMenu(event: MouseEvent): void {
      openEndpointMenu({ openMenu }, event, this.frame.slots);
    },
  });
}
