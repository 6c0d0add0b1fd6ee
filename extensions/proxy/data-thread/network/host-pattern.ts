import { domainToASCII } from "node:url";

/** The parts of patterns between their stars, by the list of a setting. Each exchange asks, and a list has up to 1,000. */
const PARTS = new WeakMap<readonly string[], readonly (readonly string[])[]>();

/**
 * Whether one of the patterns matches `host`, in any letter case. `*` matches any characters. A list must not change
 * after the first call.
 */
export function matchesHost(patterns: readonly string[], host: string): boolean {
  if (patterns.length === 0) return false;
  const parts = PARTS.get(patterns) ?? patterns.map((pattern) => asCompared(pattern).split("*"));
  PARTS.set(patterns, parts);
  const compared = asCompared(host);
  return parts.some((one) => matches(one, compared));
}

/**
 * Normalizes a host or pattern for comparison: lower case, ASCII (xn--), without IPv6 brackets and without a trailing
 * dot (RFC 1034, 3.1).
 */
export function asCompared(host: string): string {
  if (host.startsWith("[") && host.endsWith("]")) return host.slice(1, -1).toLowerCase();
  const name = /[^\x20-\x7e]/.test(host) ? domainToASCII(host) : host.toLowerCase();
  return name.endsWith(".") ? name.slice(0, -1) : name;
}

/**
 * Matches the parts between stars in order; the first and the last part must be at the ends. A regular expression could
 * take exponential time.
 */
function matches([first = "", ...others]: readonly string[], host: string): boolean {
  const last = others.pop();
  if (last === undefined) return host === first;
  if (!host.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = host.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return host.length - last.length >= at && host.endsWith(last);
}
