import { proxyAddressOf } from "../../../src/engine/model/proxy-address.ts";
import { isLoopback, plainHost } from "./address.ts";
import { matchesHost } from "./host-pattern.ts";
import type { NetworkSettings } from "./network-options.ts";
import { type Origin, originOf } from "./origin.ts";

/** A further HTTP proxy between us and the servers. */
export interface UpstreamProxy {
  readonly origin: Origin;
  /** Value of Proxy-Authorization (RFC 7617), `null` where it wants none. */
  readonly authorization: string | null;
}

/** Reads the settings; keeps the last reading, for the same text comes with every request. */
export class UpstreamProxySetting {
  #read: string | null = null;
  #proxy: UpstreamProxy | null = null;

  /** The proxy that leads to `host`; `null`: it is reached directly, as this machine itself always is (our choice). */
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

/** RFC 6761, 6.3: names below localhost too. */
function isThisMachine(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || isLoopback(host);
}

function upstreamProxyOf(text: string): UpstreamProxy | null {
  const address = proxyAddressOf(text);
  if (address === null) return null;
  const { scheme, user, password } = address;
  const credentials = `${decoded(user ?? "")}:${decoded(password ?? "")}`;
  const authorization = user === null ? null : `Basic ${Buffer.from(credentials, "utf8").toString("base64")}`;
  return Object.freeze({ origin: originOf(scheme, address), authorization });
}

/** A stray % stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
