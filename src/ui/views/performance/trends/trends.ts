import { overallText } from "../../../../engine/insights/comparison-text.ts";
import type { TrendColumn } from "../../../../engine/messages/trend-messages.ts";
import type { Endpoint } from "../../../../engine/model/endpoint.ts";
import type { TrendMetric } from "../../../../engine/model/trend.ts";
import { COMPARE } from "../../../state/selection.ts";
import type { ValueSubscription } from "../../../state/subscription-store.ts";
import type { ViewDependencies } from "../../dependencies.ts";
import { isUnanswered } from "../../list-now.ts";
import type { RecordList } from "../../record-list.ts";
import { view } from "../../view.ts";
import { endpointTable } from "../endpoint-table.ts";
import {
  comparedNames,
  comparedText,
  METRICS,
  recordedText,
  type TrendRow,
  trendHeadsOf,
  trendRowOf,
} from "./trend-rows.ts";

/** The tab Trends: each endpoint compared with the median of the latest sessions. */
export function trendsTable(deps: ViewDependencies) {
  const { windows, selection } = deps;
  const metricNow = (): TrendMetric =>
    METRICS.find(({ metric }) => metric === selection.now.opened)?.metric ?? "latency";
  const table = endpointTable<"trends", TrendColumn, TrendRow>(deps, {
    name: "trend",
    queryOf: (scope) => ({ view: "trends", metric: metricNow(), direction: "all", ...scope }),
    sort: { column: "change", descending: true },
    headersOf: (sort) => trendHeadsOf(sort, metricNow()),
    rowOf: trendRowOf,
    keyOf: (endpoint) => `${metricNow()} ${endpoint}`,
    endpointOf: (key) => key.slice(key.indexOf(" ") + 1) as Endpoint,
  });
  let list: RecordList<"trends", TrendRow>;
  let baseline: ValueSubscription<"baseline">;
  let unwatch = (): void => {};

  return view({
    ...table.members,
    metrics: METRICS,
    metric: metricNow(),
    empty: "" as "" | "too-few" | "none" | "filtered" | "unanswered",
    /** The text of `recordedText`. */
    recorded: "",
    compared: "",
    /** Whether the session is slower than its baseline, in one sentence; "" if not known. */
    answer: "",
    comparedNames: "",

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
      list = table.attach(this, () => {
        this.empty = emptiness();
      });
      unwatch = selection.watch(() => {
        const metric = metricNow();
        if (metric === this.metric) return;
        this.metric = metric;
        this.headers = trendHeadsOf(list.query.sort, metric);
        list.restart({ metric });
      });
    },

    destroy(): void {
      unwatch();
      table.close();
      baseline.close();
    },

    choose(metric: TrendMetric): void {
      selection.set({ opened: metric === "latency" ? null : metric });
    },

    compare(): void {
      selection.set({ view: "sessions", exchange: null, opened: COMPARE });
    },

    openSessions(): void {
      selection.set({ view: "sessions", exchange: null });
    },
  });
}
