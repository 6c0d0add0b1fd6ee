import type { SlowCause } from "../../../engine/messages/latency-messages.ts";
import type { Range } from "../../../engine/messages/list-messages.ts";
import { type Endpoint, partsOf } from "../../../engine/model/endpoint.ts";
import { PHASES } from "../../../engine/model/phases.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { countText } from "../../format/count.ts";
import { durationText } from "../../format/duration.ts";
import { PHASE_NAMES } from "../../format/phases.ts";
import { EMPTY_FRAME, type ListFrame, type Slot } from "../../parts/list-frame.ts";
import { focusList } from "../../parts/view-focus.ts";
import type { ListSubscription, QueryOf, ValueSubscription } from "../../state/windows.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { isUnanswered, matchesOf } from "../list-now.ts";
import type { View } from "../mounted.ts";
import { ShownList } from "../shown-list.ts";
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
const NONE: Range = { from: 0, count: 0 };

interface SlowRequests {
  readonly legend: typeof LEGEND;
  causes: readonly { readonly cause: SlowCause; readonly label: string; readonly count: string }[];
  cause: SlowCause;
  /** The endpoint that the list is narrowed to, "GET /v1/products"; "" = all. */
  narrowedText: string;
  limitText: string;
  frame: ListFrame<SlowRow>;
  empty: "" | "nothing" | "filtered" | "refused" | "unanswered";
  problem: string;
  init(): void;
  destroy(): void;
  choose(cause: SlowCause): void;
  widen(): void;
  open(slot: Slot<SlowRow>): void;
  openSettings(): void;
  showFailed(): void;
  clearFilter(): void;
  onKey(event: KeyboardEvent): void;
}

/** Slow requests as sentences, most over a threshold first; at first of one endpoint where `narrowed` names one. */
export function slowRequests(
  { windows, selection, showMatches }: ViewDependencies,
  narrowed: Endpoint | null,
): View<SlowRequests> {
  let list: ShownList<"slow", SlowRow>;
  /** One for each of CAUSES: their counts, without rows. */
  let counts: readonly ListSubscription<"slow">[] = [];
  let status: ValueSubscription<"status">;
  let unwatch = (): void => {};

  const countQuery = (cause: SlowCause): QueryOf<"slow"> => ({ ...list.query, cause, range: NONE });
  const restart = (change: Partial<QueryOf<"slow">>): void => {
    list.restart(change);
    for (const [index, { cause }] of CAUSES.entries()) counts[index]?.update(countQuery(cause));
  };
  const openTiming = (key: string | number): void =>
    selection.set({ exchange: key as ExchangeId, inspectorTab: "timing" });

  return {
    legend: LEGEND,
    causes: CAUSES.map((each) => ({ ...each, count: "" })),
    cause: "all",
    narrowedText: narrowed === null ? "" : endpointText(narrowed),
    limitText: "",
    frame: EMPTY_FRAME,
    empty: "",
    problem: "",

    init() {
      const emptiness = (): typeof this.empty => {
        const { state, problem, answered } = list.records;
        if (isUnanswered(list.records)) return "unanswered";
        if (!answered || state.matched > 0) return "";
        if (problem !== null) return "refused";
        return state.total > 0 ? "filtered" : "nothing";
      };
      const drawCounts = (): void => {
        this.causes = Object.freeze(
          CAUSES.map((each, index) => Object.freeze({ ...each, count: countOf(counts[index]) })),
        );
      };
      list = new ShownList<"slow", SlowRow>({
        windows,
        name: "slow",
        rowHeight: ROW_HEIGHT,
        headHeight: HEAD_HEIGHT,
        query: {
          view: "slow",
          filter: selection.now.filter,
          cause: "all",
          endpoint: narrowed,
          range: { from: 0, count: 40 },
        },
        keyOf: ({ id }) => id,
        rowOf: slowRowOf,
        arrived: ({ problem }) => {
          showMatches(matchesOf(list.records));
          this.problem = problem ?? "";
          this.empty = emptiness();
        },
        draw: (frame) => {
          this.frame = frame;
        },
        moved: (key) => {
          if (selection.now.exchange !== null) openTiming(key);
        },
        opened: openTiming,
      });
      counts = CAUSES.map(({ cause }) => windows.list<"slow">(countQuery(cause), drawCounts));
      status = windows.value({ view: "status" }, () => {
        const limit = status.value?.settings.fixedThreshold ?? null;
        this.limitText = limit === null ? "Set a fixed limit" : `Limit ${durationText(limit)} ms`;
      });
      list.attach(this.$refs);
      list.activate(selection.now.exchange);
      unwatch = selection.watch(({ filter, exchange }) => {
        if (exchange !== null) list.activate(exchange);
        if (filter !== list.query.filter) restart({ filter });
      });
    },

    destroy() {
      unwatch();
      list.close();
      for (const subscription of [...counts, status]) subscription.close();
      showMatches(null);
    },

    choose(cause) {
      this.cause = cause;
      restart({ cause });
    },

    widen() {
      this.narrowedText = "";
      restart({ endpoint: null });
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

    showFailed() {
      selection.set({ view: "traffic", filter: "error: dur>1s", exchange: null });
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

function endpointText(endpoint: Endpoint): string {
  const { method, path } = partsOf(endpoint);
  return `${method} ${path}`;
}

/** Nothing before there is an answer: 0 would be one. */
function countOf(list: ListSubscription<"slow"> | undefined): string {
  if (list === undefined || isUnanswered(list)) return "";
  return countText(list.state.matched);
}
