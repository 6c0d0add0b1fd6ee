import type { SlowCause, SlowRecord } from "../../../engine/messages/latency-messages.ts";
import type { Range } from "../../../engine/messages/list-messages.ts";
import { type Endpoint, partsOf } from "../../../engine/model/endpoint.ts";
import { PHASES } from "../../../engine/model/phases.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { countText } from "../../format/count.ts";
import { durationText } from "../../format/duration.ts";
import { PHASE_NAMES } from "../../format/phases.ts";
import { EMPTY_FRAME, type ListFrame, type Slot } from "../../parts/list-frame.ts";
import { VirtualList } from "../../parts/virtual-list.ts";
import type { ListSubscription, QueryOf, ValueSubscription } from "../../state/windows.ts";
import type { ViewDependencies } from "../dependencies.ts";
import type { View } from "../mounted.ts";
import { PHASE_KINDS } from "./phase-part.ts";
import { type SlowRow, slowRowOf } from "./slow-rows.ts";

const CAUSES: readonly { readonly cause: SlowCause; readonly label: string }[] = [
  { cause: "all", label: "All" },
  { cause: "server", label: "Server" },
  { cause: "transfer", label: "Transfer" },
  { cause: "connection", label: "Connection" },
];

const LEGEND = Object.freeze(
  PHASES.map((phase) => Object.freeze({ kind: PHASE_KINDS[phase], name: PHASE_NAMES[phase] })),
);

const ROW_HEIGHT = 50;
const HEAD_HEIGHT = 28;
const FIRST: Range = { from: 0, count: 40 };
const NONE: Range = { from: 0, count: 0 };

interface SlowRequests {
  readonly legend: typeof LEGEND;
  causes: readonly { readonly cause: SlowCause; readonly label: string; readonly count: string }[];
  cause: SlowCause;
  /** The endpoint that the list is narrowed to, "GET /v1/products"; "" = all. */
  narrowedText: string;
  limitText: string;
  frame: ListFrame<SlowRow>;
  empty: "" | "nothing" | "filtered" | "refused";
  problem: string;
  init(): void;
  destroy(): void;
  choose(cause: SlowCause): void;
  widen(): void;
  open(slot: Slot<SlowRow>): void;
  openSettings(): void;
  clearFilter(): void;
  onKey(event: KeyboardEvent): void;
}

/** Slow requests as sentences, most over a threshold first; at first of one endpoint where `narrowed` names one. */
export function slowRequests(
  { windows, selection, showMatches }: ViewDependencies,
  narrowed: Endpoint | null,
): View<SlowRequests> {
  let query: QueryOf<"slow"> = {
    view: "slow",
    filter: selection.now.filter,
    cause: "all",
    endpoint: narrowed,
    range: FIRST,
  };
  let slow: ListSubscription<"slow">;
  /** One for each of CAUSES: their counts, without rows. */
  let counts: readonly ListSubscription<"slow">[] = [];
  let status: ValueSubscription<"status">;
  let list: VirtualList<SlowRow>;
  let unwatch = (): void => {};
  const rows = new WeakMap<SlowRecord, SlowRow>();

  const recordAt = (index: number): SlowRecord | null => slow.rows()[index - slow.state.from] ?? null;
  const rowOf = (record: SlowRecord): SlowRow => {
    const row = rows.get(record) ?? slowRowOf(record);
    rows.set(record, row);
    return row;
  };
  const countQuery = (cause: SlowCause): QueryOf<"slow"> => ({ ...query, cause, range: NONE });
  const ask = (change: Partial<QueryOf<"slow">>): void => {
    query = { ...query, ...change };
    slow.update(query);
    for (const [index, { cause }] of CAUSES.entries()) counts[index]?.update(countQuery(cause));
  };
  const openTiming = (key: string | number | null): void => {
    if (key !== null) selection.set({ exchange: key as ExchangeId, inspectorTab: "timing" });
  };

  return {
    legend: LEGEND,
    causes: CAUSES.map((each) => ({ ...each, count: "" })),
    cause: query.cause,
    narrowedText: narrowed === null ? "" : endpointText(narrowed),
    limitText: "",
    frame: EMPTY_FRAME,
    empty: "",
    problem: "",

    init() {
      const draw = (): void => {
        list.update(slow.state.matched);
        showMatches({ ...slow.state, problem: slow.problem });
        this.problem = slow.problem ?? "";
        this.empty = emptiness();
      };
      const emptiness = (): typeof this.empty => {
        if (!slow.answered || slow.state.matched > 0) return "";
        if (slow.problem !== null) return "refused";
        return slow.state.total > 0 ? "filtered" : "nothing";
      };
      const drawCounts = (): void => {
        this.causes = Object.freeze(
          CAUSES.map((each, index) => Object.freeze({ ...each, count: countText(counts[index]?.state.matched ?? 0) })),
        );
      };
      slow = windows.list<"slow">(query, draw);
      counts = CAUSES.map(({ cause }) => windows.list<"slow">(countQuery(cause), drawCounts));
      status = windows.value({ view: "status" }, () => {
        const limit = status.value?.settings.fixedThreshold ?? null;
        this.limitText = limit === null ? "Set a fixed limit" : `Limit ${durationText(limit)} ms`;
      });
      list = new VirtualList<SlowRow>({
        name: "slow",
        rowHeight: ROW_HEIGHT,
        headHeight: HEAD_HEIGHT,
        follows: () => false,
        rowAt: (index) => {
          const record = recordAt(index);
          return record === null ? null : rowOf(record);
        },
        keyAt: (index) => recordAt(index)?.id ?? null,
        indexOf: (key) => {
          const index = slow.state.keys.indexOf(key);
          return index < 0 ? null : index + slow.state.from;
        },
        wanted: (range) => ask({ range }),
        arrived: () => slow.answered && slow.problem === null,
        draw: (frame) => {
          this.frame = frame;
        },
        moved: (_index, key) => {
          if (selection.now.exchange !== null) openTiming(key);
        },
        opened: (_index, key) => openTiming(key),
      });
      const { list: scroller, space, window } = this.$refs;
      if (scroller === undefined || space === undefined || window === undefined) throw new Error("no list to fill");
      list.attach(scroller, space, window);
      list.activate(selection.now.exchange);
      unwatch = selection.watch(({ filter, exchange }) => {
        if (exchange !== null) list.activate(exchange);
        if (filter === query.filter) return;
        ask({ filter });
        list.reset();
      });
    },

    destroy() {
      unwatch();
      list.detach();
      for (const subscription of [slow, ...counts, status]) subscription.close();
      showMatches(null);
    },

    choose(cause) {
      this.cause = cause;
      ask({ cause });
      list.reset();
    },

    widen() {
      this.narrowedText = "";
      ask({ endpoint: null });
      list.reset();
      this.$refs["list"]?.focus();
    },

    open({ row }) {
      if (row === null) return;
      list.activate(row.key);
      openTiming(row.key);
    },

    openSettings() {
      selection.set({ view: "settings", exchange: null });
    },

    clearFilter() {
      selection.set({ filter: "" });
    },

    onKey(event) {
      list.onKey(event);
    },
  };
}

function endpointText(endpoint: Endpoint): string {
  const { method, path } = partsOf(endpoint);
  return `${method} ${path}`;
}
