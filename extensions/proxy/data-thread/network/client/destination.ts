import { isIP, type Socket } from "node:net";
import type { RequestHead } from "../http1/message.ts";
import { type Authority, authorityOf, type Origin, originOf, type Scheme, type Server } from "../origin.ts";
import type { Reach } from "../relay/client-exchange.ts";
import type { Forward } from "../relay/server-lease.ts";
import { isLoopback, plainAddress } from "../sockets/address.ts";

/**
 * How a connection reached Weir. The server of a request is named by the request itself (`proxy`), the tunnel
 * (`InnerRoute`) or the reverse port (`ReverseRoute`).
 */
export type Ingress = { readonly kind: "proxy" } | InnerRoute | ReverseRoute;

/** Through the proxy's own port, outside of any tunnel. */
export const PROXY = Object.freeze({ kind: "proxy" }) satisfies Ingress;

/** A reverse port. All its requests are sent to `origin`. */
export interface ReverseRoute {
  readonly kind: "reverse";
  readonly origin: Origin;
}

/** Where a request is to be sent. */
export type Destination =
  | (Forward & {
      readonly kind: "forward";
      /** Whether a request for an https URL arrived in absolute-form without TLS. */
      readonly inClear: boolean;
    })
  | { readonly kind: "connect"; readonly authority: Server }
  /** A request to Weir itself: a path or `*`, outside any tunnel. */
  | { readonly kind: "direct"; readonly target: string }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Maps a URL's scheme to the origin's. Some clients send ws and wss URLs to a proxy, although RFC 6455, 4.1, uses
 * CONNECT.
 */
const SCHEMES = { http: "http", https: "https", ws: "http", wss: "https" } as const;

