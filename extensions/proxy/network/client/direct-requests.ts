import type { RequestHead } from "../http1/message.ts";
import { authorityOf } from "../origin.ts";
import { isLoopback, plainAddress, plainHost } from "../sockets/address.ts";
import { PAGE_HOST } from "./local-responses.ts";

/**
 * Why a request sent directly to the proxy's port is refused; `null`: it names this machine and comes from no other
 * site. Any web page can make a browser send such a request, also under the page's own host name that resolves to this
 * machine (DNS rebinding), so Host is compared with `arrivedAt`, the local address.
 */
export function directRefusal({ host, headers }: RequestHead, arrivedAt: string | undefined): string | null {
  // Only HTTP/1.0 clients omit Host; browsers never do.
  if (host !== null && !namesUs(host, plainAddress(arrivedAt)))
    return "Its Host is not this computer's loopback, weir.test or the address it reached.";
  // RFC 6454, 7: "null" is foreign too.
  const isForeign = headers.some(({ name, value }) => name === "origin" && value.toLowerCase() !== originOfHost(host));
  return isForeign ? "Its Origin is another site." : null;
}

function namesUs(host: string, arrivedAt: string): boolean {
  const named = authorityOf(host);
  if (named === null) return false;
  const name = plainHost(named.host);
  // RFC 6761, 6.3: names below localhost are never resolved by DNS.
  if (name === PAGE_HOST || name === "localhost" || name.endsWith(".localhost")) return true;
  return isLoopback(name) || name === arrivedAt;
}

function originOfHost(host: string | null): string {
  return `http://${(host ?? "").toLowerCase()}`;
}
