import { SHOWN_FIRST } from "../../../../engine/insights/findings/ranking.ts";
import type { FindingExchange } from "../../../../engine/messages/finding-messages.ts";
import type { TimeRange } from "../../../../engine/messages/timeline-messages.ts";
import { endpointAt } from "../../../../engine/model/endpoint.ts";
import type { ExchangeId, Instant } from "../../../../engine/model/units.ts";
import { countPhrase } from "../../../format/count.ts";
import { holdInPlace } from "../../../parts/hold-in-place.ts";
import { moveAmong } from "../../../parts/menu-keys.ts";
import type { ValueSubscription } from "../../../state/subscription-store.ts";
import { endpointSubject, positionAt } from "../../context-menu.ts";
import type { ViewDependencies } from "../../dependencies.ts";
import { type ExperimentButton, experimentVerdictOf } from "../../experiment-wish.ts";
import { PANEL_HEIGHT } from "../../panel-height.ts";
import { reuseIfEqual, reuseRows } from "../../reuse-rows.ts";
import { view } from "../../view.ts";
import {
  type EmptyTexts,
  emptyOf,
  type FindingExchangeRow,
  type FindingPanel,
  type FindingRow,
  findingPanelOf,
  findingRowsOf,
  type HeadTexts,
  headOf,
  progressText,
} from "./finding-rows.ts";

import { StepWhatIf, type WhatIfTexts } from "./step-what-if.ts";
import {
  type LoadRow,
  type LoadTexts,
  loadTextsOf,
  type SlowestRow,
  type WhereTexts,
  whereTextsOf,
} from "./where-rows.ts";

/** Margin before and after the exchanges of a finding in the timeline, as a share of the time that they span. */
const MARGIN = 0.03;
/** The least margin, in ms. */
const LEAST_MARGIN = 20;

/**
 * The tab Findings: causes of lost time and bytes, the largest first. The other views highlight the exchanges of the
 * opened finding.
 */
