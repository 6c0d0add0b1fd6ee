import { isNative, keptTicket } from "./host.ts";

/** Window name of the hub, so that only one is opened. */
const NAME = "hub";
const FEATURES = "popup,width=1100,height=760";
const PAGE = "/hub.html";

/**
 * Opens the hub in its own window at a target (a slug; `null`: unchanged), or focuses the open one. Returns false if
 * the browser blocked it.
 */
export type OpenHub = (target: string | null) => boolean;

/** How this host opens the hub: in the native window, the engine starts it as a separate process. */
export function hubOpener(askEngine: (target: string | null) => void): OpenHub {
  if (!isNative()) return openHub;
  return (target) => {
    askEngine(target);
    return true;
  };
}

function openHub(target: string | null): boolean {
  // An empty address does not navigate an open hub; a new window is blank.
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

/** The target slug from the URL, which is then removed from it; `null` if there is none. */
export function takeTarget(): string | null {
  const wish = new URLSearchParams(location.hash.slice(1));
  const target = wish.get("target");
  wish.delete("target");
  if (target !== null) history.replaceState(null, "", `${location.pathname}#${wish}`);
  return target;
}
