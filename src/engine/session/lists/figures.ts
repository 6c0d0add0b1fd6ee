import type { SampledStats } from "../../insights/trends.ts";
import type { LoadFigures } from "../../insights/where/load-figures.ts";
import { type EndpointParts, partsOf } from "../../model/endpoint.ts";
import { aliasedHostOf, type HostAliases } from "../../model/host-alias.ts";
import type { Bytes, Instant } from "../../model/units.ts";
import type { EndpointTally } from "../../stats/endpoint-tally.ts";
import type { LatencySample } from "../../stats/percentile.ts";
import type { Session } from "../session.ts";
import { endpointStatsOf } from "./endpoint-lists.ts";

/** The figures of a session that are stored when it ends, for trends and comparison. */
export interface SessionFigures {
  /** `null` if nothing was captured. */
  readonly start: Instant | null;
  readonly exchanges: number;
  readonly counted: number;
  readonly errors: number;
  /** All latencies of the session; `null` if there are none. */
  readonly latencies: LatencySample | null;
  readonly bytes: Bytes;
  /** The endpoints with at least `MINIMUM_REQUESTS` requests. A session without such endpoints is in no baseline. */
  readonly endpoints: readonly SampledStats[];
}

/** `most`: of how many endpoints, those with the most requests first; absent for all, in their order. */
export function figuresOf(session: Session, most?: number): SessionFigures {
  const { start, counted, errors, latencies, bytes } = session.summary;
  const all = session.tallies.withRow();
  const tallies = most === undefined ? all : all.toSorted((one, other) => other.requests - one.requests).slice(0, most);
  const endpoints = Object.freeze(tallies.flatMap((tally) => sampledStatsOf(tally) ?? []));
  return Object.freeze({ start, exchanges: session.exchanges, counted, errors, latencies, bytes, endpoints });
}

/** The endpoint's row with samples of its values; `null` if it has too few requests. */
export function sampledStatsOf(tally: EndpointTally): SampledStats | null {
  const stats = endpointStatsOf(tally);
  return stats === null ? null : Object.freeze({ ...stats, sampled: tally.samples() });
}

/**
 * The figures of `before`, with its endpoints named as in `now` where method, host by alias, path and operation are the
 * same, whatever the scheme. If several endpoints would get one name, the one that has it already keeps it, else the
 * one with the most requests gets it.
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

/** The page loads of `before`, with their pages named as in `now` where they are the same by alias. */
export function loadsNamedAs(
  now: readonly LoadFigures[],
  before: readonly LoadFigures[],
  aliases: HostAliases,
): readonly LoadFigures[] {
  const names = new Map(now.map(({ page }) => [keyOf(partsOf(page), aliases), page]));
  return before.map((load) => ({ ...load, page: names.get(keyOf(partsOf(load.page), aliases)) ?? load.page }));
}

function keyOf({ method, origin, path, operation }: EndpointParts, aliases: HostAliases): string {
  return JSON.stringify([method, aliasedHostOf(origin, aliases), path, operation]);
}
