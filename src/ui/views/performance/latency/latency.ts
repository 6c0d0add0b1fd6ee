import type { LatencyColumn } from "../../../../engine/messages/latency-messages.ts";
import type { Endpoint } from "../../../../engine/model/endpoint.ts";
import { countPhrase } from "../../../format/count.ts";
import type { ListSubscription, QueryOf, ValueSubscription } from "../../../state/subscription-store.ts";
import type { ViewDependencies } from "../../dependencies.ts";
import { isUnanswered } from "../../list-now.ts";
import type { RecordList } from "../../record-list.ts";
import { view } from "../../view.ts";
import { endpointTable } from "../endpoint-table.ts";
import { recordedText } from "../trends/trend-rows.ts";
import { type Decade, decadesOf, type LatencyAxis, latencyAxisOf } from "./latency-range.ts";
import {
  type CollectingRow,
  collectingRowOf,
  type LatencyRow,
  latencyHeadersOf,
  latencyRowOf,
  noteOf,
} from "./latency-rows.ts";

/** The most endpoints with too few requests that are listed below the table; the button counts all of them. */
const MOST_COLLECTING = 200;

/** The table of endpoints with at least 5 requests, and the list of endpoints with fewer. */
export function latencyTable(deps: ViewDependencies) {
  const { windows, selection } = deps;
  let axis: LatencyAxis | null = null;
  const table = endpointTable<"latency", LatencyColumn, LatencyRow>(deps, {
    name: "endpoint",
    queryOf: (scope) => ({ view: "latency", ...scope }),
    // The endpoint in which most time was spent comes first.
    sort: { column: "totalLatency", descending: true },
    headersOf: latencyHeadersOf,
    rowOf: (stats) => latencyRowOf(stats, axis),
    keyOf: (endpoint) => endpoint,
    endpointOf: (key) => key as Endpoint,
  });
  let list: RecordList<"latency", LatencyRow>;
  let collecting: ListSubscription<"collecting">;
  let baseline: ValueSubscription<"baseline">;
  let unwatch = (): void => {};

  return view({
    ...table.members,
    decades: Object.freeze([]) as readonly Decade[],
    /** Which empty state is shown in place of rows. */
    empty: "" as "" | "nothing" | "collecting" | "filtered" | "unanswered",
    collecting: Object.freeze([]) as readonly CollectingRow[],
    collectingText: "",
    /** Whether the endpoints with too few requests are listed. */
    collectingOpen: false,
    /** Explains greyed p99 values and missing trends. */
    note: noteOf(""),

    init(): void {
      const tell = (): void => {
        const { matched } = collecting.state;
        this.collecting = Object.freeze(collecting.rows().map(collectingRowOf));
        this.collectingText = `${countPhrase(matched, "endpoint", "endpoints")} with fewer than 5 requests`;
        if (isUnanswered(list.records)) this.empty = "unanswered";
        if (!list.records.answered || !collecting.answered) return;
        this.empty = emptiness();
      };
      const emptiness = (): typeof this.empty => {
        const { state, problem } = list.records;
        if (state.matched > 0) return "";
        if (problem !== null || state.total > 0) return "filtered";
        return collecting.state.total > 0 ? "collecting" : "nothing";
      };
      const suitAxis = (): void => {
        const wider = latencyAxisOf(list.records.rows(), axis);
        if (wider?.low === axis?.low && wider?.high === axis?.high) return;
        axis = wider;
        this.decades = axis === null ? [] : decadesOf(axis);
        list.reshape();
      };
      list = table.attach(this, () => {
        suitAxis();
        tell();
      });
      let { filter } = selection.now;
      collecting = windows.list<"collecting">(collectingQuery(filter), tell);
      baseline = windows.value({ view: "baseline" }, () => {
        this.note = noteOf(baseline.value === undefined ? "" : recordedText(baseline.value));
      });
      unwatch = selection.watch((now) => {
        if (now.filter === filter) return;
        filter = now.filter;
        axis = null;
        collecting.update(collectingQuery(filter));
      });
    },

    destroy(): void {
      unwatch();
      table.close();
      collecting.close();
      baseline.close();
    },

    openTraffic(): void {
      selection.set({ view: "traffic" });
    },
  });
}

function collectingQuery(filter: string): QueryOf<"collecting"> {
  return { view: "collecting", filter, range: { from: 0, count: MOST_COLLECTING } };
}
