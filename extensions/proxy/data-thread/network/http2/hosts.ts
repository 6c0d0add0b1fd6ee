import type { NetworkSettings } from "../network-options.ts";
import { matchesHost } from "../origin.ts";

/** Whether HTTP/2 may be used with clients and servers for this host. */
export function speaksHttp2(
  { http2, http1Hosts }: Pick<NetworkSettings, "http2" | "http1Hosts">,
  host: string,
): boolean {
  return http2 && !matchesHost(http1Hosts, host);
}
