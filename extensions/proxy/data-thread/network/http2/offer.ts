import type { NetworkSettings } from "../network-options.ts";
import { matchesHost } from "../origin.ts";

/** Whether Weir offers HTTP/2 for `host`: in ALPN (RFC 7301) to clients and server, and to clients without TLS. */
export function offersHttp2(
  { http2, http1Hosts }: Pick<NetworkSettings, "http2" | "http1Hosts">,
  host: string,
): boolean {
  return http2 && !matchesHost(http1Hosts, host);
}
