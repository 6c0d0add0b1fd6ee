import type { Endpoint } from "../../../engine/model/endpoint.ts";
import { countText } from "../../format/count.ts";
import { saveFile } from "../../parts/save-file.ts";
import type { PerformanceTab as Tab } from "../../state/selection.ts";
import type { ValueSubscription } from "../../state/windows.ts";
import type { ViewDependencies } from "../dependencies.ts";
import type { View } from "../mounted.ts";
import { chainsTab } from "./chains.ts";
import { endpointPanel } from "./endpoint-panel.ts";
import { type FigureRow, figuresOf } from "./figures.ts";
import { groupingDialog } from "./grouping.ts";
import { offerText } from "./grouping-rows.ts";
import { latencyTable } from "./latency.ts";
import { payloadTable } from "./payload.ts";
import { payloadPanel } from "./payload-panel.ts";
import { slowRequests } from "./slow.ts";
import { trendsTable } from "./trends.ts";

const TABS: readonly Tab[] = ["latency", "slow", "payload", "chains", "trends"];

/** The figures' elapsed time is read off this often. */
const TICK_MS = 1_000;

interface PerformanceView {
  tab: Tab;
  figures: readonly FigureRow[];
  slowCount: string;
  panelOpen: boolean;
  exportOpen: boolean;
  groupingOpen: boolean;
  /** "312 paths look like 9 templates"; "" = nothing to group. */
  groupingOffer: string;
  init(): void;
  destroy(): void;
  show(tab: Tab): void;
  showSlowOf(endpoint: Endpoint | null): void;
  onTabKey(event: KeyboardEvent): void;
  openGrouping(): void;
  closeExport(): void;
  saveTable(format: "csv" | "md" | "json"): void;
  latencyTable(): ReturnType<typeof latencyTable>;
  slowRequests(): ReturnType<typeof slowRequests>;
  payloadTable(): ReturnType<typeof payloadTable>;
  payloadPanel(): ReturnType<typeof payloadPanel>;
  chainsTab(): ReturnType<typeof chainsTab>;
  trendsTable(): ReturnType<typeof trendsTable>;
  endpointPanel(): ReturnType<typeof endpointPanel>;
  groupingDialog(): ReturnType<typeof groupingDialog>;
}

/** The Performance view: the four figures, its tabs and the export of their tables. */
export function performanceView(deps: ViewDependencies): View<PerformanceView> {
  let summary: ValueSubscription<"summary"> | null = null;
  let grouping: ValueSubscription<"grouping"> | null = null;
  let ticking: ReturnType<typeof setInterval> | undefined;
  let unwatch = (): void => {};
  /** What the tab of slow requests is narrowed to when it is mounted. */
  let narrowed: Endpoint | null = null;
  let focus = (_tab: Tab): void => {};

  return {
    tab: deps.selection.now.performanceTab,
    figures: Object.freeze([]),
    slowCount: "",
    panelOpen: isPanelOpen(deps),
    exportOpen: false,
    groupingOpen: false,
    groupingOffer: "",

    init() {
      focus = (tab) => this.$refs[`${tab}Tab`]?.focus();
      const draw = (): void => {
        if (summary?.value === undefined) return;
        this.figures = figuresOf(summary.value, summary.value.sessionEnd ?? deps.now());
        this.slowCount = countText(summary.value.slow);
      };
      summary = deps.windows.value({ view: "summary" }, draw);
      grouping = deps.windows.value({ view: "grouping" }, () => {
        if (grouping?.value !== undefined) this.groupingOffer = offerText(grouping.value);
      });
      ticking = setInterval(draw, TICK_MS);
      unwatch = deps.selection.watch(({ performanceTab }) => {
        this.tab = performanceTab;
        this.panelOpen = isPanelOpen(deps);
      });
    },

    destroy() {
      clearInterval(ticking);
      unwatch();
      summary?.close();
      grouping?.close();
    },

    show(tab) {
      narrowed = null;
      deps.selection.set({ performanceTab: tab });
    },

    showSlowOf(endpoint) {
      this.show("slow");
      narrowed = endpoint;
      focus("slow");
    },

    onTabKey(event) {
      const step = { ArrowRight: 1, ArrowLeft: TABS.length - 1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      this.show(TABS[(TABS.indexOf(this.tab) + step) % TABS.length] ?? "latency");
      focus(this.tab);
    },

    openGrouping() {
      this.groupingOpen = true;
      const { grouping: dialog } = this.$refs;
      if (dialog instanceof HTMLDialogElement) dialog.showModal();
    },

    closeExport() {
      this.exportOpen = false;
    },

    saveTable(format) {
      this.exportOpen = false;
      const { filter } = deps.selection.now;
      deps.downloads.start({ type: "export", format, table: this.tab, redact: true, filter }, (report) => {
        if (report.kind === "failed") deps.announce(report.problem);
        if (report.kind !== "done") return;
        saveFile(report.file, report.fileName);
        deps.announce(`Saved as ${report.fileName}.`);
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
  };
}

/** The inspector takes the panel's place. */
function isPanelOpen({ selection }: ViewDependencies): boolean {
  return selection.now.endpoint !== null && selection.now.exchange === null;
}
