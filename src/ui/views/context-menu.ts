import type { ExchangeDetail } from "../../engine/messages/exchange-messages.ts";
import type { Mark } from "../../engine/model/annotation.ts";
import { type Endpoint, hostOf, partsOf } from "../../engine/model/endpoint.ts";
import type { ExchangeId } from "../../engine/model/units.ts";
import { requestAddress } from "../format/request-address.ts";
import type { SubscriptionStore } from "../state/subscription-store.ts";
import type { MenuPosition, MenuSubject, MenuValue, ViewDependencies } from "./dependencies.ts";
import { markExchanges } from "./exchange-actions.ts";

const NOTHING: MenuSubject = Object.freeze({
  exchange: null,
  address: "",
  endpoint: null,
  host: "",
  value: null,
  picked: null,
  mark: null,
  setMark: null,
});

export function endpointSubject(endpoint: Endpoint): MenuSubject {
  return { ...NOTHING, endpoint, host: hostOf(partsOf(endpoint).origin) };
}

export function valueSubject(value: MenuValue): MenuSubject {
  return { ...NOTHING, value };
}

/** The menu of an exchange whose detail is known. */
export function exchangeSubject(
  deps: Pick<ViewDependencies, "commands" | "copy" | "announce" | "undo">,
  { exchange, annotation }: Pick<ExchangeDetail, "exchange" | "annotation">,
): MenuSubject {
  const { id, endpoint, origin } = exchange;
  const setMark = (mark: Mark | null): void => void markExchanges(deps, id, mark);
  return {
    ...NOTHING,
    exchange: id,
    address: requestAddress(exchange),
    endpoint,
    host: hostOf(origin),
    mark: annotation.mark,
    setMark,
  };
}

/** The current detail of an exchange; `null` if it was evicted or Weir does not answer. */
export function detailOf(windows: SubscriptionStore, exchange: ExchangeId): Promise<ExchangeDetail | null> {
  return new Promise((resolve) => {
    const detail = windows.value({ view: "exchange", exchange }, () => {
      queueMicrotask(() => detail.close());
      resolve(detail.value ?? null);
    });
  });
}

/** Where the menu of a focused or clicked element opens. */
export function positionAt(event: MouseEvent): MenuPosition {
  const { clientX: x, clientY: y } = event;
  if (x !== 0 || y !== 0) return { x, y, corner: "left" };
  const { left, bottom } = (event.target as Element).getBoundingClientRect();
  return { x: left, y: bottom, corner: "left" };
}

export function positionBelow(button: Element): MenuPosition {
  const { right: x, bottom } = button.getBoundingClientRect();
  return { x, y: bottom + 4, corner: "right" };
}

/**
 * For @contextmenu within a list whose rows have ids: the id of the row, and where its menu opens. A right click is
 * about the row under the pointer, the menu key about the active row; `null` if there is none.
 */
export function rowMenuAt(event: MouseEvent): (MenuPosition & { readonly row: string }) | null {
  const target = event.target as Element;
  const row = target.closest<HTMLElement>(".list-row");
  if (row !== null) return { row: row.id, ...positionAt(event) };
  const list = target.closest("[aria-activedescendant]");
  if (list === null) return null;
  const active = document.getElementById(list.getAttribute("aria-activedescendant") ?? "");
  if (active === null) return null;
  const { left, bottom } = active.getBoundingClientRect();
  return { row: active.id, x: left + 16, y: bottom, corner: "left" };
}

/** Opens the menu of an exchange by its id, unless it was evicted. */
export async function openMenuOf(deps: ViewDependencies, exchange: ExchangeId, at: MenuPosition): Promise<void> {
  const detail = await detailOf(deps.windows, exchange);
  if (detail !== null) deps.openMenu({ ...exchangeSubject(deps, detail), ...at });
}

interface KeyedSlot {
  readonly id: string;
  /** `endpoint`: where the key is not the endpoint. */
  readonly row: { readonly key: string | number; readonly endpoint?: string } | null;
}

/** For @contextmenu within a list of exchanges: opens the menu of the row. */
export function openExchangeMenu(
  deps: ViewDependencies,
  event: MouseEvent,
  slots: readonly KeyedSlot[],
  activate: (exchange: ExchangeId) => void,
): void {
  event.preventDefault();
  const at = rowMenuAt(event);
  const key = slots.find(({ id }) => id === at?.row)?.row?.key;
  if (at === null || key === undefined) return;
  activate(key as ExchangeId);
  void openMenuOf(deps, key as ExchangeId, at);
}

/** For @contextmenu within a list of endpoints: opens the menu of the row. */
export function openEndpointMenu(
  { openMenu }: Pick<ViewDependencies, "openMenu">,
  event: MouseEvent,
  slots: readonly KeyedSlot[],
): void {
  event.preventDefault();
  const at = rowMenuAt(event);
  const row = slots.find(({ id }) => id === at?.row)?.row ?? null;
  if (at !== null && row !== null) openMenu({ ...endpointSubject((row.endpoint ?? row.key) as Endpoint), ...at });
}
