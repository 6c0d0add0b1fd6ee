import { isIPv6 } from "node:net";
import { domainToASCII } from "node:url";
import { hostPort } from "../../../../src/engine/model/host-port.ts";

export type Scheme = "http" | "https";

/** Scheme, host and port of a server, parsed once. */
export interface Origin {
  readonly scheme: Scheme;
  /** In lower case, without brackets. */
  readonly host: string;
  readonly port: number;
  /** `scheme://host[:port]`, without the port if it is the scheme's default. */
  readonly text: string;
}

export interface Authority {
  /** In lower case, without brackets. */
  readonly host: string;
  /** `null` if there is no port. */
  readonly port: number | null;
}

export interface Server {
  /** In lower case, without brackets. */
  readonly host: string;
  readonly port: number;
}

const DEFAULT_PORTS: Readonly<Record<Scheme, number>> = { http: 80, https: 443 };

/** RFC 3986, 3.2.2, without user-info ("@") and without commas, because a name with a comma could look like two. */
const AUTHORITY = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._~!$&'()*+;=%-]+))(?::([0-9]{0,5}))?$/;

/** The most characters of `host:port`: a name in DNS has at most 253 (RFC 1035, 2.3.4). */
const LONGEST_AUTHORITY = 300;

/** Parses `host[:port]` (RFC 9110, 7.2); `null` if it is invalid. */
export function authorityOf(text: string): Authority | null {
  if (text.length > LONGEST_AUTHORITY) return null;
  const match = AUTHORITY.exec(text);
  if (match === null) return null;
  const [, address, name, digits] = match;
  const host = (address ?? name ?? "").toLowerCase();
  if (address !== undefined && !isIPv6(address)) return null;
  if (digits === undefined || digits === "") return { host, port: null };
  const port = Number(digits);
  return port >= 1 && port <= 65_535 ? { host, port } : null;
}

export function originOf(scheme: Scheme, { host, port }: Authority): Origin {
  const ownPort = DEFAULT_PORTS[scheme];
  const text =
    port === null || port === ownPort
      ? `${scheme}://${host.includes(":") ? `[${host}]` : host}`
      : `${scheme}://${hostPort(host, port)}`;
  return Object.freeze({ scheme, host, port: port ?? ownPort, text });
}

/**
 * The parts of patterns between their stars, by the list of a setting. Each exchange asks, and a list has up to 1,000.
 */
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
