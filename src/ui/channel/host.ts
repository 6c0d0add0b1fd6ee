import type { Channel } from "./channel.ts";
import { SocketChannel } from "./socket.ts";

const STORED_TICKET = "ticket";

/** Whether this page stands in a window of Neutralino's: its server gives its pages globals, and ours serves an empty file in their place. */
export function isNative(): boolean {
  return "NL_PORT" in window;
}

/** The channel for the host that this page runs in; not connected yet. A page in a browser reads nothing of Neutralino. */
export async function hostChannel(): Promise<Channel & { connect(): void }> {
  if (!isNative()) return new SocketChannel({ address: `ws://${location.host}/channel`, ticket: takeTicket() });
  if (isNativeHub()) return (await import("./native-hub.ts")).nativeHubChannel();
  const { NeutralinoChannel } = await import("./neutralino.ts");
  return new NeutralinoChannel();
}

/** Whether this page is the hub in its own native window: that process is started without extensions. */
function isNativeHub(): boolean {
  return "NL_EXTENABLED" in window && window.NL_EXTENABLED === false;
}

/** The ticket of this tab, for another window of ours. */
export function keptTicket(): string | null {
  return sessionStorage.getItem(STORED_TICKET);
}

/** The ticket from the address's fragment, which is cleared; after a reload, the one kept for this tab. */
function takeTicket(): string | null {
  const shown = new URLSearchParams(location.hash.slice(1)).get("ticket");
  if (shown === null) return keptTicket();
  sessionStorage.setItem(STORED_TICKET, shown);
  history.replaceState(null, "", location.pathname);
  return shown;
}
