import { proxyAddressOf } from "../../../src/engine/model/proxy-address.ts";

/** In the usual order of precedence: the first variable that is set counts. */
const NAMES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

/**
 * The proxy named in `environment`; `null` if none is. Weir offers it to the user but never uses it unasked
 * (docs/specification.md).
 */
export function environmentProxy(environment: Readonly<Record<string, string | undefined>>): string | null {
  const set = NAMES.map((name) => environment[name]?.trim() ?? "").find((value) => value !== "");
  if (set === undefined) return null;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(set) ? set : `http://${set}`;
  return proxyAddressOf(address) === null ? null : address;
}
