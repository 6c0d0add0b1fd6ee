import { domainToASCII } from "node:url";

/** Whether one of the patterns matches `host`, in any letter case. `*` matches any characters. */
export function matchesHost(patterns: readonly string[], host: string): boolean {
  return patterns.length > 0 && patterns.some((pattern) => matches(asCompared(pattern), asCompared(host)));
}

/**
 * A host or pattern in the form in which they are compared: IPv6 addresses without brackets, names in ASCII (xn--) and
 * without the trailing dot, which is optional (RFC 1034, 3.1).
 */
export function asCompared(host: string): string {
  if (host.startsWith("[") && host.endsWith("]")) return host.slice(1, -1).toLowerCase();
  const name = /[^\x20-\x7e]/.test(host) ? domainToASCII(host) : host.toLowerCase();
  return name.endsWith(".") ? name.slice(0, -1) : name;
}

/**
 * Looks for the parts between stars in order; the first and the last must be at the ends. A regular expression could
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
