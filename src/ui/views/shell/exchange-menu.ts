import type { Mark } from "../../../engine/model/annotation.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { moveInMenu } from "../../parts/menu-keys.ts";
import type { MenuIntent, ViewDependencies } from "../dependencies.ts";
import { COPIES, copyExchange, MARK_CHOICES, type MarkChoice, resendExchange } from "../exchange-actions.ts";
import { view } from "../mounted.ts";

export interface MenuItem {
  readonly name: string;
  /** The list's key for this action; empty if there is none. */
  readonly key: string;
  /** Whether a separator comes before the item. */
  readonly first: boolean;
}

/** Width of the menu, and heights of its parts, in px, as in menus.css. */
const WIDTH = 232;
const ITEM = 28;
const PADDING = 10;
const MARKS = 28;

const SEND_AGAIN = "Send again";
const REPEAT = "Repeat…";
const COMMENT = "Comment";
const COPY_URL = "Copy URL";

const ITEMS: readonly MenuItem[] = Object.freeze([
  { name: COMMENT, key: "", first: false },
  { name: COPY_URL, key: "", first: true },
  ...COPIES.map(({ form, name }) => ({
    name: `Copy as ${name}`,
    key: form === "curl" ? "C" : "",
    first: false,
  })),
  { name: SEND_AGAIN, key: "R", first: true },
  { name: REPEAT, key: "", first: false },
]);

export interface Place {
  readonly left?: string;
  readonly top?: string;
}

/** The context menu of one exchange. Closing it restores the focus. */
export function exchangeMenu(deps: ViewDependencies, onWish: (listener: (wish: MenuIntent) => void) => void) {
  let exchange: ExchangeId | null = null;
  let address = "";
  let setMark: MenuIntent["setMark"] = () => {};
  /** Whether the comment field gets the focus when the menu has closed. */
  let commenting = false;
  let opener: Element | null = null;

  return view({
    // Built when the menu is first opened.
    items: Object.freeze([]) as readonly MenuItem[],
    marks: Object.freeze([]) as readonly (MarkChoice & { readonly chosen: boolean })[],
    place: {} as Place,

    init(): void {
      onWish((wish) => {
        ({ exchange, address } = wish);
        opener = document.activeElement;
        this.place = placeOf(wish);
        this.items = ITEMS;
        this.marks = MARK_CHOICES.map((choice) => ({ ...choice, chosen: choice.mark === wish.mark }));
        setMark = wish.setMark;
        commenting = false;
        this.$nextTick(() => this.$root.showPopover());
      });
    },

    onKey(event: KeyboardEvent): void {
      if (event.key === "Tab") this.$root.hidePopover();
      else moveInMenu(event, this.$root);
    },

    onToggle(state: string): void {
      if (state === "open") this.$root.querySelector<HTMLElement>('[role^="menuitem"]')?.focus();
      else if (commenting) document.querySelector<HTMLElement>("#exchange-comment")?.focus();
      else if (opener instanceof HTMLElement) opener.focus();
    },

    setMark(mark: Mark | null): void {
      this.$root.hidePopover();
      setMark(mark);
    },

    choose(name: string): void {
      commenting = name === COMMENT;
      if (commenting) deps.selection.set({ exchange, inspectorTab: "overview" });
      this.$root.hidePopover();
      if (exchange === null || commenting) return;
      const copy = COPIES.find((each) => `Copy as ${each.name}` === name);
      if (name === COPY_URL) void deps.copy(address, "URL copied.");
      else if (copy !== undefined) void copyExchange(deps, exchange, copy.form);
      else if (name === REPEAT) deps.openReplay(exchange);
      else void resendExchange(deps, exchange);
    },
  });
}

/** The requested position, moved as far as needed to keep the menu within the window. */
function placeOf({ x, y, corner }: MenuIntent): Place {
  const left = corner === "right" ? x - WIDTH : x;
  const height = ITEMS.length * ITEM + MARKS + PADDING;
  return Object.freeze({
    left: `${Math.max(4, Math.min(left, window.innerWidth - WIDTH - 4))}px`,
    top: `${Math.max(4, Math.min(y, window.innerHeight - height - 4))}px`,
  });
}
