import type { RequestHead } from "./http1/message.ts";
import { type Authority, authorityOf, type Origin, originOf } from "./origin.ts";

/** What a connection's requests are about: a proxy is told everything; inside a tunnel the origin is fixed. */
export type Route = { readonly kind: "proxy" } | { readonly kind: "origin"; readonly origin: Origin };

/** What one request wants. */
export type Destination =
  | {
      readonly kind: "forward";
      readonly origin: Origin;
      /** For the server: origin-form or `*`. */
      readonly target: string;
      /** New value of Host, where the target decides it (RFC 9112, 3.2.2); `null`: as received. */
      readonly host: string | null;
      /** An absolute-form https target that came in clear. */
      readonly inClear: boolean;
    }
  | { readonly kind: "connect"; readonly authority: Authority & { readonly port: number } }
  /** Sent to us as if we were the server. */
  | { readonly kind: "direct"; readonly target: string }
  | { readonly kind: "refused"; readonly reason: string };

/** WebSocket schemes are in the table because some clients send them to a proxy (RFC 6455, 4.1 speaks of CONNECT only). */
const SCHEMES = { http: "http", https: "https", ws: "http", wss: "https" } as const;

const ABSOLUTE = /^(https?|wss?):\/\/([^/?#]*)/i;

/** Reads the request target (RFC 9112, 3.2). */
export function destinationOf(head: RequestHead, route: Route): Destination {
  const { method, target } = head;
  if (method === "CONNECT") return route.kind === "proxy" ? connectTo(target) : refused("CONNECT inside a tunnel");
  if (target.startsWith("/") || target === "*") {
    if (route.kind === "proxy") return { kind: "direct", target };
    // An HTTP/1.0 request may come without Host; it goes on as HTTP/1.1, which must have one.
    const host = head.host === null ? route.origin.text.slice(route.origin.scheme.length + 3) : null;
    return { kind: "forward", origin: route.origin, target, host, inClear: false };
  }
  return absolute(method, target, route);
}

function connectTo(target: string): Destination {
  const authority = authorityOf(target);
  if (authority === null || authority.port === null) return refused("CONNECT needs host:port");
  return { kind: "connect", authority: { host: authority.host, port: authority.port } };
}

function absolute(method: string, target: string, route: Route): Destination {
  const match = ABSOLUTE.exec(target);
  const name = match?.[1]?.toLowerCase();
  if (match === null || !isKnownScheme(name)) return refused("a request target that is neither a path nor an http URL");
  const scheme = SCHEMES[name];
  const host = match[2] ?? "";
  const authority = authorityOf(host);
  if (authority === null) return refused("a request target without a usable host");
  const origin = originOf(scheme, authority);
  if (route.kind === "origin" && route.origin.text !== origin.text) return refused("a target outside its tunnel");
  const rest = pathOf(method, target.slice(match[0].length));
  return { kind: "forward", origin, target: rest, host, inClear: route.kind === "proxy" && scheme === "https" };
}

function isKnownScheme(name: string | undefined): name is keyof typeof SCHEMES {
  return name !== undefined && name in SCHEMES;
}

/** RFC 9112, 3.2.1 and 3.2.4: an empty path is sent as `/`, and as `*` with OPTIONS and no query. */
function pathOf(method: string, rest: string): string {
  if (rest.startsWith("/")) return rest;
  if (rest === "" && method === "OPTIONS") return "*";
  return `/${rest}`;
}

function refused(reason: string): Destination {
  return { kind: "refused", reason };
}