const ABSOLUTE = /^(https?|wss?):\/\/([^/?#]*)/i;

/** Parses the request target (RFC 9112, 3.2). */
export function destinationOf(head: RequestHead, ingress: Ingress): Destination {
  const { method, target } = head;
  if (ingress.kind === "reverse") return reversedTo(head, ingress.origin);
  if (method === "CONNECT") return ingress.kind === "proxy" ? connectTo(target) : refused("CONNECT inside a tunnel");
  if (target.startsWith("/") || target === "*") {
    if (ingress.kind === "proxy") return { kind: "direct", target };
    const { origin, at } = namedBy(ingress, head.host);
    // The request is forwarded as HTTP/1.1, which requires Host; an HTTP/1.0 request may lack it.
    const host = head.host === null ? hostOf(origin) : null;
    return { kind: "forward", origin, at, target, host, inClear: false, relocation: null };
  }
  return absolute(method, target, ingress);
}

/** Replaces the reverse port's Host by the origin's. */
function reversedTo({ target, host }: RequestHead, origin: Origin): Destination {
  if (!target.startsWith("/") && target !== "*")
    return refused(`this reverse port forwards only to ${origin.text}, so the request target must be a path`);
  const relocation = host === null ? null : { origin, base: `http://${host}` };
  return { kind: "forward", origin, at: null, target, host: hostOf(origin), inClear: false, relocation };
}

/** The value of Host for an origin (RFC 9110, 7.2). */
function hostOf({ scheme, text }: Origin): string {
  return text.slice(scheme.length + 3);
}

function connectTo(target: string): Destination {
  const authority = authorityOf(target);
  if (authority === null || authority.port === null) return refused("CONNECT needs host:port");
  return { kind: "connect", authority: { host: authority.host, port: authority.port } };
}

function absolute(method: string, target: string, ingress: Exclude<Ingress, ReverseRoute>): Destination {
  const match = ABSOLUTE.exec(target);
  const name = match?.[1]?.toLowerCase();
  if (match === null || !isKnownScheme(name)) return refused("a request target that is neither a path nor an http URL");
  const scheme = SCHEMES[name];
  const host = match[2] ?? "";
  const authority = authorityOf(host);
  if (authority === null) return refused("a request target without a usable host");
  const origin = originOf(scheme, authority);
  // RFC 9112, 3.2.2: an absolute-form target overrides Host.
  const inside = ingress.kind === "proxy" ? null : namedBy(ingress, host);
  if (inside !== null && inside.origin.text !== origin.text)
    return refused("a request target whose origin is not the tunnel's");
  const rest = pathOf(method, target.slice(match[0].length));
  const inClear = inside === null && scheme === "https";
  return { kind: "forward", origin, at: inside?.at ?? null, target: rest, host, inClear, relocation: null };
}

/**
 * The origin and target that the row of a refused request shows. If the request's target cannot be parsed, the origin
 * is `arrived`. The target is then `/` in a tunnel, and elsewhere the received text without user-info.
 */
export function wantedBy(
  target: string,
  arrived: Origin,
  ingress: Ingress,
): { readonly origin: Origin; readonly target: string } {
  if (target.startsWith("/") || target === "*") return { origin: arrived, target };
  const match = ABSOLUTE.exec(target);
  const name = match?.[1]?.toLowerCase();
  // User-info may contain a password.
  const authority = authorityOf((match?.[2] ?? "").replace(/^.*@/, ""));
  if (match === null || !isKnownScheme(name) || authority === null)
    return { origin: arrived, target: ingress.kind === "origin" ? "/" : target.replace(USER_INFO, "$1") };
  return { origin: originOf(SCHEMES[name], authority), target: pathOf("GET", target.slice(match[0].length)) };
}

/** The origin that the row of a refused connection shows: the address at which it arrived. */
export function arrivedAt({ localAddress, localPort }: Socket, scheme: Scheme = "http"): Origin {
  return originOf(scheme, { host: plainAddress(localAddress), port: localPort ?? null });
}

const USER_INFO = /^([a-z][a-z\d+.-]{0,32}:\/\/)?[^/?#]{0,4000}@/i;

function isKnownScheme(name: string | undefined): name is keyof typeof SCHEMES {
  return name !== undefined && name in SCHEMES;
}

/**
 * The target to send for the part of a URL after its authority. Adds `/` if the path is empty. OPTIONS with neither
 * path nor query gets `*` (RFC 9112, 3.2.1 and 3.2.4).
 */
function pathOf(method: string, rest: string): string {
  if (rest.startsWith("/")) return rest;
  if (rest === "" && method === "OPTIONS") return "*";
  return `/${rest}`;
}

function refused(reason: string): Destination {
  return { kind: "refused", reason };
}

/** What Host decides about the origin of a request in a tunnel: name and port, only the port, or nothing. */
type ByHost = "name" | "port" | "nothing";

/** Where the requests inside a tunnel are sent. */
export interface InnerRoute {
  readonly kind: "origin";
  /** The origin. Host may override it (`byHost`). */
  readonly origin: Origin;
  /** The host and port in the CONNECT or SOCKS request. Weir connects there, even if the origin has another name. */
  readonly connect: Server;
  readonly byHost: ByHost;
  /** Set if the client came to a transparent port. */
  readonly arrival: TransparentArrival | null;
}

/** A connection to a transparent port, without a request for a tunnel. */
export interface TransparentArrival {
  readonly route: TransparentRoute;
  /** Whether the client is on another machine. A redirect on this one keeps the client's address, not loopback. */
  readonly isRemote: boolean;
}

/** A transparent port: clients connect to it as to a server. */
export interface TransparentRoute {
  readonly kind: "transparent";
  /** The servers' port. */
  readonly port: number;
}

/** How far the client of a connection may reach. `address`: the client's. */
export function reachOf(arrival: TransparentArrival | null, address: string): Reach {
  return arrival === null
    ? { isRemote: !isLoopback(address), isTransparent: false }
    : { isRemote: arrival.isRemote, isTransparent: true };
}

/** An origin. `at`: where to connect for it; `null` for the origin's own host and port. */
interface Named {
  readonly origin: Origin;
  readonly at: Server | null;
}

/** A route to this origin only, whatever Host says. */
export function routeTo(origin: Origin): InnerRoute {
  return Object.freeze({ kind: "origin", origin, connect: origin, byHost: "nothing", arrival: null });
}

/**
 * The route of the requests inside a tunnel. A client may connect to any address and name the server only inside the
 * tunnel (tun2proxy, `curl --connect-to`). Then the server name of TLS counts (RFC 6066, 3), or Host if there is none
 * (RFC 9110, 7.2). A server name has no port, so the port comes from Host.
 */
export function innerRoute(
  scheme: Scheme,
  connect: Server,
  serverName: string | null,
  arrival: TransparentArrival | null = null,
): InnerRoute {
  const own = originOf(scheme, connect);
  const name = serverName === null ? null : nameOf(serverName);
  if (name !== null && !isSame(name, connect.host))
    return Object.freeze({
      kind: "origin",
      origin: originOf(scheme, { host: name, port: connect.port }),
      connect,
      byHost: "port",
      arrival,
    });
  // Over TLS, Host decides only if neither CONNECT nor TLS named a host. After a CONNECT by host name, the client has
  // verified a certificate for that name.
  const isOpen = scheme === "http" || (name === null && isIP(connect.host) !== 0);
  return Object.freeze({ kind: "origin", origin: own, connect, byHost: isOpen ? "name" : "nothing", arrival });
}

/**
 * Whether each request names its own server, as at a transparent port without TLS: the first one's Host stands for no
 * address to which the client connected.
 */
export function followsHost({ arrival, origin }: InnerRoute): boolean {
  return arrival !== null && origin.scheme === "http";
}

/** The origin of a request on this route. `host`: the request's Host; `null` if it has none. */
export function namedBy(route: InnerRoute, host: string | null): Named {
  const { origin, connect, byHost } = route;
  const named = byHost === "nothing" || host === null ? null : authorityOf(host);
  if (named !== null && followsHost(route))
    return { origin: originOf(origin.scheme, { host: named.host, port: connect.port }), at: null };
  if (named === null || !decides(byHost, named, route)) return { origin, at: byHost === "port" ? connect : null };
  return { origin: originOf(origin.scheme, named), at: connect };
}

function decides(byHost: ByHost, { host }: Authority, { origin, connect }: InnerRoute): boolean {
  return byHost === "port" ? isSame(host, origin.host) : isIP(host) === 0 && !isSame(host, connect.host);
}

/** A server name as the host of an origin; `null` if it is invalid. RFC 6066, 3, allows no addresses. */
export function nameOf(serverName: string): string | null {
  const named = authorityOf(serverName);
  return named === null || named.port !== null || isIP(named.host) !== 0 ? null : named.host;
}

/** Compares without the trailing dot, which a URL may have but a server name does not (RFC 6066, 3). */
function isSame(one: string, other: string): boolean {
  return one.replace(/\.$/, "") === other.replace(/\.$/, "");
}
