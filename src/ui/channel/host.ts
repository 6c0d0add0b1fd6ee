import type { Channel } from "./channel.ts";
import { SocketChannel } from "./socket.ts";

const STORED_TICKET = "ticket";

/** The state in the address that this page was opened by, before the page writes its own; "" if there is none. */
export const OPENED_BY = typeof location !== "undefined" && location.hash.startsWith("#/") ? location.hash : "";

/**
 * Whether this page runs in a Neutralino window. Neutralino's server serves a script that defines globals; Weir's own
 * server serves an empty file in its place.
 */
export function isNative(): boolean {
  return "NL_PORT" in window;
}

/** The channel of this page, not yet connected. A browser loads no file of Neutralino. */
export async function hostChannel(): Promise<Channel & { connect(): void }> {
  if (!isNative())
    return new SocketChannel({
      address: `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/channel`,
      ticket: takeTicket(),
      origin: location.origin,
      keep: (ticket) => sessionStorage.setItem(STORED_TICKET, ticket),
      replaced: () => location.reload(),
    });
  if (isNativeHub()) return (await import("./native-hub.ts")).nativeHubChannel();
  const { NeutralinoChannel } = await import("./neutralino.ts");
  return new NeutralinoChannel();
}

/** Whether this page is the hub in its own native window. That window's process is started without extensions. */
function isNativeHub(): boolean {
  return "NL_EXTENABLED" in window && window.NL_EXTENABLED === false;
}

/** The ticket stored for this tab; `null` if there is none. Used to open another window. */
export function keptTicket(): string | null {
  return sessionStorage.getItem(STORED_TICKET);
}

/**
 * Takes the ticket from the URL's fragment, where the window's state may follow it, and stores the ticket for this tab.
 * Without one in the fragment (after a reload), returns the stored ticket.
 */
function takeTicket(): string | null {
  const { ticket, rest } = ticketIn(location.hash);
  if (ticket === null) return keptTicket();
  sessionStorage.setItem(STORED_TICKET, ticket);
  history.replaceState(null, "", `${location.pathname}${rest}`);
  return ticket;
}

/** Splits a fragment such as `#ticket=AB_c/traffic?f=x` into its ticket and the fragment without it. */
export function ticketIn(fragment: string): { readonly ticket: string | null; readonly rest: string } {
  const [, ticket, rest = ""] = /^#ticket=([\w-]*)(\/.*)?$/s.exec(fragment) ?? [];
  return ticket === undefined ? { ticket: null, rest: fragment } : { ticket, rest: rest === "" ? "" : `#${rest}` };
}
