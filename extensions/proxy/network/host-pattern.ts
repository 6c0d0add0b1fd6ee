import { domainToASCII } from "node:url";

/** Whether one of the patterns is `host`, in whatever case; `*` stands for any run of characters. */
export function matchesHost(patterns: readonly string[], host: string): boolean {
  return patterns.length > 0 && patterns.some((pattern) => matches(asCompared(pattern), asCompared(host)));
}

/**
 * A host or pattern as hosts are compared: IPv6 addresses without brackets, names as DNS has them (xn--) and without the
 * root's dot, which a client may say or not (RFC 1034, 3.1).
 */
export function asCompared(host: string): string {
  if (host.startsWith("[") && host.endsWith("]")) return host.slice(1, -1).toLowerCase();
  const name = /[^\x20-\x7e]/.test(host) ? domainToASCII(host) : host.toLowerCase();
  return name.endsWith(".") ? name.slice(0, -1) : name;
}

/** Each part between stars must follow the one before it; the first and the last are anchored. No regular expression: no blow-up. */
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
