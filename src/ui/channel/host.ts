import type { Channel } from "./channel.ts";
import { SocketChannel } from "./socket.ts";

const STORED_TICKET = "ticket";

/**
 * Whether this page runs in a Neutralino window. Neutralino's server injects globals; our own server serves an empty
 * file instead.
 */
export function isNative(): boolean {
  return "NL_PORT" in window;
}

/** The channel for this page's host, not yet connected. In a browser, no Neutralino file is loaded. */
export async function hostChannel(): Promise<Channel & { connect(): void }> {
  if (!isNative()) return new SocketChannel({ address: `ws://${location.host}/channel`, ticket: takeTicket() });
  if (isNativeHub()) return (await import("./native-hub.ts")).nativeHubChannel();
  const { NeutralinoChannel } = await import("./neutralino.ts");
  return new NeutralinoChannel();
}

/** Whether this page is the hub in its own native window, whose process is started without extensions. */
function isNativeHub(): boolean {
  return "NL_EXTENABLED" in window && window.NL_EXTENABLED === false;
}

/** This tab's ticket, for opening another window. */
export function keptTicket(): string | null {
  return sessionStorage.getItem(STORED_TICKET);
}

/** The ticket from the URL fragment, which is then cleared; after a reload, the ticket stored for this tab. */
function takeTicket(): string | null {
  const shown = new URLSearchParams(location.hash.slice(1)).get("ticket");
  if (shown === null) return keptTicket();
  sessionStorage.setItem(STORED_TICKET, shown);
  history.replaceState(null, "", location.pathname);
  return shown;
}
