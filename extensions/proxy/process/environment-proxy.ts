import { proxyAddressOf } from "../../../src/engine/model/proxy-address.ts";

/** Common order of precedence: the first that is set. */
const NAMES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

/** The proxy in this process's environment, to be offered and never assumed (docs/specification.md); `null`: none. */
export function environmentProxy(environment: Readonly<Record<string, string | undefined>>): string | null {
  const set = NAMES.map((name) => environment[name]?.trim() ?? "").find((value) => value !== "");
  if (set === undefined) return null;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(set) ? set : `http://${set}`;
  return proxyAddressOf(address) === null ? null : address;
}
