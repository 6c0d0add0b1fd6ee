import type { SampledStats } from "../../insights/trends.ts";
import type { EndpointParts } from "../../model/endpoint.ts";
import { aliasedHostOf, type HostAliases } from "../../model/host-alias.ts";
import type { SessionFigures } from "./figures.ts";

/**
 * The figures of `before`, with its endpoints named as in `now` where method, host by alias, path and operation are the
 * same, whatever the scheme. If several endpoints would get one name, the one that has it already keeps it, else the one
 * with the most requests gets it.
 */
export function figuresNamedAs(now: SessionFigures, before: SessionFigures, aliases: HostAliases): SessionFigures {
  const names = new Map(now.endpoints.map((stats) => [keyOf(stats, aliases), stats]));
  const taken = new Set<string>(before.endpoints.map(({ endpoint }) => endpoint));
  const renamed = new Map<SampledStats, SampledStats>();
  for (const stats of before.endpoints.toSorted((one, other) => other.requests - one.requests)) {
    const named = names.get(keyOf(stats, aliases));
    if (named === undefined || taken.has(named.endpoint)) continue;
    taken.add(named.endpoint);
    renamed.set(stats, { ...stats, endpoint: named.endpoint, origin: named.origin });
  }
  return Object.freeze({ ...before, endpoints: before.endpoints.map((stats) => renamed.get(stats) ?? stats) });
}

function keyOf({ method, origin, path, operation }: EndpointParts, aliases: HostAliases): string {
  return JSON.stringify([method, aliasedHostOf(origin, aliases), path, operation]);
}
