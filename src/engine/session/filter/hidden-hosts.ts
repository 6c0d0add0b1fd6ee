import type { Settings } from "../../model/settings.ts";
import type { Filter } from "./term.ts";

/** The hosts, each with its port unless that is the scheme's default, whose exchanges no list of the window has. */
export function hiddenHostsOf({
  hiddenHosts,
  showHiddenHosts,
}: Pick<Settings, "hiddenHosts" | "showHiddenHosts">): readonly string[] {
  return showHiddenHosts ? [] : hiddenHosts;
}

/** The filter, narrowed to the exchanges of all other hosts. */
export function withoutHosts(filter: Filter, hosts: readonly string[]): Filter {
  if (hosts.length === 0) return filter;
  const of = hosts.map((host) => ({ kind: "under", host, path: "" }) as const);
  return Object.freeze([...filter, { kind: "not", of: { kind: "any", of } } as const]);
}

/** The number of exchanges of these hosts, which match in any letter case. */
export function exchangesOf(counts: ReadonlyMap<string, number>, hosts: readonly string[]): number {
  const wanted = new Set(hosts.map((host) => host.toLowerCase()));
  let sum = 0;
  for (const [host, exchanges] of counts) if (wanted.has(host.toLowerCase())) sum += exchanges;
  return sum;
}
