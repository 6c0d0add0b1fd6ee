import { isIP } from "node:net";
import { plainHost } from "./address.ts";
import { ClientCertificates, type ClientIdentity } from "./client-certificates.ts";
import { HostOverrides, type Override } from "./host-overrides.ts";
import { matchesHost } from "./host-pattern.ts";
import { speaksHttp2 } from "./http2-hosts.ts";
import type { NetworkSettings } from "./network-options.ts";
import type { Origin } from "./origin.ts";
import { type UpstreamProxy, UpstreamProxySetting } from "./upstream-proxy.ts";

/**
 * Whether a server is spoken to in HTTP/2: where TLS agrees on it (`offered`), or without asking, since the client did so
 * (`known`; RFC 9113, 3.3).
 */
export type Http2Use = "never" | "offered" | "known";

/** How one origin is reached, by the settings of the moment. */
export interface Way {
  readonly origin: Origin;
  /** Ways with the same key may share connections and TLS sessions. */
  readonly key: string;
  /** Connect there instead of to the origin's own host and port. */
  readonly override: Override | null;
  /** A further proxy in between; an overridden host has none. */
  readonly proxy: UpstreamProxy | null;
  /** Whether that proxy is asked to fetch (absolute-form, RFC 9112, 3.2.2) rather than for a tunnel. */
  readonly fetches: boolean;
  /** decisions.md, Upstream TLS: the user wants this host even if its certificate cannot be verified. */
  readonly unverified: boolean;
  readonly identity: ClientIdentity | null;
  readonly http2: Http2Use;
}

/** Addresses that the client at hand may reach. */
export type Allows = (address: string) => boolean;

/**
 * security.md, S5: whether a client that may reach what `allows` says may use a connection by this way, which leads to `address`.
 * Where a further proxy is in between, that is the proxy's: which address a name leads to, only the proxy knows.
 */
export function mayUse({ origin, proxy }: Way, allows: Allows, address: string): boolean {
  if (proxy === null) return allows(address);
  const host = plainHost(origin.host);
  return isIP(host) === 0 || allows(host);
}

/** Reads from the settings how origins are reached. */
export class Ways {
  readonly #settings: () => NetworkSettings;
  readonly #overrides = new HostOverrides();
  readonly #proxies = new UpstreamProxySetting();
  readonly #certificates = new ClientCertificates();

  constructor(settings: () => NetworkSettings) {
    this.#settings = settings;
  }

  /** `bare`: for bytes that are no plain HTTP requests, so that a further proxy must give a tunnel. */
  to(origin: Origin, bare: boolean, wanted: Http2Use = "never"): Way {
    const settings = this.#settings();
    const override = this.#overrides.find(settings.hostOverrides, origin.host);
    const proxy = override === null ? this.#proxies.find(settings, origin.host) : null;
    const isSecure = origin.scheme === "https";
    const fetches = proxy !== null && !isSecure && !bare && wanted !== "known";
    const unverified = isSecure && matchesHost(settings.tlsExceptions, origin.host);
    const identity = isSecure ? this.#certificates.find(settings.clientCertificates, origin.host) : null;
    const http2 = wanted === "offered" && !(isSecure && speaksHttp2(settings, origin.host)) ? "never" : wanted;
    let key = http2 === "known" ? `${origin.text} h2c` : origin.text;
    if (override !== null) key += ` at ${override.host} ${override.port}`;
    if (proxy !== null) key += ` by ${settings.upstreamProxy}${fetches ? "" : " tunnel"}`;
    if (unverified) key += " unverified";
    if (identity !== null) key += ` as ${identity.serial}`;
    return { origin, key, override, proxy, fetches, unverified, identity, http2 };
  }
}
