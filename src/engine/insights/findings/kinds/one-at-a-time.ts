import type { Milliseconds } from "../../../model/units.ts";
import { medianOf } from "../../../stats/percentile.ts";
import { variationOf } from "../../../stats/variation.ts";
import { groupedBy } from "../../grouped.ts";
import {
  atEndpoint,
  atOrigin,
  type Context,
  claimedBy,
  draftOf,
  draftsByEndpoint,
  figures,
  largestOf,
  longestFirst,
} from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { smallestOf, spreadOf, sumOf } from "../numbers.ts";
import { isPreflight, serverEndOf, serverStartOf } from "../request.ts";
import { savedWaiting } from "../saved-waiting.ts";
import { counted, inMs, nameOf, quoted } from "../text.ts";
import { isAwaited, type Request, type Traffic } from "../traffic.ts";
import { lengthOf } from "../waiting.ts";

/** docs/specification.md, one-at-a-time. */
const LEAST_IN_BURST = 4;
const LEAST_BURSTS = 3;
const LEAST_REQUESTS = 12;
/** Of the spaces with one worker. Every k-th space varies less, by the root of k, even if the ends are random. */
const MOST_VARIATION = 0.25;

/** At least this share of the bursts that could show it must end equally spaced. */
const LEAST_SHARE_OF_BURSTS = 0.8;

/** A burst starts at once: its starts are spread over less than this share of the spread of its ends. */
const MOST_SPREAD_OF_STARTS = 0.5;

/** In a burst the last response takes at least this many times as long as the first. */
const LEAST_GROWTH = 2;

/** The first response of a burst takes at most this many spaces, apart from the round trip: it waited for no other. */
const MOST_FIRST = 1.5;

/** The most requests that a server is taken to answer at once, and still be a small pool. */
const LARGEST_POOL = 8;

/** A shorter space between the ends may be the client's own work on each response. */
const LEAST_SPACE: Milliseconds = 5;

/** A burst in which every `pool`-th response ends `space` ms after the one before. */
interface Queue {
  readonly burst: readonly Request[];
  readonly space: Milliseconds;
}

/** Servers that answer requests sent at once one after another: a lock, one worker, or a small pool of workers. */
export function oneAtATime({ traffic, found }: Context): readonly Draft[] {
  const claimed = claimedBy(found, ["rate-limited", "retries", "errors", "server-pauses"]);
  const timed = traffic.requests.filter(
    (one) => isAwaited(one) && one.server !== null && !one.isError && !isPreflight(one) && !claimed.has(one.id),
  );
  const ofEndpoints = draftsByEndpoint(timed, (own) => draftFor(own, traffic, true));
  const explained = new Set(ofEndpoints.flatMap(({ covers }) => [...covers]));
  const rest = timed.filter(({ id }) => !explained.has(id));
  const ofOrigins = [...groupedBy(rest, ({ origin }) => origin).values()]
    .filter((own) => new Set(own.map(({ endpointKey }) => endpointKey)).size >= 2)
    .flatMap((own) => draftFor(own, traffic, false) ?? []);
  return [...ofEndpoints, ...ofOrigins];
}

function draftFor(own: readonly Request[], traffic: Traffic, isOfEndpoint: boolean): Draft | null {
  if (own.length < LEAST_REQUESTS) return null;
  const roundTrip = roundTripOf(own);
  const bursts = burstsOf(own).filter((burst) => startsAtOnce(burst, roundTrip));
  for (let pool = 1; pool <= LARGEST_POOL; pool += 1) {
    const possible = bursts.filter(({ length }) => length >= Math.max(LEAST_IN_BURST, 2 * pool));
    const queues = possible.flatMap((burst) => queueOf(burst, pool, roundTrip) ?? []);
    const requests = sumOf(queues, ({ burst }) => burst.length);
    if (queues.length < LEAST_BURSTS && requests < LEAST_REQUESTS) continue;
    if (queues.length >= LEAST_SHARE_OF_BURSTS * possible.length)
      return isTimeOfEach(queues, roundTrip)
        ? draftOfQueues({ own, queues, pool, isOfEndpoint, time: waitIn(queues, roundTrip, traffic) })
        : null;
  }
  return null;
}

/**
 * The largest sets of requests that the server had at one instant, in turn: a burst ends when the next request begins
 * after its first response. Each by the end of the server's work.
 */
function burstsOf(own: readonly Request[]): readonly (readonly Request[])[] {
  const bursts: Request[][] = [];
  let firstEnd = Number.NEGATIVE_INFINITY;
  for (const request of own.toSorted((left, right) => serverStartOf(left) - serverStartOf(right))) {
    if (serverStartOf(request) < firstEnd) {
      bursts.at(-1)?.push(request);
      firstEnd = Math.min(firstEnd, serverEndOf(request));
    } else {
      bursts.push([request]);
      firstEnd = serverEndOf(request);
    }
  }
  return bursts
    .filter(({ length }) => length >= LEAST_IN_BURST)
    .map((burst) => burst.sort((left, right) => serverEndOf(left) - serverEndOf(right)));
}