export function findingsTab(
  { windows, selection, commands, copy, announce, showMatches, openExperiment, openMenu }: ViewDependencies,
  showCount: (count: number | null) => void,
) {
  let state: ValueSubscription<"findings">;
  let detail: ValueSubscription<"finding"> | null = null;
  let status: ValueSubscription<"status">;
  let unwatch = (): void => {};
  let redraw = (): void => {};
  let asking: StepWhatIf | null = null;
  /** Whether the opened finding is still to be scrolled to, once its row and its panel are drawn. */
  let isRevealing = false;
  /** The first exchanges of the open runs of a page load's steps. */
  const openedRuns = new Set<ExchangeId>();

  const copyMarkdown = async (key: string | null, done: string): Promise<void> => {
    const reply = await commands.send({ type: "copy-findings", key });
    if (reply.ok) await copy(String(reply.value), done);
    else announce(reply.problem);
  };

  return view({
    ...PANEL_HEIGHT,
    rows: Object.freeze([]) as readonly FindingRow[],
    /** Whether the findings after the first ones are shown, too. */
    isWhole: false,
    /** "7 more findings"; "" if all are shown. */
    more: "",
    head: null as HeadTexts | null,
    where: null as WhereTexts | null,
    load: null as LoadTexts | null,
    /** What the load gains if a step, or each of a run, takes another time; `null` if there is no load. */
    whatIf: null as WhatIfTexts | null,
    /** What the latest experiment on the step's endpoint found; "" if there was none. */
    verdict: "",
    /**
     * Key of the step or run that the user chose, or of which the user changed the time; "": the costliest is shown.
     */
    chosenStep: "",
    /** The start of the page load that the user chose; `null`: the longest is shown. */
    chosenLoad: null as Instant | null,
    /** Key of the finding whose panel is open; "" if none is. */
    opened: "",
    panel: null as FindingPanel | null,
    progress: "",
    empty: null as EmptyTexts | null,
    /** Whether the inspector is open and takes the panel's place. */
    inspecting: selection.now.exchange !== null,
    /** Whether a filter is set. */
    filtered: selection.now.filter !== "",

    init(): void {
      const draw = (): void => {
        this.$nextTick(holdInPlace(this.$refs["list"]));
        const { problem } = state;
        // Where the time went is above the findings, so that it would move them.
        const value = state.value?.where === null ? { ...state.value, found: null } : state.value;
        // A refused filter is not applied.
        this.filtered = problem === null && selection.now.filter !== "";
        const { matched = 0, total = 0 } = value?.found ?? {};
        showMatches(value?.found == null && problem === null ? null : { matched, total, problem });
        this.empty = reuseIfEqual(this.empty, emptyOf(value, problem));
        if (value === undefined) return;
        const { where, found } = value;
        const rows = found === null ? Object.freeze([]) : findingRowsOf(found);
        // A finding may have been opened from another view.
        this.isWhole ||= rows.findIndex(({ key }) => key === this.opened) >= SHOWN_FIRST;
        this.rows = reuseRows(this.rows, this.isWhole ? rows : rows.slice(0, SHOWN_FIRST));
        const hidden = rows.length - this.rows.length;
        this.more = hidden === 0 ? "" : countPhrase(hidden, "more finding", "more findings");
        this.head = found === null ? null : headOf(found);
        this.where = where === null ? null : reuseIfEqual(this.where, whereTextsOf(where));
        this.drawLoad();
        this.progress = progressText(value);
        reveal();
        showCount(found?.matched ?? null);
      };
      redraw = draw;
      const reveal = (): void => {
        if (!isRevealing || this.panel === null || !this.rows.some(({ key }) => key === this.opened)) return;
        isRevealing = false;
        this.$nextTick(() => this.$root.querySelector(".finding-item.is-open")?.scrollIntoView({ block: "nearest" }));
      };
      const tell = (): void => {
        const { endpoint = null } = this.whatIf?.experiment?.wish ?? {};
        this.verdict = experimentVerdictOf(endpoint, status.value?.experiment ?? null);
      };
      asking = new StepWhatIf(windows, (texts) => {
        this.$nextTick(holdInPlace(this.$refs["list"]));
        this.whatIf = reuseIfEqual(this.whatIf, texts);
        tell();
      });
      const drawPanel = (): void => {
        const { value, problem } = detail ?? {};
        if (value === undefined && problem == null) return;
        this.panel = value == null ? null : reuseIfEqual(this.panel, findingPanelOf(value));
        // The finding no longer exists. Unlike `close`, this does not move the focus.
        if (value == null) return selection.set({ finding: null });
        reveal();
        const { key, exchanges } = value.finding;
        const before = [...(selection.now.finding?.exchanges ?? [])];
        const title = titleOf(findingPanelOf(value));
        if (before.join() !== exchanges.join())
          selection.set({ finding: { key, title, exchanges: new Set(exchanges) } });
      };
      const follow = (key: string): void => {
        if (key === this.opened) return;
        this.opened = key;
        isRevealing = key !== "";
        detail?.close();
        detail = key === "" ? null : windows.value({ view: "finding", key }, drawPanel);
        if (key === "") this.panel = null;
      };
      state = windows.value({ view: "findings", filter: selection.now.filter }, draw);
      status = windows.value({ view: "status" }, tell);
      follow(selection.now.finding?.key ?? "");
      unwatch = selection.watch(({ filter, finding, exchange }) => {
        this.inspecting = exchange !== null;
        this.filtered = filter !== "";
        state.update({ view: "findings", filter });
        follow(finding?.key ?? "");
      });
    },

    showAll(): void {
      this.isWhole = true;
      redraw();
      announce("All findings are shown.");
    },

    destroy(): void {
      unwatch();
      showMatches(null);
      state.close();
      status.close();
      detail?.close();
      asking?.close();
    },

    open(row: FindingRow): void {
      const { key } = row;
      const finding = this.opened === key ? null : { key, title: titleOf(row), exchanges: new Set<never>() };
      selection.set({ finding, exchange: null, endpoint: null });
    },

    /** Opens the menu of the endpoint that the finding names. */
    onMenu(event: MouseEvent, { key }: FindingRow): void {
      const endpoint = state.value?.found?.findings.find((each) => each.key === key)?.endpoint ?? null;
      if (endpoint === null) return;
      event.preventDefault();
      const { method, origin, path, operation } = endpoint;
      openMenu({ ...endpointSubject(endpointAt(method, origin, path, operation)), ...positionAt(event) });
    },

    close(): void {
      this.$root.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus();
      selection.set({ finding: null });
    },

    drawLoad(): void {
      const where = state.value?.where?.where;
      // A longer load does not take the place of the one under the mouse.
      const isRead = this.$refs["list"]?.querySelector('[aria-label="Page load"]:hover') != null;
      const chosen = this.chosenLoad ?? (isRead ? (this.load?.start ?? null) : null);
      this.load = where === undefined ? null : reuseIfEqual(this.load, loadTextsOf(where, chosen, openedRuns));
      const { steps = [], costliest = null } = this.load ?? {};
      const step = steps.find(({ key }) => key === this.chosenStep) ?? costliest;
      if (step !== null) return asking?.choose(step);
      asking?.close();
      this.whatIf = null;
    },

    /** Opens a run of steps, or closes it, and chooses it. */
    toggleRun({ run, key }: LoadRow): void {
      if (run === null) return;
      if (!openedRuns.delete(run)) openedRuns.add(run);
      this.chosenStep = key;
      this.drawLoad();
    },

    chooseStep(row: LoadRow): void {
      this.chosenStep = row.key;
      asking?.choose(row);
    },

    setTime(text: string): void {
      this.chosenStep = this.whatIf?.key ?? "";
      asking?.setTime(text);
    },

    showLoad(): void {
      const load = this.$root.querySelector<HTMLElement>('[aria-label="Page load"]');
      load?.scrollIntoView();
      load?.focus({ preventScroll: true });
    },

    turnTo(start: Instant | null): void {
      if (start === null) return;
      this.chosenLoad = start;
      this.drawLoad();
    },

    openSlowest({ key }: SlowestRow): void {
      selection.set({ view: "traffic", filter: "", exchange: key, inspectorTab: "timing" });
    },

    openStep(): void {
      if (this.whatIf === null || this.load === null) return;
      const { exchange } = this.whatIf;
      selection.set({ view: "timeline", filter: "", between: this.load.between, exchange, inspectorTab: "timing" });
    },

    /** Opens the dialog for the open finding, or for the step of the page load. */
    experiment({ wish }: ExperimentButton): void {
      if (wish !== null) openExperiment(wish);
    },

    onListKey(event: KeyboardEvent): void {
      moveAmong(event, [...this.$root.querySelectorAll<HTMLElement>("[data-finding]")]);
    },

    /** Moves the focus within the slowest requests, or within the steps of a page load. */
    onRowsKey(event: KeyboardEvent): void {
      const list = event.currentTarget as HTMLElement;
      moveAmong(event, [...list.querySelectorAll<HTMLElement>("[data-where]")]);
      if (event.defaultPrevented) event.stopPropagation();
    },

    showInTraffic(): void {
      // Clears the filter, because it could hide exchanges of the finding.
      const exchange = this.panel?.exchanges[0]?.key ?? null;
      selection.set({ view: "traffic", filter: "", exchange });
    },

    filterTraffic(): void {
      selection.set({ view: "traffic", filter: this.panel?.attributeFilter ?? "", exchange: null });
    },

    /** The clearest exchange is opened, so that the critical path is that of its page load. */
    showInTimeline(): void {
      const exchanges = detail?.value?.exchanges ?? [];
      const exchange = exchanges[0]?.id ?? null;
      selection.set({ view: "timeline", filter: "", between: rangeOf(exchanges), exchange });
    },

    openExchange({ key }: FindingExchangeRow): void {
      selection.set({ exchange: key, inspectorTab: "timing" });
    },

    copyAll(): Promise<void> {
      return copyMarkdown(null, "All findings copied as Markdown.");
    },

    copyOne(): Promise<void> {
      return copyMarkdown(this.opened, "Finding copied as Markdown.");
    },
  });
}

/** "N+1 requests, GET /stock". */
function titleOf({ name, method, what }: Pick<FindingRow, "name" | "method" | "what">): string {
  return `${name}, ${method === "" ? what : `${method} ${what}`}`;
}

/** The time range from the first start to the last end, with a margin; `null` if there are no exchanges. */
function rangeOf(exchanges: readonly FindingExchange[]): TimeRange | null {
  if (exchanges.length === 0) return null;
  const from = Math.min(...exchanges.map(({ start }) => start));
  const to = Math.max(...exchanges.map(({ end }) => end));
  const margin = Math.max(LEAST_MARGIN, MARGIN * (to - from));
  return { from: (from - margin) as Instant, to: (to + margin) as Instant };
}
