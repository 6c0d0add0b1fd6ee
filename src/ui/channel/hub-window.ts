import { isNative, keptTicket } from "./host.ts";

/**
 * The name of the hub's browser window. `window.open` with the same name finds an open hub instead of opening another.
 */
const NAME = "hub";
const FEATURES = "popup,width=1100,height=760";
const PAGE = "/hub.html";

/**
 * Opens the hub's window, or focuses the open one, and shows a target. `target`: a slug; `null` keeps the shown target.
 * Returns false if the browser blocked the window.
 */
export type OpenHub = (target: string | null) => boolean;

/**
 * Returns the function that opens the hub from this page. In a native window, the function asks the engine, which
 * starts the hub as a separate process.
 */
export function hubOpener(askEngine: (target: string | null) => void): OpenHub {
  if (!isNative()) return openHub;
  return (target) => {
    askEngine(target);
    return true;
  };
}

function openHub(target: string | null): boolean {
  // An empty address does not navigate an open hub; a new window stays blank.
  const hub = window.open("", NAME, FEATURES);
  if (hub === null) return false;
  const wish = new URLSearchParams(target === null ? {} : { target });
  if (hub.location.pathname === PAGE) hub.location.hash = wish.toString();
  else {
    wish.set("ticket", keptTicket() ?? "");
    hub.location.replace(`${PAGE}#${wish}`);
  }
  hub.focus();
  return true;
}

/** Focuses the window that opened this one. Returns false if there is none. */
export function focusOpener(): boolean {
  const opener: Window | null = window.opener;
  opener?.focus();
  return opener !== null;
}

/** Removes the target's slug from the URL's fragment and returns it; `null` if there is none. */
export function takeTarget(): string | null {
  const wish = new URLSearchParams(location.hash.slice(1));
  const target = wish.get("target");
  wish.delete("target");
  if (target !== null) history.replaceState(null, "", `${location.pathname}#${wish}`);
  return target;
}
