import { isIP } from "node:net";
import { matchesHost } from "../host-pattern.ts";
import { speaksHttp2 } from "../http2/hosts.ts";
import type { NetworkSettings } from "../network-options.ts";
import type { Origin, Server } from "../origin.ts";
import { plainHost } from "../sockets/address.ts";
import { ClientCertificates, type ClientIdentity } from "../tls/client-certificates.ts";
import { HostOverrides, type Override } from "./host-overrides.ts";
import { type UpstreamProxy, UpstreamProxySetting } from "./upstream-proxy.ts";

/**
 * Whether HTTP/2 is used with a server. `offered`: if TLS agrees on it. `known`: without negotiation, as the client
 * does (RFC 9113, 3.3).
 */
export type Http2Use = "never" | "offered" | "known";

/** How one origin is reached under the current settings. */
export interface Route {
  readonly origin: Origin;
  /** Routes with the same key may share connections and TLS sessions. */
  readonly key: string;
  /** Where the client wants to connect, if not to the origin's own host and port. */
  readonly at: Server | null;
  /** The user's host override, which takes precedence. */
  readonly override: Override | null;
  /** The upstream proxy; `null` for an overridden host. */
  readonly proxy: UpstreamProxy | null;
  /** Whether that proxy fetches (absolute-form, RFC 9112, 3.2.2) instead of opening a tunnel. */
  readonly fetches: boolean;
  /** docs/specification.md, Upstream TLS: the user allows this host without a verified certificate. */
  readonly unverified: boolean;
  readonly identity: ClientIdentity | null;
  readonly http2: Http2Use;
}

/** Whether the client may reach that address. */
export type Allows = (address: string) => boolean;

/**
 * docs/security.md S5: whether a client with these permissions may use a connection by this route, which leads to
 * `address`. With an upstream proxy, `address` is the proxy's, and only the proxy knows to which address a name
 * resolves.
 */
export function mayUse({ origin, at, proxy }: Route, allows: Allows, address: string): boolean {
  if (proxy === null) return allows(address);
  const host = plainHost((at ?? origin).host);
  return isIP(host) === 0 || allows(host);
}

/** Derives from the settings how origins are reached. */
export class RouteResolver {
  readonly #settings: () => NetworkSettings;
  readonly #overrides = new HostOverrides();
  readonly #proxies = new UpstreamProxySetting();
  readonly #certificates = new ClientCertificates();

  constructor(settings: () => NetworkSettings) {
    this.#settings = settings;
  }

  /** `bare`: for bytes that are not plain HTTP requests, so that an upstream proxy must open a tunnel. */
  to(origin: Origin, at: Server | null, bare: boolean, wanted: Http2Use = "never"): Route {
    const settings = this.#settings();
    const override =
      this.#overrides.find(settings.hostOverrides, origin.host) ??
      (at === null ? null : this.#overrides.find(settings.hostOverrides, at.host));
    const proxy = override === null ? this.#proxies.find(settings, origin.host) : null;
    const isSecure = origin.scheme === "https";
    // A fetching proxy resolves the URL itself; a tunnel keeps the client's choice of address.
    const fetches = proxy !== null && at === null && !isSecure && !bare && wanted !== "known";
    const unverified = isSecure && matchesHost(settings.tlsExceptions, origin.host);
    const identity = isSecure ? this.#certificates.find(settings.clientCertificates, origin.host) : null;
    const http2 = wanted === "offered" && !(isSecure && speaksHttp2(settings, origin.host)) ? "never" : wanted;
    let key = http2 === "known" ? `${origin.text} h2c` : origin.text;
    const there = override ?? at;
    if (there !== null) key += ` at ${there.host} ${there.port}`;
    if (proxy !== null) key += ` by ${settings.upstreamProxy}${fetches ? "" : " tunnel"}`;
    if (unverified) key += " unverified";
    if (identity !== null) key += ` as ${identity.serial}`;
    return { origin, key, at, override, proxy, fetches, unverified, identity, http2 };
  }
}
