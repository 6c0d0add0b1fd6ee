import { proxyAddressOf } from "../../../../../src/engine/model/proxy-address.ts";
import { matchesHost } from "../host-pattern.ts";
import type { NetworkSettings } from "../network-options.ts";
import { type Origin, originOf } from "../origin.ts";
import { isLoopback, plainHost } from "../sockets/address.ts";

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
   * The upstream proxy for `host`; `null` if the host is reached directly. Default: this
   * computer is always reached directly.
   */
  find(settings: Pick<NetworkSettings, "upstreamProxy" | "upstreamProxyBypass">, host: string): UpstreamProxy | null {
    if (settings.upstreamProxy === null) return null;
    if (settings.upstreamProxy !== this.#read) {
      this.#read = settings.upstreamProxy;
      this.#proxy = upstreamProxyOf(settings.upstreamProxy);
    }
    const isDirect = isThisMachine(plainHost(host)) || matchesHost(settings.upstreamProxyBypass, host);
    return isDirect ? null : this.#proxy;
  }
}

/** Whether the host is a loopback address, `localhost`, or a name below `localhost` (RFC 6761, 6.3). */
function isThisMachine(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || isLoopback(host);
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
