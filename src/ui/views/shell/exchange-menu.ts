import type { Mark } from "../../../engine/model/annotation.ts";
import { type Endpoint, partsOf } from "../../../engine/model/endpoint.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { moveInMenu } from "../../parts/menu-keys.ts";
import type { ValueSubscription } from "../../state/subscription-store.ts";
import { detailOf } from "../context-menu.ts";
import { deleteExchanges } from "../delete-exchanges.ts";
import type { MenuIntent, ViewDependencies } from "../dependencies.ts";
import { copyExchange, copyPicked, MARK_CHOICES, type MarkChoice, resendExchange } from "../exchange-actions.ts";
import { withTerm } from "../filter-term.ts";
import { setHidden } from "../hide-host.ts";
import { letThrough } from "../let-through.ts";
import { saveBody } from "../save-body.ts";
import { view } from "../view.ts";
import { rowsOf } from "./export.ts";
import { anyTermOf, type CopyItem, copyItemsOf, type MenuItem, menuItemsOf, termOf } from "./menu-items.ts";

/** Widths of the menus, and heights of their parts, in px, as in menus.css. */
const WIDTH = 280;
const COPY_WIDTH = 200;
const ITEM = 28;
const PADDING = 10;
const MARKS = 28;

export interface MenuStyle {
  readonly left?: string;
  readonly top?: string;
  readonly width?: string;
}

