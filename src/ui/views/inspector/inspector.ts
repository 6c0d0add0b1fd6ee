import type { ExchangeDetail } from "../../../engine/messages/exchange-messages.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { type ResizeOptions, resizeByKey, startResize } from "../../parts/resize.ts";
import type { InspectorTab } from "../../state/selection.ts";
import type { ValueSubscription } from "../../state/subscription-store.ts";
import { addAuthority } from "../add-authority.ts";
import { exchangeSubject, positionAt, positionBelow, valueSubject } from "../context-menu.ts";
import type { MenuValue, ViewDependencies } from "../dependencies.ts";
import { copyExchange } from "../exchange-actions.ts";
import { type FindingLink, findingLinksOf, openFinding } from "../finding-links.ts";
import { acceptUnverified, letThrough } from "../let-through.ts";
import { reuseRows } from "../reuse-rows.ts";
import { view } from "../view.ts";
import { tlsAbsenceOf } from "./absence.ts";
import { type FactGroup, type Note, noteOf, overviewOf, type Subject, subjectOf, tlsOf } from "./facts.ts";
import { followHiddenHeight } from "./hidden-height.ts";
import { followModelCall, type ModelFact } from "./model-facts.ts";
import { followOpened } from "./opened-exchange.ts";
import { type Timing, timingOf } from "./timing.ts";

export interface Tab {
  readonly tab: InspectorTab;
  readonly label: string;
}

const TABS: readonly Tab[] = [
  { tab: "overview", label: "Overview" },
  { tab: "request", label: "Request" },
  { tab: "response", label: "Response" },
  { tab: "timing", label: "Timing" },
  { tab: "messages", label: "Messages" },
  { tab: "tls", label: "TLS" },
];

/** Smallest height of the panel, in px. */
const LEAST = 160;
/** The largest share of the window that the panel takes to fit its content. */
const MOST_GROWN = "56%";

/** The state before the details of an exchange arrive. */
const UNKNOWN = {
  subject: null as Subject | null,
  overview: Object.freeze([]) as readonly FactGroup[],
  /** The findings that include the exchange. */
  findings: Object.freeze([]) as readonly FindingLink[],
  /** Whether the findings came later than the other details, and so are listed last and move nothing. */
  areFindingsLate: false,
  note: null as Note | null,
  timing: null as Timing | null,
  modelFacts: Object.freeze([]) as readonly ModelFact[],
  tls: Object.freeze([]) as readonly FactGroup[],
  tlsAbsence: "",
};