/** Whether the requests start close together, and their times grow in turn, apart from the round trip. */
function startsAtOnce(burst: readonly Request[], roundTrip: Milliseconds): boolean {
  const starts = burst.map(serverStartOf);
  const [first, last] = [burst[0], burst.at(-1)];
  if (first === undefined || last === undefined) return false;
  const spread = spreadOf(starts);
  const ends = serverEndOf(last) - serverEndOf(first);
  const timeOf = ({ server }: Request) => (server ?? 0) - roundTrip;
  return spread < MOST_SPREAD_OF_STARTS * ends && timeOf(last) >= LEAST_GROWTH * timeOf(first);
}

/**
 * The queue that the ends show if the server answers `pool` requests at once; `null` if they are not equally spaced.
 * With several workers, the first responses must take one space as well.
 */
function queueOf(burst: readonly Request[], pool: number, roundTrip: Milliseconds): Queue | null {
  const spaces = burst.slice(pool).map((request, index) => serverEndOf(request) - serverEndOf(burst[index] ?? request));
  if (pool > 1) spaces.push(...burst.slice(0, pool).map(({ server }) => (server ?? 0) - roundTrip));
  const space = medianOf(spaces);
  return space >= LEAST_SPACE && variationOf(spaces) < MOST_VARIATION / Math.sqrt(pool) ? { burst, space } : null;
}

/**
 * Whether the space is the time of a request that waits for no other; if that takes longer, the server has no queue.
 */
function isTimeOfEach(queues: readonly Queue[], roundTrip: Milliseconds): boolean {
  const firsts = queues.map(({ burst }) => burst[0]?.server ?? 0);
  const space = medianOf(queues.map((queue) => queue.space));
  return medianOf(firsts) - roundTrip <= MOST_FIRST * space;
}

/** The shortest time in which a TCP connection was opened, which takes one round trip; 0 if none was. */
function roundTripOf(own: readonly Request[]): Milliseconds {
  const times = own.flatMap(({ facts: { exchange } }) => {
    const { connectStart, secureConnectionStart, connectEnd } = exchange.instants;
    const end = secureConnectionStart ?? connectEnd;
    return connectStart === null || end === null ? [] : [end - connectStart];
  });
  return smallestOf(times);
}

/** Bursts of `own` that wait in a queue. `time`: what the clients would wait less without it. */
interface Queued {
  readonly own: readonly Request[];
  readonly queues: readonly Queue[];
  readonly pool: number;
  readonly isOfEndpoint: boolean;
  readonly time: Milliseconds;
}

function draftOfQueues({ own, queues, pool, isOfEndpoint, time }: Queued): Draft | null {
  const all = queues.flatMap(({ burst }) => burst);
  const [first] = all;
  if (first === undefined) return null;
  const space = medianOf(queues.map((queue) => queue.space));
  const [largest] = queues.toSorted((left, right) => right.burst.length - left.burst.length);
  const size = largest?.burst.length ?? 0;
  const longest = largestOf((largest?.burst ?? []).map(({ server }) => server ?? 0));
  const name = isOfEndpoint ? nameOf(first.facts.endpoint) : quoted(first.origin);
  const turn = pool === 1 ? "one at a time" : `${pool} at a time`;
  return draftOf({
    kind: "one-at-a-time",
    scope: isOfEndpoint ? atEndpoint(first) : atOrigin(first.origin, null),
    time,
    confidence: "likely",
    telling: longestFirst(all),
    covers: isOfEndpoint ? own : all,
    summary: `${name} is answered ${turn}, ${inMs(space)} each: ${size} requests at once take ${inMs(longest)}.`,
    advice:
      pool === 1
        ? "Look for a lock, a single worker or a single connection behind the server. More workers help only if nothing else is shared."
        : `Look for a pool of ${pool} workers or connections behind the server, and make it larger.`,
    evidence: figures({
      "bursts with equally spaced responses": queues.length,
      "requests in these bursts": all.length,
      "time of each": inMs(space),
      "largest burst": counted(size, "request"),
    }),
    basis: "What the clients would wait less if each request of a burst took as long as one that waits for no other.",
  });
}

/** What the clients would wait less if each request took as long as one that waits for no other. */
function waitIn(queues: readonly Queue[], roundTrip: Milliseconds, traffic: Traffic): Milliseconds {
  const usual = roundTrip + medianOf(queues.map(({ space }) => space));
  const lengths = queues.flatMap(({ burst }) => {
    const alone = Math.max(usual, burst[0]?.server ?? 0);
    return burst.map((one) => [one, lengthOf(one) - Math.max(0, (one.server ?? 0) - alone)] as const);
  });
  return savedWaiting(traffic, new Map(lengths));
}
