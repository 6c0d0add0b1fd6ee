import type { LatencyColumn } from "../../../../engine/messages/latency-messages.ts";
import type { Endpoint } from "../../../../engine/model/endpoint.ts";
import { countPhrase } from "../../../format/count.ts";
import { EMPTY_FRAME, type ListFrame, type Slot } from "../../../parts/list/list-frame.ts";
import { focusList } from "../../../parts/view-focus.ts";
import type { ListSubscription, QueryOf, ValueSubscription } from "../../../state/subscription-store.ts";
import { sortAfter, sortIn, sortTextOf } from "../../column-headers.ts";
import { openEndpointMenu } from "../../context-menu.ts";
import type { ViewDependencies } from "../../dependencies.ts";
import { isUnanswered, matchesOf } from "../../list-now.ts";
import { view } from "../../mounted.ts";
import { RecordList } from "../../record-list.ts";
import { scopeText } from "../scope-text.ts";
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

const ROW_HEIGHT = 28;
/** The default order: the endpoint in which most time was spent comes first. */
const BY_TOTAL = Object.freeze({ column: "totalLatency", descending: true } as const);
/**
 * The most endpoints with too few requests that are listed below the table; the button counts all of them.
 */
const MOST_COLLECTING = 200;

/** The table of endpoints with at least 5 requests, and the list of endpoints with fewer. */
export function latencyTable({ windows, selection, showMatches, openMenu }: ViewDependencies) {
  let list: RecordList<"latency", LatencyRow>;
  let collecting: ListSubscription<"collecting">;
  let baseline: ValueSubscription<"baseline">;
  let axis: LatencyAxis | null = null;
  let unwatch = (): void => {};
  const select = (key: string | number): void => selection.set({ endpoint: key as Endpoint, exchange: null });

  const sortNow = () => sortIn(selection.now.tableSort, latencyHeadersOf(BY_TOTAL), BY_TOTAL);

  return view({
    headers: latencyHeadersOf(sortNow()),
    frame: EMPTY_FRAME as ListFrame<LatencyRow>,
    decades: Object.freeze([]) as readonly Decade[],
    /** Which empty state is shown in place of rows. */
    empty: "" as "" | "nothing" | "collecting" | "filtered" | "unanswered",
    /** Why the filter was refused; "" if it was accepted. */
    problem: "",
    collecting: Object.freeze([]) as readonly CollectingRow[],
    collectingText: "",
    /** Whether the endpoints with too few requests are listed. */
    collectingOpen: false,
    /** Explains greyed p99 values and missing trends. */
    note: noteOf(""),
    /** The text of `scopeText`. */
    scope: scopeText(selection.now.filter),

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
      list = new RecordList<"latency", LatencyRow>({
        windows,
        name: "endpoint",
        rowHeight: ROW_HEIGHT,
        headHeight: ROW_HEIGHT,
        query: {
          view: "latency",
          filter: selection.now.filter,
          sort: sortNow(),
          range: { from: 0, count: 60 },
        },
        keyOf: ({ endpoint }) => endpoint,
        rowOf: (stats) => latencyRowOf(stats, axis),
        arrived: ({ problem }) => {
          suitAxis();
          showMatches(matchesOf(list.records));
          this.problem = problem ?? "";
          tell();
        },
        draw: (frame) => {
          this.frame = frame;
        },
        moved: (key) => {
          if (selection.now.endpoint !== null) select(key);
        },
        opened: select,
      });
      collecting = windows.list<"collecting">(collectingQuery(selection.now.filter), tell);
      baseline = windows.value({ view: "baseline" }, () => {
        this.note = noteOf(baseline.value === undefined ? "" : recordedText(baseline.value));
      });
      list.attach(this.$refs);
      list.activate(selection.now.endpoint);
      let shown = selection.now.endpoint;
      unwatch = selection.watch(({ filter, endpoint }) => {
        this.scope = scopeText(filter);
        const sort = sortNow();
        if (sortTextOf(sort) !== sortTextOf(list.query.sort)) {
          list.restart({ sort });
          this.headers = latencyHeadersOf(sort);
        }
        if (endpoint !== null && endpoint !== shown) {
          list.activate(endpoint);
          // The panel opens below and may cover the row, so the row is scrolled into view.
          this.$nextTick(() => list.reveal(endpoint));
        }
        shown = endpoint;
        if (filter === list.query.filter) return;
        axis = null;
        list.restart({ filter });
        collecting.update(collectingQuery(filter));
      });
    },

    destroy(): void {
      unwatch();
      list.close();
      collecting.close();
      baseline.close();
      showMatches(null);
    },

    sortBy(column: LatencyColumn | null): void {
      if (column === null) return;
      selection.set({ tableSort: sortTextOf(sortAfter(list.query.sort, column, ["endpoint"])) });
    },

    open({ row }: Slot<LatencyRow>): void {
      if (row === null) return;
      list.activate(row.key);
      select(row.key);
    },

    openTraffic(): void {
      selection.set({ view: "traffic" });
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

function collectingQuery(filter: string): QueryOf<"collecting"> {
  return { view: "collecting", filter, range: { from: 0, count: MOST_COLLECTING } };
}
