import type { ExchangeId } from "../../../engine/model/units.ts";
import { moveInMenu } from "../../parts/menu-keys.ts";
import type { MenuWish, ViewDependencies } from "../dependencies.ts";
import { COPIES, copyExchange, resendExchange } from "../exchange-actions.ts";
import type { View } from "../mounted.ts";

interface MenuItem {
  readonly name: string;
  /** The key that does the same in the list; empty if none does. */
  readonly key: string;
  /** A hairline stands above it. */
  readonly first: boolean;
}

/** Must hold the menu, in px, as in shell.css. */
const WIDTH = 232;
const ITEM = 28;
const PADDING = 10;

const SEND_AGAIN = "Send again";

const ITEMS: readonly MenuItem[] = Object.freeze([
  ...COPIES.map(({ form, name }) => ({ name: `Copy as ${name}`, key: form === "curl" ? "C" : "", first: false })),
  { name: SEND_AGAIN, key: "R", first: true },
]);

interface ExchangeMenu {
  items: readonly MenuItem[];
  place: { readonly left?: string; readonly top?: string };
  init(): void;
  onKey(event: KeyboardEvent): void;
  onToggle(state: string): void;
  choose(name: string): void;
}

/** What can be done with one exchange, opened where it is asked for. Leaving it gives the focus back. */
export function exchangeMenu(
  deps: ViewDependencies,
  onWish: (listener: (wish: MenuWish) => void) => void,
): View<ExchangeMenu> {
  let exchange: ExchangeId | null = null;
  let opener: Element | null = null;

  return {
    // Made when the menu is first wanted.
    items: Object.freeze([]),
    place: {},

    init() {
      onWish((wish) => {
        exchange = wish.exchange;
        opener = document.activeElement;
        this.place = placeOf(wish);
        this.items = ITEMS;
        this.$nextTick(() => this.$root.showPopover());
      });
    },

    onKey(event) {
      if (event.key === "Tab") this.$root.hidePopover();
      else moveInMenu(event, this.$root);
    },

    onToggle(state) {
      if (state === "open") this.$root.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
      else if (opener instanceof HTMLElement) opener.focus();
    },

    choose(name) {
      this.$root.hidePopover();
      if (exchange === null) return;
      const copy = COPIES.find((each) => `Copy as ${each.name}` === name);
      if (copy !== undefined) void copyExchange(deps, exchange, copy.form);
      else void resendExchange(deps, exchange);
    },
  };
}

/** Beside the place asked for, but whole within the window. */
function placeOf({ x, y, corner }: MenuWish): ExchangeMenu["place"] {
  const left = corner === "right" ? x - WIDTH : x;
  const height = ITEMS.length * ITEM + PADDING;
  return Object.freeze({
    left: `${Math.max(4, Math.min(left, window.innerWidth - WIDTH - 4))}px`,
    top: `${Math.max(4, Math.min(y, window.innerHeight - height - 4))}px`,
  });
}
