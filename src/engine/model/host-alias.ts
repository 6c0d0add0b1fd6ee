import { type Endpoint, endpointAt, hostOf, partsOf } from "./endpoint.ts";
import { isPort } from "./host-port.ts";
import { failure, type Result, success } from "./result.ts";

/** Other names of hosts: `host` or `host:port` → the name that stands for it. A host without a port has any port. */
export type HostAliases = ReadonlyMap<string, string>;

export const NO_ALIASES: HostAliases = new Map();

const HOST = String.raw`(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9](?:[a-z0-9._-]{0,253}[a-z0-9])?)(?::(\d{1,5}))?`;
const ENTRY = new RegExp(`^(${HOST})=(${HOST})$`, "i");

/** Parses entries `host=host`, as in `staging.example.com=api.example.com`; both may have a port. */
export function hostAliasesOf(entries: readonly string[]): Result<HostAliases> {
  const aliases = new Map<string, string>();
  for (const entry of entries) {
    const [, from = "", fromPort = "1", to = "", toPort = "1"] = ENTRY.exec(entry.toLowerCase()) ?? [];
    if (from === "" || !isPort(Number(fromPort)) || !isPort(Number(toPort)))
      return failure(
        `"${entry}" does not have the form host=host, such as staging.example.com=api.example.com, without a scheme or path.`,
      );
    if (from === to) return failure(`"${entry}" names one host twice.`);
    const known = aliases.get(from);
    if (known !== undefined && known !== to) return failure(`${from} has two aliases, ${known} and ${to}.`);
    aliases.set(from, to);
  }
  const chained = [...aliases.values()].find((to) => aliases.has(to));
  return chained === undefined ? success(aliases) : failure(`${chained} is an alias and has one itself.`);
}

/** The host of an origin (`scheme://host[:port]`), by the name that stands for it. */
export function aliasedHostOf(origin: string, aliases: HostAliases): string {
  const host = hostOf(origin).toLowerCase();
  return aliases.get(host) ?? aliases.get(host.replace(/:\d+$/, "")) ?? host;
}

/** The endpoint with its host by the name that stands for it, so that it is called alike in each run. */
export function aliasedEndpointOf(endpoint: Endpoint, aliases: HostAliases): Endpoint {
  const { method, origin, path, operation } = partsOf(endpoint);
  const host = aliasedHostOf(origin, aliases);
  if (host === hostOf(origin).toLowerCase()) return endpoint;
  return endpointAt(method, `${origin.slice(0, origin.indexOf("://"))}://${host}`, path, operation);
}
