import { hostPort, isPort } from "./host-port.ts";
import { failure, type Problem, type Result, success } from "./result.ts";

/** A local port that forwards to one origin. */
export interface ReversePort {
  readonly port: number;
  readonly scheme: "http" | "https";
  /** `host` or `host:port`, in lower case; IPv6 in brackets. */
  readonly authority: string;
}

const ENTRY =
  /^(\d{1,5})=(https?):\/\/((?:\[[0-9a-f:.]{2,45}\]|[a-z0-9](?:[a-z0-9._-]{0,253}[a-z0-9])?)(?::\d{1,5})?)\/?$/i;

/** Parses `port=scheme://host[:port]`. */
export function reversePortOf(entry: string): Result<ReversePort> {
  const [, digits = "", scheme = "", authority = ""] = ENTRY.exec(entry) ?? [];
  const port = Number(digits);
  const target = /:(\d+)$/.exec(authority)?.[1];
  if (authority !== "" && isPort(port) && (target === undefined || isPort(Number(target))))
    return success({ port, scheme: /^http$/i.test(scheme) ? "http" : "https", authority: authority.toLowerCase() });
  if (/^\d{1,5}=https?:\/\/[^/?#@]+[/?#]./i.test(entry))
    return failure(
      `"${entry}" names a path. A reverse port forwards to a whole origin, such as 9001=https://api.example.com.`,
    );
  return failure(`"${entry}" does not have the form port=origin, such as 9001=https://api.example.com.`);
}

/** Says which port two entries share; `null` if there is none. Ignores entries that are invalid in themselves. */
export function repeatedPort(entries: readonly string[]): Problem | null {
  const ports = entries.map(reversePortOf).flatMap((entry) => (entry.ok ? entry.value.port : []));
  const twice = ports.find((port, index) => ports.indexOf(port) !== index);
  return twice === undefined ? null : `Port ${twice} is named twice. One reverse port forwards to one origin.`;
}

/** `scheme://host[:port]`, without the scheme's default port. */
export function originTextOf({ scheme, authority }: ReversePort): string {
  return `${scheme}://${authority.replace(scheme === "http" ? /:80$/ : /:443$/, "")}`;
}

/**
 * The port of the entry that forwards to the URL's origin; if there is none, the first port from 9001 on that no entry
 * uses.
 */
export function reversePortFor(entries: readonly string[], url: string): number {
  const [, authority = ""] = /^\w+:\/\/([^/?#]*)/.exec(url) ?? [];
  const wanted = originTextOf({ port: 0, scheme: url.startsWith("http:") ? "http" : "https", authority });
  const open = entries.map(reversePortOf).flatMap((entry) => (entry.ok ? entry.value : []));
  const found = open.find((entry) => originTextOf(entry) === wanted.toLowerCase());
  if (found !== undefined) return found.port;
  const used = open.map(({ port }) => port);
  let port = SUGGESTED;
  while (used.includes(port)) port += 1;
  return port;
}

/** The first port that is suggested. */
const SUGGESTED = 9001;

/** The URL that a client uses in place of the origin. */
export function reverseUrl(port: number): string {
  return `http://${hostPort("127.0.0.1", port)}`;
}
