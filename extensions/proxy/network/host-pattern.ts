import { domainToASCII } from "node:url";

/** Whether one of the patterns is `host`, in whatever case; `*` stands for any run of characters. */
export function matchesHost(patterns: readonly string[], host: string): boolean {
  return patterns.length > 0 && patterns.some((pattern) => matches(asAsked(pattern), host.toLowerCase()));
}

/** A host or pattern as clients ask for hosts: IPv6 addresses are compared without brackets, and names as DNS has them (xn--). */
export function asAsked(pattern: string): string {
  if (pattern.startsWith("[") && pattern.endsWith("]")) return pattern.slice(1, -1).toLowerCase();
  return /[^\x20-\x7e]/.test(pattern) ? domainToASCII(pattern) : pattern.toLowerCase();
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
