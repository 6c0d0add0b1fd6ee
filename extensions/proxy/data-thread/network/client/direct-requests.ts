import type { Problem } from "../../../../../src/engine/model/result.ts";
import type { RequestHead } from "../http1/message.ts";
import { authorityOf } from "../origin.ts";
import { isLocalName, plainAddress, plainHost } from "../sockets/address.ts";
import { PAGE_HOST } from "./local-responses.ts";

/**
 * Returns why a request to Weir itself is refused: its Host is another computer's, or its Origin is another site's.
 * `null` if it is allowed. Any web page can make a browser send such a request; with DNS rebinding, the Origin even
 * matches Host. `arrivedAt`: the local address of the client's socket.
 */
export function directRefusal(head: RequestHead, arrivedAt: string | undefined): Problem | null {
  // The opaque origin "null" (RFC 6454, 7) counts as another site, too.
  const isOwn = (origin: string) => origin.toLowerCase() === `http://${(head.host ?? "").toLowerCase()}`;
  const names = "this computer's loopback, weir.test or the address that the request reached";
  return refusalOf(head, arrivedAt, names, isOwn);
}

/**
 * Returns why a request to a reverse port is refused: its Host is another computer's, or another site's page sent it.
 * `null` if it is allowed. Pages of this computer may have any port, because in development a page and its API often
 * have different ports.
 */
export function reverseRefusal(head: RequestHead, arrivedAt: string | undefined): Problem | null {
  return refusalOf(head, arrivedAt, "this computer's loopback", isLocalOrigin);
}

/** `names`: what Host may name, for the reason; `isOwn`: whether Origin is no other site. */
function refusalOf(
  head: RequestHead,
  arrivedAt: string | undefined,
  names: string,
  isOwn: (origin: string) => boolean,
): Problem | null {
  const { host, headers } = head;
  // Only HTTP/1.0 clients leave Host out; browsers always send it.
  if (host !== null && !namesUs(host, plainAddress(arrivedAt))) return `Its Host is not ${names}.`;
  if (headers.some(({ name, value }) => name === "origin" && !isOwn(value))) return "Its Origin is another site.";
  return isFromOtherSite(head) ? "Another site's page made the browser send it." : null;
}

/**
 * Whether a page of another site made the browser send the request. Judged by Fetch Metadata Request Headers, because
 * browsers send no Origin for images, scripts and frames. Links and redirects to a document are allowed, because a
 * login at another site ends with a redirect.
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
