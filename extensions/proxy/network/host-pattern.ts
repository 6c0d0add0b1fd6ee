import { domainToASCII } from "node:url";

/** Whether one of the patterns matches `host`, in any letter case. `*` matches any characters. */
export function matchesHost(patterns: readonly string[], host: string): boolean {
  return patterns.length > 0 && patterns.some((pattern) => matches(asCompared(pattern), asCompared(host)));
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
function matches(pattern: string, host: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return host === pattern;
  if (!host.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = host.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return host.length - last.length >= at && host.endsWith(last);
}
