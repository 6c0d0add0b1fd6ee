import type { NetworkSettings } from "../network-options.ts";
import { matchesHost } from "../origin.ts";

export function speaksHttp2(
  { http2, http1Hosts }: Pick<NetworkSettings, "http2" | "http1Hosts">,
  host: string,
): boolean {
  return http2 && !matchesHost(http1Hosts, host);
}
