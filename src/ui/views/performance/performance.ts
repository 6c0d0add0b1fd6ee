import { patternOf } from "../../../engine/insights/path-templates.ts";
import { type Endpoint, partsOf } from "../../../engine/model/endpoint.ts";
import { countText } from "../../format/count.ts";
import { PERFORMANCE_TABS, type Selected, type PerformanceTab as Tab } from "../../state/selection.ts";
import type { ListSubscription, QueryOf, ValueSubscription } from "../../state/subscription-store.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { view } from "../view.ts";
import { chainsTab } from "./chains/chains.ts";
import { endpointPanel } from "./endpoint-panel.ts";
import { type FigureRow, figuresOf } from "./figures.ts";
import { findingsTab } from "./findings/findings.ts";
import { type GroupingTexts, groupedText, groupingActionOf, groupingTextsOf, pooledTextOf } from "./grouping-rows.ts";
import { latencyTable } from "./latency/latency.ts";
import { payloadPanel, payloadTable } from "./payload/payload.ts";
import { slowRequests } from "./slow/slow.ts";
import { trendsTable } from "./trends/trends.ts";

/** Milliseconds between updates of the elapsed time. */
const TICK_MS = 1_000;

/** The number of findings as text, as counted last in this session, with this filter; "" if it is not known. */
export interface CountedFindings {
  session: string | null;
  filter: string;
  findings: string;
}

