import { isIP } from "node:net";
import type { Milliseconds } from "../../../../../src/engine/model/units.ts";

/** The name servers, and how they are asked (resolv.conf(5)). */
export interface ResolvConf {
  /** Addresses, at most three. */
  readonly servers: readonly string[];
  /** Domains that are appended to a name; "" for the root. */
  readonly search: readonly string[];
  /** A name with at least this many dots is first asked for as it is. */
  readonly ndots: number;
  readonly timeout: Milliseconds;
  readonly attempts: number;
  /** Whether each look-up begins with another server. */
  readonly rotate: boolean;
  readonly ipv6: boolean;
}

/** Options that change queries in a way that `dns-query.ts` does not know. */
const UNKNOWN = /^(?:use-vc|usevc|single-request|single-request-reopen|no-tld-query)$/;

/**
 * Reads a resolv.conf in lower case as glibc does, with its limits; `null` stands for no file. Returns `null` if the
 * file has something that only the system knows.
 */
export function resolvConfOf(text: string | null, hostName: string): ResolvConf | null {
  const servers: string[] = [];
  let search: readonly string[] | null = null;
  let options: readonly string[] = [];
  for (const line of (text ?? "").split("\n")) {
    const [keyword, ...words] = line.trimEnd().split(/[ \t]+/);
    if (keyword === "nameserver" && isIP(words[0] ?? "") !== 0) servers.push(words[0] ?? "");
    if (keyword === "search") search = words;
    if (keyword === "domain") search = words.slice(0, 1);
    if (keyword === "options") options = [...options, ...words];
  }
  if (options.some((option) => UNKNOWN.test(option)) || servers.some((server) => server.includes("%"))) return null;
  return {
    servers: servers.length === 0 ? ["127.0.0.1"] : servers.slice(0, 3),
    search: (search ?? domainOf(hostName)).map((domain) => domain.replace(/^\./, "").replace(/\.$/, "")),
    ndots: numberOf(options, "ndots", 1, 15),
    timeout: numberOf(options, "timeout", 5, 30) * 1_000,
    attempts: Math.max(1, numberOf(options, "attempts", 2, 5)),
    rotate: options.includes("rotate"),
    ipv6: !options.includes("no-aaaa"),
  };
}

function domainOf(hostName: string): readonly string[] {
  const dot = hostName.indexOf(".");
  return dot < 0 ? [] : [hostName.slice(dot + 1)];
}

function numberOf(options: readonly string[], name: string, usual: number, most: number): number {
  const given = options.findLast((option) => option.startsWith(`${name}:`));
  const number = Number.parseInt(given?.slice(name.length + 1) ?? "", 10);
  return Number.isNaN(number) || number < 0 ? usual : Math.min(number, most);
}