/** The panel for the selected exchange. */
export function inspector(deps: ViewDependencies) {
  const { selection } = deps;
  const ending: (() => void)[] = [];
  let resize: ResizeOptions;
  let shown: ExchangeDetail | null = null;
  /**
   * The height that the content needs, in px. Kept while the panel is open, so that it does not change with each row.
   */
  let grown: number | null = null;
  let status: ValueSubscription<"status"> | null = null;

  return view({
    tab: selection.now.inspectorTab,
    tabs: Object.freeze(TABS.filter(({ tab }) => tab !== "messages")),
    /** Why there are no details, as a sentence; empty if there are details. */
    absence: "",
    ...UNKNOWN,
    explained: false,
    height: heightOf(selection.now.panelHeight, null),
    heightNow: 0,
    beside: selection.now.inspectorBeside !== false,

    init(): void {
      let about: ExchangeId | null = null;
      const showModelCall = followModelCall(deps, (facts) => {
        this.modelFacts = facts;
      });
      const show = (detail: ExchangeDetail): void => {
        const links = findingLinksOf(detail.findings);
        if (about !== detail.exchange.id) this.areFindingsLate = false;
        else if (this.findings.length === 0 && links.length > 0) this.areFindingsLate = true;
        about = detail.exchange.id;
        this.absence = "";
        shown = detail;
        this.subject = subjectOf(detail);
        this.overview = overviewOf(detail);
        this.findings = reuseRows(this.findings, links);
        this.note = noteOf(detail);
        this.timing = timingOf(detail);
        showModelCall(detail);
        this.tls = tlsOf(detail);
        this.tlsAbsence = tlsAbsenceOf(detail);
        const talks = detail.messages > 0 || detail.exchange.tags.includes("websocket");
        this.tabs = Object.freeze(TABS.filter(({ tab }) => tab !== "messages" || talks));
        if (!talks && this.tab === "messages") this.open("overview");
      };
      const showAbsence = (why: string): void => {
        this.absence = why;
        // Details of the same exchange stay visible until its new details arrive.
        if (about === selection.now.exchange) return;
        shown = null;
        Object.assign(this, UNKNOWN);
      };
      resize = {
        edge: "top",
        size: () => this.$root.offsetHeight,
        bounds: () => {
          const left = Number.parseFloat(getComputedStyle(this.$root).getPropertyValue("--left-above"));
          return { least: LEAST, most: Math.max(LEAST, (this.$root.parentElement?.clientHeight ?? 0) - left) };
        },
        resized: (panelHeight) => selection.set({ panelHeight }),
      };
      this.heightNow = this.$root.offsetHeight;
      status = deps.windows.value({ view: "status" }, () => {});
      ending.push(
        () => status?.close(),
        followOpened(deps, show, showAbsence),
        selection.watch((selected) => {
          this.tab = selected.inspectorTab;
          this.beside = selected.inspectorBeside !== false;
          this.height = heightOf(selected.panelHeight, grown);
          if (selected.panelHeight !== null) this.heightNow = selected.panelHeight;
        }),
        followHiddenHeight(this.$root, (lack) => {
          const isLate = this.areFindingsLate && this.tab === "overview";
          if (isLate || selection.now.panelHeight !== null || getComputedStyle(this.$root).gridRowStart !== "auto")
            return;
          grown = Math.max(grown ?? 0, this.$root.offsetHeight + lack);
          this.height = heightOf(null, grown);
          this.$nextTick(() => {
            this.heightNow = this.$root.offsetHeight;
          });
        }),
      );
    },

    destroy(): void {
      for (const end of ending.splice(0)) end();
    },

    /** Moves the panel beside the list, or below it. */
    toggleBeside(): void {
      selection.set({ inspectorBeside: !this.beside });
    },

    open(tab: InspectorTab): void {
      selection.set({ inspectorTab: tab });
    },

    /** ARIA tabs: arrow keys wrap around, and activate the tab that they reach. */
    onTabKey(event: KeyboardEvent): void {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const at = this.tabs.findIndex(({ tab }) => tab === this.tab);
      const next = (at + step + this.tabs.length) % this.tabs.length;
      this.open(this.tabs[next]?.tab ?? "overview");
      // Moves the focus at once, because the next key may be pressed before the page is rendered.
      this.$root.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
    },

    onResize(event: PointerEvent): void {
      startResize(event, resize);
    },

    onResizeKey(event: KeyboardEvent): void {
      resizeByKey(event, resize);
    },

    explain(): void {
      this.explained = !this.explained;
    },

    close(): void {
      selection.set({ exchange: null });
    },

    copyAsCurl(): void {
      if (selection.now.exchange !== null) void copyExchange(deps, selection.now.exchange, "curl");
    },

    passThrough(): void {
      const host = this.note?.host ?? null;
      if (host !== null) void letThrough(deps, status?.value ?? null, host);
    },

    acceptUnverified(): void {
      const host = this.note?.unverified ?? null;
      if (host !== null) void acceptUnverified(deps, status?.value ?? null, host);
    },

    /**
     * Adds the chosen file for the host, and announces the outcome. The field is emptied, so that it can be chosen
     * again.
     */
    async addAuthority(field: HTMLInputElement): Promise<void> {
      const [file] = field.files ?? [];
      const host = this.note?.unverified ?? null;
      if (file === undefined || host === null) return;
      const problem = await addAuthority(deps, status?.value ?? null, host, file);
      field.value = "";
      if (problem !== "") deps.announce(problem);
    },

    openFinding(link: FindingLink): void {
      openFinding(selection, link);
    },

    openMenu(button: HTMLElement): void {
      if (shown !== null) deps.openMenu({ ...exchangeSubject(deps, shown), ...positionBelow(button) });
    },

    /** Opens the menu of a fact that has one, such as a query parameter. */
    openValueMenu(event: MouseEvent, value: MenuValue | null): void {
      if (value === null) return;
      event.preventDefault();
      deps.openMenu({ ...valueSubject(value), ...positionAt(event) });
    },
  });
}

/** The height chosen by the user, else the height that the content needs, limited to a share of the window. */
function heightOf(panelHeight: number | null, grown: number | null): { readonly height?: string } {
  if (panelHeight !== null) return { height: `${panelHeight}px` };
  return grown === null ? {} : { height: `min(${grown}px, ${MOST_GROWN})` };
}
