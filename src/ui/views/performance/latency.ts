import type { LatencyColumn, LatencyRecord } from "../../../engine/messages/latency-messages.ts";
import type { Range } from "../../../engine/messages/list-messages.ts";
import type { Endpoint } from "../../../engine/model/endpoint.ts";
import { countPhrase } from "../../format/count.ts";
import { EMPTY_FRAME, type ListFrame, type Slot } from "../../parts/list-frame.ts";
import { VirtualList } from "../../parts/virtual-list.ts";
import type { ListSubscription, QueryOf } from "../../state/windows.ts";
import type { ViewDependencies } from "../dependencies.ts";
import type { View } from "../mounted.ts";
import { type LatencyHead, latencyHeadsOf } from "./latency-heads.ts";
import { type CollectingRow, collectingRowOf, type LatencyRow, latencyRowOf } from "./latency-rows.ts";
import { type Decade, decadesOf, type SpreadAxis, spreadAxisOf } from "./spread.ts";

const ROW_HEIGHT = 28;
/** Rows asked for before the list has been measured. */
const FIRST: Range = { from: 0, count: 60 };
/** Collecting endpoints listed at most; the foot tells how many there are. Our choice. */
const MOST_COLLECTING = 200;

interface LatencyTable {
  heads: readonly LatencyHead[];
  frame: ListFrame<LatencyRow>;
  decades: readonly Decade[];
  /** Which empty state stands in place of rows. */
  empty: "" | "nothing" | "collecting" | "filtered" | "refused";
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
  let query: QueryOf<"latency"> = {
    view: "latency",
    filter: selection.now.filter,
    sort: { column: "p95", descending: true },
    range: FIRST,
  };
  let endpoints: ListSubscription<"latency">;
  let collecting: ListSubscription<"collecting">;
  let list: VirtualList<LatencyRow>;
  let axis: SpreadAxis | null = null;
  let rows = new WeakMap<LatencyRecord, LatencyRow>();
  let unwatch = (): void => {};

  const statsAt = (index: number): LatencyRecord | null => endpoints.rows()[index - endpoints.state.from] ?? null;
  const indexOf = (key: string | number): number | null => {
    const index = endpoints.state.keys.indexOf(key);
    return index < 0 ? null : index + endpoints.state.from;
  };
  const ask = (change: Partial<QueryOf<"latency">>): void => {
    query = { ...query, ...change };
    endpoints.update(query);
  };
  const select = (key: string | number | null): void => {
    if (key !== null) selection.set({ endpoint: key as Endpoint, exchange: null });
  };
  const rowOf = (stats: LatencyRecord): LatencyRow => {
    const row = rows.get(stats) ?? latencyRowOf(stats, axis);
    rows.set(stats, row);
    return row;
  };

  return {
    heads: latencyHeadsOf(query.sort),
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
        if (!endpoints.answered || !collecting.answered) return;
        const empty = emptiness();
        if (empty === "collecting" && this.empty !== empty && !this.collectingOpen) this.toggleCollecting();
        this.empty = empty;
      };
      const emptiness = (): typeof this.empty => {
        if (endpoints.state.matched > 0) return "";
        if (endpoints.problem !== null) return "refused";
        if (endpoints.state.total > 0) return "filtered";
        return collecting.state.total > 0 ? "collecting" : "nothing";
      };
      const draw = (): void => {
        const wider = spreadAxisOf(endpoints.rows(), axis);
        if (wider?.low !== axis?.low || wider?.high !== axis?.high) {
          axis = wider;
          rows = new WeakMap();
          this.decades = axis === null ? [] : decadesOf(axis);
        }
        list.update(endpoints.state.matched);
        showMatches({ ...endpoints.state, problem: endpoints.problem });
        this.problem = endpoints.problem ?? "";
        tell();
      };
      endpoints = windows.list<"latency">(query, draw);
      collecting = windows.list<"collecting">(collectingQuery(query.filter, false), tell);
      list = new VirtualList<LatencyRow>({
        name: "endpoint",
        rowHeight: ROW_HEIGHT,
        headHeight: ROW_HEIGHT,
        follows: () => false,
        rowAt: (index) => {
          const stats = statsAt(index);
          return stats === null ? null : rowOf(stats);
        },
        keyAt: (index) => statsAt(index)?.endpoint ?? null,
        indexOf,
        wanted: (range) => ask({ range }),
        arrived: () => endpoints.answered && endpoints.problem === null,
        draw: (frame) => {
          this.frame = frame;
        },
        moved: (_index, key) => {
          if (selection.now.endpoint !== null) select(key);
        },
        opened: (_index, key) => select(key),
      });
      const { list: scroller, space, window } = this.$refs;
      if (scroller === undefined || space === undefined || window === undefined) throw new Error("no list to fill");
      list.attach(scroller, space, window);
      list.activate(selection.now.endpoint);
      // The panel that opens below may cover the row it is about.
      const reveal = (endpoint: Endpoint): void => {
        const index = indexOf(endpoint);
        if (index !== null) list.reveal(index);
      };
      let shown = selection.now.endpoint;
      unwatch = selection.watch(({ filter, endpoint }) => {
        if (endpoint !== null && endpoint !== shown) {
          list.activate(endpoint);
          this.$nextTick(() => reveal(endpoint));
        }
        shown = endpoint;
        if (filter === query.filter) return;
        axis = null;
        ask({ filter });
        collecting.update(collectingQuery(filter, this.collectingOpen));
        list.reset();
      });
    },

    destroy() {
      unwatch();
      list.detach();
      endpoints.close();
      collecting.close();
      showMatches(null);
    },

    sortBy(column) {
      if (column === null) return;
      const descending = column === query.sort.column ? !query.sort.descending : column !== "endpoint";
      ask({ sort: { column, descending } });
      this.heads = latencyHeadsOf(query.sort);
      list.reset();
    },

    open({ row }) {
      if (row === null) return;
      list.activate(row.key);
      select(row.key);
    },

    toggleCollecting() {
      this.collectingOpen = !this.collectingOpen;
      collecting.update(collectingQuery(query.filter, this.collectingOpen));
    },

    openTraffic() {
      selection.set({ view: "traffic" });
    },

    clearFilter() {
      selection.set({ filter: "" });
    },

    onKey(event) {
      list.onKey(event);
    },
  };
}

function collectingQuery(filter: string, listed: boolean): QueryOf<"collecting"> {
  return { view: "collecting", filter, range: { from: 0, count: listed ? MOST_COLLECTING : 0 } };
}
