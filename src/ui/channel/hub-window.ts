import { isNative, keptTicket } from "./host.ts";

/** Names the hub's window, so that there is one. */
const NAME = "hub";
const FEATURES = "popup,width=1100,height=760";
const PAGE = "/hub.html";

/** Opens the hub in a window of its own at a target (a slug; `null`: where it is), or brings the open one forward. False: the browser refused. */
export type OpenHub = (target: string | null) => boolean;

/** How this host opens the hub: in the native window the engine does, as a process of its own. */
export function hubOpener(askEngine: (target: string | null) => void): OpenHub {
  if (!isNative()) return openHub;
  return (target) => {
    askEngine(target);
    return true;
  };
}

function openHub(target: string | null): boolean {
  // An empty address leaves an open hub as it is; a new window is blank.
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

/** Brings the window that opened this one forward. False: none did. */
export function focusOpener(): boolean {
  const opener: Window | null = window.opener;
  opener?.focus();
  return opener !== null;
}

/** The target that the address asks for, which is taken out of it; `null`: none. */
export function takeTarget(): string | null {
  const wish = new URLSearchParams(location.hash.slice(1));
  const target = wish.get("target");
  wish.delete("target");
  if (target !== null) history.replaceState(null, "", `${location.pathname}#${wish}`);
  return target;
}