/** The view Performance: the four figures and the tabs. `counted` outlives the view. */
export function performanceView(deps: ViewDependencies, counted: CountedFindings) {
  let summary: ValueSubscription<"summary"> | null = null;
  /** The figures of the exchanges that match the filter; `null` if there is no filter. */
  let matching: ValueSubscription<"figures"> | null = null;
  /** The count of the slow requests that match the filter, without rows; `null` if there is no filter. */
  let matchingSlow: ListSubscription<"slow"> | null = null;
  /** Asks once for the number of findings, while another tab is open. */
  let counting: ValueSubscription<"findings"> | null = null;
  let ticking: ReturnType<typeof setInterval> | undefined;
  let unwatch = (): void => {};
  /** The endpoint to which the tab Slow is limited when it opens. */
  let narrowed: Endpoint | null = null;
  let focus = (_tab: Tab): void => {};

  return view({
    tab: deps.selection.now.performanceTab,
    figures: Object.freeze([]) as readonly FigureRow[],
    /** The number of slow requests that match the filter, as text; "" until it is known. */
    slowCount: "",
    /** As in `CountedFindings`. */
    findingCount: isCountOf(counted, deps.selection.now) ? counted.findings : "",
    panelOpen: isPanelOpen(deps),
    groupingOpen: false,
    /** The text of `groupedText`: "Grouped: 40 templates". */
    grouped: "",
    isGrouped: true,
    /** The text of `groupingActionOf`. */
    groupingAction: "",
    /** The text of `pooledTextOf`. */
    pooledText: "",
    /** Whether exchanges were captured and none of them counts in the figures. */
    isUncounted: false,
    /** Whether the session is known to have no exchange. */
    isEmpty: false,
    hasHub: deps.openHub !== null,

    init(): void {
      focus = (tab) => this.$refs[`${tab}Tab`]?.focus();
      const draw = (): void => {
        if (summary?.value === undefined) return;
        const figures = matching === null || matching.problem !== null ? null : matching.value;
        this.figures = figuresOf(summary.value, figures ?? null, summary.value.sessionEnd ?? deps.now());
        if (matchingSlow === null || matchingSlow.problem !== null) this.slowCount = countText(summary.value.slow);
        else if (matchingSlow.answered) this.slowCount = countText(matchingSlow.state.matched);
        this.grouped = groupedText(summary.value.templates);
        this.isGrouped = summary.value.templates !== null;
        this.groupingAction = groupingActionOf(summary.value.templates);
        this.pooledText = pooledTextOf(summary.value);
        this.isEmpty = summary.value.exchanges === 0;
        this.isUncounted = summary.value.exchanges > 0 && summary.value.counted === 0;
      };
      summary = deps.windows.value({ view: "summary" }, draw);
      ticking = setInterval(draw, TICK_MS);
      let matched = "";
      const match = (): void => {
        const { filter } = deps.selection.now;
        if (filter === matched) return;
        matched = filter;
        if (filter === "") {
          matching?.close();
          matchingSlow?.close();
          matching = null;
          matchingSlow = null;
        } else if (matching === null || matchingSlow === null) {
          matching = deps.windows.value({ view: "figures", filter }, draw);
          matchingSlow = deps.windows.list<"slow">(slowCountQuery(filter), draw);
        } else {
          matching.update({ view: "figures", filter });
          matchingSlow.update(slowCountQuery(filter));
        }
        draw();
      };
      match();
      const count = ({ session, filter, performanceTab }: Selected): void => {
        const subject = { session, filter };
        if (isCountOf(counted, subject)) return;
        if (counted.session !== session) this.findingCount = "";
        Object.assign(counted, subject);
        counting?.close();
        counting = null;
        // The open tab Findings counts by itself.
        if (performanceTab === "findings") return;
        const asked = deps.windows.value({ view: "findings", filter }, () => {
          const matched = asked.value?.found?.matched;
          if (matched === undefined || asked.problem !== null) return;
          this.findingCount = countText(matched);
          asked.close();
          counting = null;
        });
        counting = asked;
      };
      count(deps.selection.now);
      unwatch = deps.selection.watch((now) => {
        count(now);
        this.tab = now.performanceTab;
        this.panelOpen = isPanelOpen(deps);
        match();
      });
    },

    destroy(): void {
      // While it is asked for, the count is that of the previous filter.
      counted.findings = counting === null ? this.findingCount : "";
      clearInterval(ticking);
      unwatch();
      summary?.close();
      matching?.close();
      matchingSlow?.close();
      counting?.close();
    },

    show(tab: Tab): void {
      narrowed = null;
      deps.selection.set({ performanceTab: tab });
    },

    showSlowOf(endpoint: Endpoint | null): void {
      this.show("slow");
      narrowed = endpoint;
      focus("slow");
    },

    onTabKey(event: KeyboardEvent): void {
      const step = { ArrowRight: 1, ArrowLeft: PERFORMANCE_TABS.length - 1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      this.show(PERFORMANCE_TABS[(PERFORMANCE_TABS.indexOf(this.tab) + step) % PERFORMANCE_TABS.length] ?? "findings");
      focus(this.tab);
    },

    openGrouping(): void {
      this.groupingOpen = true;
      const { grouping: dialog } = this.$refs;
      if (dialog instanceof HTMLDialogElement) dialog.showModal();
    },

    async toggleGrouping(): Promise<void> {
      const value = !this.isGrouped;
      const reply = await deps.commands.send({ type: "set-setting", key: "groupSimilarPaths", value });
      if (reply.ok) deps.selection.set({ endpoint: null });
      deps.announce(reply.ok ? groupingNews(value) : reply.problem);
    },

    openHub(): void {
      deps.openHub?.(null);
    },

    findingsTab(): ReturnType<typeof findingsTab> {
      return findingsTab(deps, (count) => {
        this.findingCount = count === null ? "" : countText(count);
      });
    },
    latencyTable: () => latencyTable(deps),
    slowRequests: () => slowRequests(deps, narrowed),
    payloadTable: () => payloadTable(deps),
    payloadPanel: () => payloadPanel(deps),
    chainsTab: () => chainsTab(deps),
    trendsTable: () => trendsTable(deps),
    endpointPanel: () => endpointPanel(deps),
    groupingDialog: () => groupingDialog(deps),
  });
}

function slowCountQuery(filter: string): QueryOf<"slow"> {
  return { view: "slow", filter, cause: "all", endpoint: null, group: null, range: { from: 0, count: 0 } };
}

function groupingNews(isGrouped: boolean): string {
  return isGrouped ? "Similar paths are grouped." : "Every path is an endpoint of its own.";
}

type Subject = Pick<CountedFindings, "session" | "filter">;

function isCountOf(counted: Subject, now: Subject): boolean {
  return counted.session === now.session && counted.filter === now.filter;
}

/** Whether the panel of the endpoint is visible; an open inspector takes its place. */
function isPanelOpen({ selection }: ViewDependencies): boolean {
  return selection.now.endpoint !== null && selection.now.exchange === null;
}

/** The dialog Grouping: what is grouped, and the user's rules. Subscribed only while the dialog is open. */
function groupingDialog(deps: ViewDependencies) {
  let grouping: ValueSubscription<"grouping">;
  let status: ValueSubscription<"status">;
  const set = async (key: string, value: boolean | readonly string[]): Promise<string> => {
    const reply = await deps.commands.send({ type: "set-setting", key, value });
    if (reply.ok) deps.selection.set({ endpoint: null });
    return reply.ok ? "" : reply.problem;
  };
  return view({
    texts: null as GroupingTexts | null,
    /** The user's rules, in the order in which they apply. */
    rules: Object.freeze([]) as readonly string[],
    rule: "",
    problem: "",

    init(): void {
      const { endpoint } = deps.selection.now;
      const chosen = endpoint === null ? null : partsOf(endpoint);
      if (chosen !== null) this.rule = patternOf(chosen.origin, chosen.path);
      grouping = deps.windows.value({ view: "grouping" }, () => {
        this.texts = grouping.value === undefined ? null : groupingTextsOf(grouping.value);
        this.problem = grouping.problem ?? "";
      });
      status = deps.windows.value({ view: "status" }, () => {
        this.rules = status.value?.settings.pathRules ?? [];
      });
    },

    destroy(): void {
      grouping.close();
      status.close();
    },

    async toggle(): Promise<void> {
      const value = this.texts?.on !== true;
      this.problem = await set("groupSimilarPaths", value);
      if (this.problem === "")
        deps.announce(value ? "Similar paths are grouped." : "Every path is an endpoint of its own.");
    },

    async addRule(rule: string): Promise<void> {
      const added = rule.trim();
      this.problem = await set("pathRules", [added, ...this.rules.filter((one) => one !== added)]);
      if (this.problem !== "") return;
      this.rule = "";
      deps.announce(`Rule added: ${added}`);
    },

    async removeRule(rule: string): Promise<void> {
      this.problem = await set(
        "pathRules",
        this.rules.filter((one) => one !== rule),
      );
      if (this.problem === "") deps.announce(`Rule removed: ${rule}`);
    },

    close(): void {
      this.$root.closest("dialog")?.close();
    },
  });
}
