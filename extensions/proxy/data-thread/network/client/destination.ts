import type { RequestHead } from "../http1/message.ts";
import { authorityOf, type Origin, originOf, type Server } from "../origin.ts";
import type { Forward } from "../relay/forward.ts";
import { type InnerRoute, namedBy } from "./tunnel-route.ts";

/**
 * How a connection reached Weir. The server of a request is named by the request itself (`proxy`), the tunnel
 * (`InnerRoute`) or the reverse port (`ReverseRoute`).
 */
export type Ingress = { readonly kind: "proxy" } | InnerRoute | ReverseRoute;

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
