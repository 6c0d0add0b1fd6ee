import type { SlowCause } from "../../../../engine/messages/latency-messages.ts";
import { type Endpoint, partsOf } from "../../../../engine/model/endpoint.ts";
import { PHASES } from "../../../../engine/model/phases.ts";
import { countText } from "../../../format/count.ts";
import { durationText } from "../../../format/duration.ts";
import { withOperation } from "../../../format/endpoint.ts";
import { PHASE_KINDS, PHASE_NAMES } from "../../../format/phases.ts";
import { focusList } from "../../../parts/view-focus.ts";
import type { ListSubscription, QueryOf, ValueSubscription } from "../../../state/subscription-store.ts";
import type { ViewDependencies } from "../../dependencies.ts";
import { withTerm } from "../../filter-term.ts";
import { isCounted, isPending, isUnanswered, matchesOf } from "../../list-now.ts";
import { view } from "../../view.ts";
import { slowGroups } from "./slow-groups.ts";
import { slowList } from "./slow-list.ts";
import { SlowScope } from "./slow-scope.ts";

const CAUSES: readonly { readonly cause: SlowCause; readonly label: string; readonly title?: string }[] = [
  { cause: "all", label: "All" },
  { cause: "server", label: "Server" },
  { cause: "transfer", label: "Transfer" },
  { cause: "connection", label: "Connection" },
  { cause: "weir", label: "Weir" },
  { cause: "none", label: "Unknown", title: "The phases are unknown, or too uncertain to say which took the time" },
];

const LEGEND = Object.freeze(
  PHASES.map((phase) => Object.freeze({ kind: PHASE_KINDS[phase], name: PHASE_NAMES[phase] })),
);

/** `count`: the number of slow requests with the cause; "" until known. */
type CauseChoice = (typeof CAUSES)[number] & { readonly count: string };

type Emptiness = "" | "nothing" | "filtered" | "refused" | "unanswered";

/** "causes": a row for each endpoint, with its causes. "requests": a row for each request. */
type SlowMode = "causes" | "requests";

/** The tab Slow: requests by cause, or one by one. Limited to `narrowed` when it opens; `null`: all endpoints. */
export function slowRequests(deps: ViewDependencies, narrowed: Endpoint | null) {
  const { windows, selection, showMatches } = deps;
  const scope = new SlowScope({ filter: selection.now.filter, cause: "all", endpoint: narrowed, group: null });
  /** One subscription for each of CAUSES, for its count; no rows are requested. */
  let counts: readonly ListSubscription<"slow">[] = [];
  let status: ValueSubscription<"status">;
  let unwatch = (): void => {};
  let draw = (): void => {};
  let showEvery: Parameters<typeof slowGroups>[2] = () => {};

  const countQuery = (cause: SlowCause) =>
    ({ view: "slow", ...scope.now, cause, range: { from: 0, count: 0 } }) satisfies QueryOf<"slow">;

  return view({
    legend: LEGEND,
    causes: CAUSES.map((each) => ({ ...each, count: "" })) as readonly CauseChoice[],
    cause: "all" as SlowCause,
    filter: selection.now.filter,
    mode: modeIn(selection.now.opened),
    /** What the lists are limited to, "GET /v1/products"; "" if they are not limited. */
    narrowedText: narrowed === null ? "" : endpointText(narrowed),
    limitText: "",
    /** The fixed threshold, "800 ms"; "" if there is none. */
    threshold: "",
    /** Whether only requests over the fixed threshold are shown, in this tab alone. */
    isOverOnly: false,
    empty: "" as Emptiness,
    problem: "",

    init(): void {
      draw = () => {
        this.causes = Object.freeze(
          CAUSES.map((each, index) => Object.freeze({ ...each, count: countOf(counts[index]) })),
        );
        const shown = counts[CAUSES.findIndex(({ cause }) => cause === this.cause)];
        if (shown === undefined) return;
        if (!isPending(shown)) showMatches(matchesOf(shown));
        this.problem = shown.problem ?? "";
        this.empty = emptinessOf(shown);
      };
      counts = CAUSES.map(({ cause }) => windows.list<"slow">(countQuery(cause), draw));
      status = windows.value({ view: "status" }, () => {
        const limit = status.value?.settings.fixedThreshold ?? null;
        this.threshold = limit === null ? "" : `${durationText(limit)} ms`;
        if (limit === null) this.isOverOnly = false;
        this.applyFilter();
        this.limitText = limit === null ? "Add a fixed threshold" : `Also slow: over ${this.threshold}`;
      });
      const ends = [
        scope.watch(() => {
          for (const [index, { cause }] of CAUSES.entries()) counts[index]?.update(countQuery(cause));
        }),
        selection.watch(({ filter, opened }) => {
          this.mode = modeIn(opened);
          this.filter = filter;
          this.applyFilter();
        }),
      ];
      unwatch = () => {
        for (const end of ends) end();
      };
      showEvery = ({ endpoint, group, scope: text }) => {
        this.narrowedText = text;
        selection.set({ opened: "requests" });
        scope.set({ endpoint, group });
      };
    },

    destroy(): void {
      unwatch();
      for (const subscription of [...counts, status]) subscription.close();
      showMatches(null);
    },

    choose(cause: SlowCause): void {
      this.cause = cause;
      scope.set({ cause });
      // Redraws here: the counts do not depend on the cause, so no answer arrives that would redraw.
      draw();
    },

    show(mode: SlowMode): void {
      selection.set({ opened: mode === "requests" ? mode : null });
      // The list by cause has all causes of its endpoints, so a limit to one cause is removed.
      if (mode === "causes" && scope.now.group !== null) this.widen();
    },

    widen(): void {
      this.narrowedText = "";
      scope.set({ endpoint: null, group: null });
      this.$root.querySelector<HTMLElement>('[tabindex="0"]:is([role="grid"], [role="region"])')?.focus();
    },

    openSettings(): void {
      selection.set({ view: "settings", exchange: null });
      // Runs after the view is rendered.
      requestAnimationFrame(() => document.getElementById("fixed-threshold")?.focus());
    },

    limitToThreshold(on: boolean): void {
      this.isOverOnly = on;
      this.applyFilter();
    },

    applyFilter(): void {
      const limit = status.value?.settings.fixedThreshold ?? null;
      const filter = this.isOverOnly && limit !== null ? withTerm(this.filter, `dur>${limit}`) : this.filter;
      if (filter !== scope.now.filter) scope.set({ filter });
    },

    showFailed(): void {
      selection.set({ view: "traffic", filter: "error: dur>1s", exchange: null });
    },

    clearFilter(): void {
      selection.set({ filter: "" });
      focusList();
    },

    slowList: () => slowList(deps, scope),
    slowGroups: () => slowGroups(deps, scope, (opening) => showEvery(opening)),
  });
}

function modeIn(opened: string | null): SlowMode {
  return opened === "requests" ? "requests" : "causes";
}

function emptinessOf(list: ListSubscription<"slow">): Emptiness {
  const { state, problem, answered } = list;
  if (isUnanswered(list)) return "unanswered";
  if (!answered || state.matched > 0) return "";
  if (problem !== null) return "refused";
  return state.total > 0 ? "filtered" : "nothing";
}

function endpointText(endpoint: Endpoint): string {
  const { method, path, operation } = partsOf(endpoint);
  return `${method} ${withOperation(path, operation)}`;
}

/** The number of matching requests as text; "" until known. */
function countOf(list: ListSubscription<"slow"> | undefined): string {
  return list !== undefined && isCounted(list) ? countText(list.state.matched) : "";
}
