import { isIP } from "node:net";
import { proxyAddressOf } from "../../../../../src/engine/model/proxy-address.ts";
import { offersHttp2 } from "../http2/offer.ts";
import type { NetworkSettings } from "../network-options.ts";
import { asCompared, authorityOf, matchesHost, type Origin, originOf, type Server } from "../origin.ts";
import { isLocalName, plainHost } from "../sockets/address.ts";
import type { Failure } from "../sockets/error-type.ts";
import { ClientCertificates, type ClientIdentity } from "../tls/client-certificates.ts";
import { HostAuthorities, type TrustedForHost } from "../tls/host-authorities.ts";

/**
 * Whether HTTP/2 is used with a server. `offered`: if ALPN selects it; `known`: without negotiation, because the client
 * uses HTTP/2 in this way (RFC 9113, 3.3).
 */
export type Http2Use = "never" | "offered" | "known";

/** How an origin is reached with the current settings. */
export interface Route {
  readonly origin: Origin;
  /** Routes with the same key may share connections and TLS sessions. */
  readonly key: string;
  /** Where the client wants to connect; `null` for the origin's own host and port. */
  readonly at: Server | null;
  /** The user's host override, which takes precedence. */
  readonly override: Server | null;
  /** The upstream proxy; `null` if there is none, or if the host has an override. */
  readonly proxy: UpstreamProxy | null;
  /** Whether the proxy fetches the response (absolute-form, RFC 9112, 3.2.2) instead of opening a tunnel. */
  readonly fetches: boolean;
  /** docs/specification.md, Upstream TLS: whether the user allows this host an invalid certificate. */
  readonly unverified: boolean;
  readonly identity: ClientIdentity | null;
  /** The certificates that the user trusts for this host, besides the roots for all. */
  readonly authority: TrustedForHost | null;
  readonly http2: Http2Use;
}

/**
 * Why the client may not reach this address; `null` if it may. `isGiven`: whether the user's host override names it.
 */
export type RefusalOf = (address: string, isGiven: boolean) => Failure | null;

/**
 * docs/security.md S5, S21: why a client may not use a connection to `address` by this route; `null` if it may. With an
 * upstream proxy, `address` is the proxy's. Then only a target that is an IP address is checked, because the proxy
 * resolves names.
 */
export function routeRefusal(
  { origin, at, override, proxy }: Route,
  refusalOf: RefusalOf,
  address: string,
): Failure | null {
  if (proxy === null) return refusalOf(address, override !== null);
  const host = plainHost((at ?? origin).host);
  return isIP(host) === 0 ? null : refusalOf(host, false);
}

/** Resolves how an origin is reached with the current settings. */
export class RouteResolver {
  readonly #settings: () => NetworkSettings;
  readonly #proxies = new UpstreamProxySetting();
  readonly #certificates = new ClientCertificates();
  readonly #authorities = new HostAuthorities();

  constructor(settings: () => NetworkSettings) {
    this.#settings = settings;
  }

  /** `bare`: the bytes are no plain HTTP requests, so that an upstream proxy must open a tunnel for them. */
  to(origin: Origin, at: Server | null, bare: boolean, wanted: Http2Use = "never"): Route {
    const settings = this.#settings();
    const override =
      overrideIn(settings.hostOverrides, origin.host) ??
      (at === null ? null : overrideIn(settings.hostOverrides, at.host));
    const proxy = override === null ? this.#proxies.find(settings, origin.host) : null;
    const isSecure = origin.scheme === "https";
    // A proxy that fetches the response connects to the URL's host. Only a tunnel can lead to the address that the
    // client chose (`at`).
    const fetches = proxy !== null && at === null && !isSecure && !bare && wanted !== "known";
    const unverified = isSecure && matchesHost(settings.tlsExceptions, origin.host);
    const identity = isSecure ? this.#certificates.find(settings.clientCertificates, origin.host) : null;
    const authority = isSecure ? this.#authorities.find(settings.hostAuthorities, origin.host) : null;
    const http2 = wanted === "offered" && !(isSecure && offersHttp2(settings, origin.host)) ? "never" : wanted;
    let key = http2 === "known" ? `${origin.text} h2c` : origin.text;
    const there = override ?? at;
    if (there !== null) key += ` at ${there.host} ${there.port}`;
    if (proxy !== null) key += ` by ${settings.upstreamProxy}${fetches ? "" : " tunnel"}`;
    if (unverified) key += " unverified";
    if (identity !== null) key += ` as ${identity.serial}`;
    if (authority !== null) key += ` by CA ${authority.serial}`;
    return { origin, key, at, override, proxy, fetches, unverified, identity, authority, http2 };
  }
}

/** The overrides of each list, since every request asks with the same one. */
const OVERRIDES = new WeakMap<readonly string[], ReadonlyMap<string, Server>>();

/**
 * The address in the `name=address:port` entry for `name`; `null` if there is none. Ignores invalid entries. A list
 * must not change after the first call.
 */
export function overrideIn(settings: readonly string[], name: string): Server | null {
  if (settings.length === 0) return null;
  const byName = OVERRIDES.get(settings) ?? new Map(settings.flatMap(entryOf));
  OVERRIDES.set(settings, byName);
  return byName.get(asCompared(name)) ?? null;
}

function entryOf(setting: string): [string, Server][] {
  const equals = setting.indexOf("=");
  const authority = authorityOf(setting.slice(equals + 1).trim());
  if (equals < 1 || authority === null || authority.port === null) return [];
  return [[asCompared(setting.slice(0, equals).trim()), { host: authority.host, port: authority.port }]];
}

/** An HTTP proxy between Weir and the servers. */
export interface UpstreamProxy {
  readonly origin: Origin;
  /** The value of Proxy-Authorization (RFC 7617); `null` without credentials. */
  readonly authorization: string | null;
}

/** Parses the setting. The last result is cached, since every request passes the same text. */
export class UpstreamProxySetting {
  #read: string | null = null;
  #proxy: UpstreamProxy | null = null;

  /**
   * The upstream proxy for `host`; `null` if the host is reached directly. Default: this computer is always reached
   * directly.
   */
  find(settings: Pick<NetworkSettings, "upstreamProxy" | "upstreamProxyBypass">, host: string): UpstreamProxy | null {
    if (settings.upstreamProxy === null) return null;
    if (settings.upstreamProxy !== this.#read) {
      this.#read = settings.upstreamProxy;
      this.#proxy = upstreamProxyOf(settings.upstreamProxy);
    }
    const isDirect = isLocalName(plainHost(host)) || matchesHost(settings.upstreamProxyBypass, host);
    return isDirect ? null : this.#proxy;
  }
}

function upstreamProxyOf(text: string): UpstreamProxy | null {
  const address = proxyAddressOf(text);
  if (address === null) return null;
  const { scheme, user, password } = address;
  const credentials = decoded(`${user ?? ""}:${password ?? ""}`);
  const authorization = user === null ? null : `Basic ${credentials.toString("base64")}`;
  return Object.freeze({ origin: originOf(scheme, address), authorization });
}

/** Decodes each escape to its byte, as curl does. A percent sign that begins no escape stays as it is. */
function decoded(text: string): Buffer {
  const encoded = Buffer.from(text, "utf8").toString("latin1");
  const bytes = encoded.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1");
}
