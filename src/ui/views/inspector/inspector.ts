import type { ExchangeDetail } from "../../../engine/messages/exchange-messages.ts";
import type { Mark } from "../../../engine/model/remark.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { requestAddress } from "../../format/request-address.ts";
import { type ResizeOptions, resizeByKey, startResize } from "../../parts/resize.ts";
import type { InspectorTab } from "../../state/selection.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { copyExchange, markExchanges } from "../exchange-actions.ts";
import type { View } from "../mounted.ts";
import { tlsAbsenceOf } from "./absence.ts";
import { type FactGroup, overviewOf, type Subject, subjectOf, tlsOf } from "./facts.ts";
import { followOpened } from "./opened-exchange.ts";
import { type Timing, timingOf } from "./timing.ts";

interface Tab {
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

/** The panel's least height, and what it must leave of the view above, in px: more where figures stand there. Our choice. */
const LEAST = 160;
const LEFT_ABOVE = 160;
const LEFT_BELOW_FIGURES = 310;

interface Inspector {
  tab: InspectorTab;
  tabs: readonly Tab[];
  subject: Subject | null;
  /** "This exchange is gone" and the like; empty if it is there. */
  absence: string;
  overview: readonly FactGroup[];
  timing: Timing | null;
  tls: readonly FactGroup[] | null;
  tlsAbsence: string;
  explained: boolean;
  height: { readonly height?: string };
  heightNow: number;
  init(): void;
  destroy(): void;
  open(tab: InspectorTab): void;
  onTabKey(event: KeyboardEvent): void;
  onResize(event: PointerEvent): void;
  onResizeKey(event: KeyboardEvent): void;
  explain(): void;
  close(): void;
  copyAsCurl(): void;
  openMenu(button: HTMLElement): void;
}

/** Of an exchange of which nothing has been told. */
const UNKNOWN: Pick<Inspector, "subject" | "overview" | "timing" | "tls" | "tlsAbsence"> = Object.freeze({
  subject: null,
  overview: Object.freeze([]),
  timing: null,
  tls: null,
  tlsAbsence: "",
});

/** The panel about the selected exchange. */
export function inspector(deps: ViewDependencies): View<Inspector> {
  const { selection } = deps;
  const ending: (() => void)[] = [];
  let resize: ResizeOptions;
  let marked: Mark | null = null;
  let address = "";

  return {
    tab: selection.now.inspectorTab,
    tabs: Object.freeze(TABS.filter(({ tab }) => tab !== "messages")),
    absence: "",
    ...UNKNOWN,
    explained: false,
    height: heightOf(selection.now.panelHeight),
    heightNow: 0,

    init() {
      let about: ExchangeId | null = null;
      const show = (detail: ExchangeDetail): void => {
        about = detail.exchange.id;
        this.absence = "";
        marked = detail.remark.mark;
        address = requestAddress(detail.exchange);
        this.subject = subjectOf(detail);
        this.overview = overviewOf(detail);
        this.timing = timingOf(detail);
        this.tls = tlsOf(detail);
        this.tlsAbsence = tlsAbsenceOf(detail);
        const talks = detail.messages > 0 || detail.exchange.tags.includes("websocket");
        this.tabs = Object.freeze(TABS.filter(({ tab }) => tab !== "messages" || talks));
        if (!talks && this.tab === "messages") this.open("overview");
      };
      const showAbsence = (why: string): void => {
        this.absence = why;
        // What is known of an exchange stays, of another one nothing does.
        if (about === selection.now.exchange) return;
        address = "";
        Object.assign(this, UNKNOWN);
      };
      resize = {
        edge: "top",
        size: () => this.$root.offsetHeight,
        bounds: () => {
          const left = selection.now.view === "performance" ? LEFT_BELOW_FIGURES : LEFT_ABOVE;
          return { least: LEAST, most: Math.max(LEAST, (this.$root.parentElement?.clientHeight ?? 0) - left) };
        },
        resized: (panelHeight) => selection.set({ panelHeight }),
      };
      this.heightNow = this.$root.offsetHeight;
      ending.push(
        followOpened(deps, show, showAbsence),
        selection.watch((selected) => {
          this.tab = selected.inspectorTab;
          this.height = heightOf(selected.panelHeight);
          if (selected.panelHeight !== null) this.heightNow = selected.panelHeight;
        }),
      );
    },

    destroy() {
      for (const end of ending.splice(0)) end();
    },

    open(tab) {
      selection.set({ inspectorTab: tab });
    },

    /** ARIA tabs: the arrows go round, and the tab they reach opens. */
    onTabKey(event) {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const at = this.tabs.findIndex(({ tab }) => tab === this.tab);
      const next = (at + step + this.tabs.length) % this.tabs.length;
      this.open(this.tabs[next]?.tab ?? "overview");
      // At once: the next key may be there before the page is drawn.
      this.$root.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
    },

    onResize(event) {
      startResize(event, resize);
    },

    onResizeKey(event) {
      resizeByKey(event, resize);
    },

    explain() {
      this.explained = !this.explained;
    },

    close() {
      selection.set({ exchange: null });
    },

    copyAsCurl() {
      if (selection.now.exchange !== null) void copyExchange(deps, selection.now.exchange, "curl");
    },

    openMenu(button) {
      const { exchange } = selection.now;
      const { right: x, bottom: y } = button.getBoundingClientRect();
      if (exchange === null) return;
      const setMark = (mark: Mark | null): void => void markExchanges(deps, exchange, mark);
      deps.openMenu({ exchange, address, mark: marked, setMark, x, y: y + 4, corner: "right" });
    },
  };
}

function heightOf(panelHeight: number | null): { readonly height?: string } {
  return panelHeight === null ? {} : { height: `${panelHeight}px` };
}
