import type { LatencyColumn } from "../../../engine/messages/latency-messages.ts";
import type { Endpoint } from "../../../engine/model/endpoint.ts";
import { countPhrase } from "../../format/count.ts";
import { EMPTY_FRAME, type ListFrame, type Slot } from "../../parts/list-frame.ts";
import { focusList } from "../../parts/view-focus.ts";
import type { ListSubscription, QueryOf } from "../../state/windows.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { isUnanswered, matchesOf } from "../list-now.ts";
import type { View } from "../mounted.ts";
import { ShownList } from "../shown-list.ts";
import { sortAfter } from "../table-heads.ts";
import { type LatencyHead, latencyHeadsOf } from "./latency-heads.ts";
import { type CollectingRow, collectingRowOf, type LatencyRow, latencyRowOf } from "./latency-rows.ts";
import { type Decade, decadesOf, type SpreadAxis, spreadAxisOf } from "./spread.ts";

const ROW_HEIGHT = 28;
/** Collecting endpoints listed at most; the foot tells how many there are. Our choice. */
const MOST_COLLECTING = 200;

interface LatencyTable {
  heads: readonly LatencyHead[];
  frame: ListFrame<LatencyRow>;
  decades: readonly Decade[];
  /** Which empty state stands in place of rows. */
  empty: "" | "nothing" | "collecting" | "filtered" | "refused" | "unanswered";
  /** Why the filter is refused; "" = it is not. */
  problem: string;
  collecting: readonly CollectingRow[];
  collectingText: string;
  collectingOpen: boolean;
  init(): void;
  destroy(): void;
  sortBy(column: LatencyColumn | null): void;
  open(slot: Slot<LatencyRow>): void;
  toggleCollecting(): void;
  openTraffic(): void;
  clearFilter(): void;
  onKey(event: KeyboardEvent): void;
}

/** The table of endpoints with at least 5 requests, and what is still collecting. */
export function latencyTable({ windows, selection, showMatches }: ViewDependencies): View<LatencyTable> {
  let list: ShownList<"latency", LatencyRow>;
  let collecting: ListSubscription<"collecting">;
  let axis: SpreadAxis | null = null;
  let unwatch = (): void => {};
  const select = (key: string | number): void => selection.set({ endpoint: key as Endpoint, exchange: null });

  return {
    heads: latencyHeadsOf({ column: "p95", descending: true }),
    frame: EMPTY_FRAME,
    decades: Object.freeze([]),
    empty: "",
    problem: "",
    collecting: Object.freeze([]),
    collectingText: "",
    collectingOpen: false,

    init() {
      const tell = (): void => {
        const { matched } = collecting.state;
        this.collecting = Object.freeze(collecting.rows().map(collectingRowOf));
        this.collectingText = `${countPhrase(matched, "endpoint", "endpoints")} still collecting, fewer than 5 requests each`;
        if (matched === 0) {
          this.collectingText = "";
          this.collectingOpen = false;
        }
        if (isUnanswered(list.records)) this.empty = "unanswered";
        if (!list.records.answered || !collecting.answered) return;
        const empty = emptiness();
        if (empty === "collecting" && this.empty !== empty && !this.collectingOpen) this.toggleCollecting();
        this.empty = empty;
      };
      const emptiness = (): typeof this.empty => {
        const { state, problem } = list.records;
        if (state.matched > 0) return "";
        if (problem !== null) return "refused";
        if (state.total > 0) return "filtered";
        return collecting.state.total > 0 ? "collecting" : "nothing";
      };
      const suitAxis = (): void => {
        const wider = spreadAxisOf(list.records.rows(), axis);
        if (wider?.low === axis?.low && wider?.high === axis?.high) return;
        axis = wider;
        this.decades = axis === null ? [] : decadesOf(axis);
        list.reshape();
      };
      list = new ShownList<"latency", LatencyRow>({
        windows,
        name: "endpoint",
        rowHeight: ROW_HEIGHT,
        headHeight: ROW_HEIGHT,
        query: {
          view: "latency",
          filter: selection.now.filter,
          sort: { column: "p95", descending: true },
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
      collecting = windows.list<"collecting">(collectingQuery(selection.now.filter, false), tell);
      list.attach(this.$refs);
      list.activate(selection.now.endpoint);
      let shown = selection.now.endpoint;
      unwatch = selection.watch(({ filter, endpoint }) => {
        if (endpoint !== null && endpoint !== shown) {
          list.activate(endpoint);
          // The panel that opens below may cover the row it is about.
          this.$nextTick(() => list.reveal(endpoint));
        }
        shown = endpoint;
        if (filter === list.query.filter) return;
        axis = null;
        list.restart({ filter });
        collecting.update(collectingQuery(filter, this.collectingOpen));
      });
    },

    destroy() {
      unwatch();
      list.close();
      collecting.close();
      showMatches(null);
    },

    sortBy(column) {
      if (column === null) return;
      const sort = sortAfter(list.query.sort, column, ["endpoint"]);
      list.restart({ sort });
      this.heads = latencyHeadsOf(sort);
    },

    open({ row }) {
      if (row === null) return;
      list.activate(row.key);
      select(row.key);
    },

    toggleCollecting() {
      this.collectingOpen = !this.collectingOpen;
      collecting.update(collectingQuery(list.query.filter, this.collectingOpen));
    },

    openTraffic() {
      selection.set({ view: "traffic" });
    },

    clearFilter() {
      selection.set({ filter: "" });
      focusList();
    },

    onKey(event) {
      list.onKey(event);
    },
  };
}

function collectingQuery(filter: string, listed: boolean): QueryOf<"collecting"> {
  return { view: "collecting", filter, range: { from: 0, count: listed ? MOST_COLLECTING : 0 } };
}
