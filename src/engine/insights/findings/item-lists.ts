import type { ExchangeId, Milliseconds } from "../../model/units.ts";
import { lowerBound } from "../../stats/lower-bound.ts";
import type { Request, Traffic } from "./traffic.ts";

/** A burst follows its list at most this long after the list's end. */
const LIST_GAP: Milliseconds = 1_000;

/** A response is the list of a burst if it gave values to at least this many of its requests. */
const LEAST_GIVEN = 2;

/** A burst repeats with its list if both follow each other at least this often, and nearly always. */
const LEAST_REPEATS = 3;
const LEAST_SHARE = 0.8;
const LEAST_SHARE_OF_LISTS = 0.6;

/** Whether at least half of the burst's requests need values from lists, each of which gave values to several. */
export function isGivenByLists(burst: readonly Request[], { links }: Traffic): boolean {
  const givers = new Map<ExchangeId, number>();
  const ownOf = (request: Request) => new Set(links.provenInto(request.id).map(({ from }) => from));
  for (const request of burst) for (const from of ownOf(request)) givers.set(from, (givers.get(from) ?? 0) + 1);
  const given = burst.filter((request) => [...ownOf(request)].some((from) => (givers.get(from) ?? 0) >= LEAST_GIVEN));
  return given.length >= burst.length / 2;
}

/**
 * The bursts that follow a request to one endpoint, if that endpoint and the bursts come together again and again. Once
 * is enough for the collection of the items: `/items` before `/items/{id}/price`. `path`: that of the bursts' shape.
 */
export function repeatedWithList(
  bursts: readonly (readonly Request[])[],
  path: string,
  traffic: Traffic,
): readonly (readonly Request[])[] {
  const members = new Set(bursts.flat().map(({ id }) => id));
  const clients = new Set(bursts.flat().map(({ client }) => client));
  const lists = bursts.map((burst) => ({ burst, before: endpointsBefore(burst, members, traffic) }));
  const counts = new Map<string, number>();
  for (const { before } of lists) for (const key of before) counts.set(key, (counts.get(key) ?? 0) + 1);
  const list = [...counts].find(([key, count]) => {
    const requests = (traffic.endpoints.get(key) ?? []).filter(({ client }) => clients.has(client));
    const least = requests.some((one) => path.startsWith(`${one.path}/`)) ? 1 : LEAST_REPEATS;
    return count >= least && count >= LEAST_SHARE * bursts.length && count >= LEAST_SHARE_OF_LISTS * requests.length;
  });
  return list === undefined ? [] : lists.flatMap(({ burst, before }) => (before.has(list[0]) ? [burst] : []));
}

/** The endpoints of the client's other requests that ended shortly before the burst, by `endpointKey`. */
function endpointsBefore(
  [first]: readonly Request[],
  members: ReadonlySet<ExchangeId>,
  { byClient }: Traffic,
): ReadonlySet<string> {
  const own = first === undefined ? [] : (byClient.get(first.client) ?? []);
  const start = first?.start ?? 0;
  const keys = new Set<string>();
  const until = lowerBound(0, own.length, (at) => (own[at]?.start ?? 0) >= start);
  for (let at = until - 1; at >= Math.max(0, until - MOST_LOOKED_AT); at -= 1) {
    const other = own[at];
    if (other === undefined || members.has(other.id) || other.end > start || start - other.end > LIST_GAP) continue;
    keys.add(other.endpointKey);
  }
  return keys;
}

/** How many earlier requests of the client are examined. */
const MOST_LOOKED_AT = 50;
