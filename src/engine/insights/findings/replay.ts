import type { Milliseconds } from "../../model/units.ts";
import { lowerBound } from "../../stats/lower-bound.ts";
import { groupedBy, isAwaited, type Request } from "./traffic.ts";
import { savedBy } from "./waiting.ts";

/** A client that starts a request this soon after one of its requests ended has waited for that end. */
const AT_ONCE: Milliseconds = 5;

/** A client waits for the ends of its requests if at least this share of its overlapping requests start at once after one. */
const LEAST_SHARE = 0.5;

/**
 * How much less clients would have waited if these requests had been shorter, each by its saving. What overlaps keeps its
 * place; where a client sends its next request as soon as one ends, that one comes earlier, too.
 *
 *     a ├────────┤            a ├──┤
 *     b ├──┤         without: b ├──┤
 *     c     ├──────┤          c     ├──────┤      d follows a
 *     d           ├───┤       d     ├───┤
 *
 * `requests`: all of the session, by start.
 */
export function savedWithout(requests: readonly Request[], savings: ReadonlyMap<Request, Milliseconds>): Milliseconds {
  const clients = new Set<string>();
  for (const { client } of savings.keys()) clients.add(client);
  const own = groupedBy(requests, (request) =>
    clients.has(request.client) && isAwaited(request) ? request.client : null,
  );
  let saved = 0;
  for (const list of own.values()) saved += savedBy(list, replayed(list, savings));
  return saved;
}

/** The spans of one client's requests with the savings taken out. */
function replayed(own: readonly Request[], savings: ReadonlyMap<Request, Milliseconds>) {
  const byEnd = own.toSorted((left, right) => left.end - right.end);
  const before = own.map((request) => latestEnded(byEnd, request));
  const isFollowing = followsEnds(own, before);
  const ends = new Map<Request, number>();
  return own.map((request, index) => {
    const last = before[index] ?? null;
    const shift = isFollowing && last !== null ? last.end - (ends.get(last) ?? last.end) : 0;
    const start = request.start - shift;
    const end = request.end - shift - (savings.get(request) ?? 0);
    ends.set(request, end);
    return { client: request.client, start, end };
  });
}

/** Of the requests sorted by end, the last that ended before this one started; `null` if there is none. */
function latestEnded(byEnd: readonly Request[], { start }: Request): Request | null {
  const after = lowerBound(0, byEnd.length, (place) => (byEnd[place]?.end ?? 0) > start);
  return byEnd[after - 1] ?? null;
}

/**
 * Whether the client starts requests when others end, as a pool of workers does. Without requests that overlap it does not
 * matter. `before`: for each request the last one that ended before.
 */
function followsEnds(own: readonly Request[], before: readonly (Request | null)[]): boolean {
  let [overlapping, atOnce, until] = [0, 0, Number.NEGATIVE_INFINITY];
  for (const [index, { start, end }] of own.entries()) {
    if (start < until) {
      overlapping += 1;
      if (start - (before[index]?.end ?? Number.NEGATIVE_INFINITY) <= AT_ONCE) atOnce += 1;
    }
    until = Math.max(until, end);
  }
  return atOnce >= LEAST_SHARE * overlapping;
}

/**
 * For each slow request, how much longer it took than the other request of the same rank: the slowest against the
 * slowest, the median against the median. `lengthOf`: the length that is compared.
 */
export function savingsAgainst(
  slow: readonly Request[],
  others: readonly Request[],
  lengthOf: (request: Request) => Milliseconds,
): ReadonlyMap<Request, Milliseconds> {
  const savings = new Map<Request, Milliseconds>();
  if (others.length === 0) return savings;
  const usual = Float64Array.from(others, lengthOf).sort();
  const sorted = slow.toSorted((left, right) => lengthOf(left) - lengthOf(right));
  for (const [rank, request] of sorted.entries()) {
    const place = ((rank + 0.5) / sorted.length) * usual.length;
    const saving = lengthOf(request) - (usual[Math.min(usual.length - 1, Math.floor(place))] ?? 0);
    if (saving > 0) savings.set(request, saving);
  }
  return savings;
}