/** The context menu of an exchange, an endpoint or a value. Closing it restores the focus. */
export function exchangeMenu(deps: ViewDependencies, onWish: (listener: (wish: MenuIntent) => void) => void) {
  const { selection, windows } = deps;
  let subject: MenuIntent | null = null;
  /** Whether the comment field gets the focus when the menu has closed. */
  let commenting = false;
  let opener: Element | null = null;
  let status: ValueSubscription<"status"> | null = null;

  return view({
    label: "Exchange",
    // Built when the menu is opened.
    items: Object.freeze([]) as readonly MenuItem[],
    marks: Object.freeze([]) as readonly (MarkChoice & { readonly chosen: boolean })[],
    style: {} as MenuStyle,
    /** The items of the menu Copy while it is open. */
    copies: Object.freeze([]) as readonly CopyItem[],
    copyStyle: {} as MenuStyle,

    init(): void {
      status = windows.value({ view: "status" }, () => {});
      onWish((wish) => {
        subject = wish;
        opener = document.activeElement;
        const hiddenHosts = status?.value?.settings.hiddenHosts ?? [];
        this.label = labelOf(wish);
        this.items = menuItemsOf(wish, { view: selection.now.view, hiddenHosts });
        this.marks =
          wish.setMark === null ? [] : MARK_CHOICES.map((choice) => ({ ...choice, chosen: choice.mark === wish.mark }));
        const height = this.items.length * ITEM + (this.marks.length > 0 ? MARKS : 0) + PADDING;
        const left = wish.corner === "right" ? wish.x - WIDTH : wish.x;
        this.style = styleOf(left, wish.y, WIDTH, height);
        this.copies = [];
        commenting = false;
        if (this.items.length > 0) this.$nextTick(() => this.$root.showPopover());
      });
    },

    onKey(event: KeyboardEvent): void {
      const { key } = event;
      const focused = document.activeElement;
      const isInCopies = focused?.closest('[role="menu"]') !== this.$root;
      if (key === "Tab") this.$root.hidePopover();
      else if (isInCopies && (key === "ArrowLeft" || key === "Escape")) {
        event.preventDefault();
        event.stopPropagation();
        this.closeCopies();
      } else if (key === "ArrowRight" && focused?.getAttribute("aria-haspopup") === "menu") {
        event.preventDefault();
        this.openCopies(true);
      } else moveInMenu(event, isInCopies ? this.copyMenu() : this.$root);
    },

    onToggle(state: string): void {
      if (state === "open") {
        this.$root.querySelector<HTMLElement>('[role^="menuitem"]')?.focus();
        return;
      }
      this.copies = [];
      if (commenting) document.querySelector<HTMLElement>("#exchange-comment")?.focus();
      else if (opener instanceof HTMLElement) opener.focus();
    },

    copyMenu(): HTMLElement {
      return this.$root.querySelector<HTMLElement>('[role="menu"]') ?? this.$root;
    },

    copyButton(): HTMLElement | null {
      return this.$root.querySelector<HTMLElement>('[aria-haspopup="menu"]');
    },

    /** `isByKey`: the first item gets the focus. */
    openCopies(isByKey: boolean): void {
      const button = this.copyButton();
      if (subject === null || button === null) return;
      this.copies = copyItemsOf(subject);
      const { left, right, top } = button.getBoundingClientRect();
      const fits = right + COPY_WIDTH + 4 <= window.innerWidth;
      const height = this.copies.length * ITEM + PADDING;
      const beside = styleOf(fits ? right : left - COPY_WIDTH, top - 5, COPY_WIDTH, height);
      this.copyStyle = { ...beside, width: `${COPY_WIDTH}px` };
      if (isByKey) this.$nextTick(() => this.copyMenu().querySelector<HTMLElement>("button")?.focus());
    },

    closeCopies(): void {
      this.copyButton()?.focus();
      this.copies = [];
    },

    hover({ more }: MenuItem): void {
      if (more) this.openCopies(false);
      else this.copies = [];
    },

    setMark(mark: Mark | null): void {
      this.$root.hidePopover();
      subject?.setMark?.(mark);
    },

    copy({ form }: CopyItem): void {
      this.$root.hidePopover();
      if (subject === null) return;
      const { exchange, picked, address, endpoint } = subject;
      if (form === "endpoint") void deps.copy(String(endpoint), "Endpoint copied.");
      else if (picked !== null) void copyPicked(deps, picked, form);
      else if (form === "url") void deps.copy(address, "URL copied.");
      else if (exchange !== null) void copyExchange(deps, exchange, form);
    },

    choose({ action }: MenuItem): void {
      const about = subject;
      if (action === "copies") {
        this.openCopies(true);
        return;
      }
      if (about === null) return;
      const { exchange, host, value } = about;
      commenting = action === "comment";
      if (commenting) selection.set({ exchange, inspectorTab: "overview" });
      this.$root.hidePopover();
      switch (action) {
        case "filter":
          this.filterBy(termOf(about));
          return;
        case "leave-out":
          this.filterBy(`-${termOf(about)}`);
          return;
        case "any":
          this.filterBy(anyTermOf(termOf(about)));
          return;
        case "traffic":
        case "timeline":
          if (exchange === null) selection.set({ view: action, filter: termOf(about), exchange: null });
          else selection.set({ view: action, exchange });
          return;
        case "endpoint":
          void this.showEndpoint(about.endpoint, exchange);
          return;
        case "hide":
        case "unhide":
          void setHidden(deps, status?.value ?? null, host, action === "hide");
          return;
        case "pass":
          void letThrough(deps, status?.value ?? null, hostNameOf(host));
          return;
        case "copy-value":
          void deps.copy(value?.text ?? "", "Value copied.");
          return;
        case "copy-line":
          void deps.copy(value?.line ?? "", "Name and value copied.");
          return;
        case "comment":
          return;
      }
      if (exchange === null) return;
      if (action === "save") void saveBody(deps, exchange);
      else if (action === "export") deps.openExport(about.picked ?? rowsOf(exchange));
      else if (action === "replay") deps.openReplay(exchange);
      else if (action === "edit") deps.openEdit(exchange);
      else if (action === "delete" && about.remove !== undefined) about.remove();
      else if (action === "delete") void deleteExchanges(deps, exchange);
      else if (action === "compare") deps.openComparison({ exchange, other: "twin" });
      else void resendExchange(deps, exchange);
    },

    filterBy(term: string): void {
      selection.set({ filter: withTerm(selection.now.filter, term) });
    },

    /** Opens the panel of the endpoint, or of the exchange's endpoint. */
    async showEndpoint(known: Endpoint | null, exchange: ExchangeId | null): Promise<void> {
      const endpoint =
        known ?? (exchange === null ? null : ((await detailOf(windows, exchange))?.exchange.endpoint ?? null));
      if (endpoint === null) deps.announce("This exchange is no longer in the list.");
      else selection.set({ view: "performance", performanceTab: "latency", endpoint, exchange: null });
    },
  });
}

function labelOf({ exchange, endpoint }: MenuIntent): string {
  if (exchange !== null) return "Exchange";
  return endpoint === null ? "Value" : `Endpoint ${partsOf(endpoint).path}`;
}

/** The host without its port, and an IPv6 address without brackets, as patterns of hosts need it. */
function hostNameOf(host: string): string {
  return host.replace(/:\d*$/, "").replace(/^\[|\]$/g, "");
}

/** The requested position, moved as far as needed to keep a menu of this size within the window. */
function styleOf(left: number, top: number, width: number, height: number): MenuStyle {
  return Object.freeze({
    left: `${Math.max(4, Math.min(left, window.innerWidth - width - 4))}px`,
    top: `${Math.max(4, Math.min(top, window.innerHeight - height - 4))}px`,
  });
}
