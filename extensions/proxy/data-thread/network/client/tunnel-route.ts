import { isIP } from "node:net";
import { type Authority, authorityOf, type Origin, originOf, type Scheme, type Server } from "../origin.ts";
import type { Reach } from "../relay/client-exchange.ts";
import { isLoopback } from "../sockets/address.ts";

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
