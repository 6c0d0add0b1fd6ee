import type { Problem } from "../../../../src/engine/model/result.ts";
import type { RequestHead } from "../http1/message.ts";
import { authorityOf } from "../origin.ts";
import { isLoopback, plainAddress, plainHost } from "../sockets/address.ts";
import { PAGE_HOST } from "./local-responses.ts";

/**
 * Why a request that was sent directly to the proxy's port is refused; `null` if the request names this machine and
 * comes from no other site. Any web page can make a browser send such a request, also to a host name that resolves to
 * this machine (DNS rebinding), so Host is compared with `arrivedAt`, the local address.
 */
export function directRefusal({ host, headers }: RequestHead, arrivedAt: string | undefined): Problem | null {
  // Host may be missing: only HTTP/1.0 clients leave it out, and browsers never do.
  if (host !== null && !namesUs(host, plainAddress(arrivedAt)))
    return "Its Host is not this computer's loopback, weir.test or the address that the request reached.";
  // RFC 6454, 7: the origin "null" counts as foreign, too.
  const isForeign = headers.some(({ name, value }) => name === "origin" && value.toLowerCase() !== originOfHost(host));
  return isForeign ? "Its Origin is another site." : null;
}

/**
 * Why a request to a reverse port is refused; `null` if it is allowed. Allowed are requests to this computer that come
 * from no page, from a page of this computer (under development, a page has another port than the origin that it
 * calls), or from a link or redirect that the user follows.
 */
export function reverseRefusal(head: RequestHead, arrivedAt: string | undefined): Problem | null {
  const { host, headers } = head;
  if (host !== null && !namesUs(host, plainAddress(arrivedAt))) return "Its Host is not this computer's loopback.";
  const isForeign = headers.some(({ name, value }) => name === "origin" && !isLocalOrigin(value));
  if (isForeign) return "Its Origin is another site.";
  return isFromOtherSite(head) ? "Another site's page made the browser send it." : null;
}

/**
 * Whether a page of another site loads the target. Judged by Fetch Metadata Request Headers, because browsers send no
 * Origin for an image, a script or a frame. A followed link is allowed, because a login at another site ends with a
 * redirect.
 */
function isFromOtherSite({ method, headers }: RequestHead): boolean {
  const fieldOf = (wanted: string) => headers.find(({ name }) => name === wanted)?.value.toLowerCase() ?? null;
  if (fieldOf("sec-fetch-site") !== "cross-site" || fieldOf("origin") !== null) return false;
  const [origin = ""] = /^https?:\/\/[^/]*/i.exec(fieldOf("referer") ?? "") ?? [];
  if (isLocalOrigin(origin)) return false;
  const isVisit = fieldOf("sec-fetch-mode") === "navigate" && fieldOf("sec-fetch-dest") === "document";
  return !(isVisit && method === "GET");
}

function isLocalOrigin(origin: string): boolean {
  const [, authority = ""] = /^https?:\/\/([^/]*)$/i.exec(origin) ?? [];
  const named = authorityOf(authority);
  return named !== null && isLocalName(plainHost(named.host));
}

function namesUs(host: string, arrivedAt: string): boolean {
  const named = authorityOf(host);
  if (named === null) return false;
  const name = plainHost(named.host);
  return name === PAGE_HOST || isLocalName(name) || name === arrivedAt;
}

/**
 * Whether the name is of this machine: a loopback address, localhost, or a name below localhost, which DNS never
 * resolves (RFC 6761, 6.3).
 */
function isLocalName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || isLoopback(name);
}

function originOfHost(host: string | null): string {
  return `http://${(host ?? "").toLowerCase()}`;
}
