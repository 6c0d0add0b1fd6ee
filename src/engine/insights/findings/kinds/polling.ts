import type { Milliseconds } from "../../../model/units.ts";
import { medianOf } from "../../../stats/percentile.ts";
import { deviationOf, variationOf } from "../../../stats/variation.ts";
import { addTo, groupedBy } from "../../grouped.ts";
import { readyOf } from "../../interval.ts";
import { atEndpoint, type Context, claimedBy, draftOf, figures, longestFirst } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { sizeOf } from "../measured-line.ts";
import { pairsIn, sumOf } from "../numbers.ts";
import { isHealthCheck, isPart, isReading } from "../request.ts";
import { inMs, inPercent, nameOf } from "../text.ts";
import { identityOf, isAwaited, type Request } from "../traffic.ts";
import { waitingOf } from "../waiting.ts";
import { isRedirect } from "./redirects.ts";

/** docs/specification.md, polling. */
const LEAST_REQUESTS = 5;
const MOST_VARIATION = 0.25;

/**
 * The variation must be below `MOST_VARIATION` by this many standard errors, since a few intervals may be equal by
 * chance.
 */
const STANDARD_ERRORS = 2.33;

/**
 * Requests with a median interval below `LEAST_INTERVAL` are a loop, not polls. An interval above `PAUSE_FROM` medians
 * is a pause. At least the share `LEAST_SHARE_STEADY` of the intervals must not be pauses.
 */
const LEAST_INTERVAL: Milliseconds = 250;
const LEAST_SHARE_STEADY = 0.8;
const PAUSE_FROM = 5;

/** A timer sends requests if the times between starts are this many times as steady as those from end to start. */
const STEADIER = 3;

/** Requests with which one client polls at a steady interval. */
interface Poll {
  readonly requests: readonly Request[];
  readonly interval: Milliseconds;
}

/**
 * Polling at a steady interval, if at least one response equals the previous one. The finding counts only the polls
 * with such a response.
 */
export function polling({ traffic, found }: Context): readonly Draft[] {
  const claimed = claimedBy(found, ["repeated-prerequisite"]);
  const polls = new Map<string, Poll[]>();
  for (const route of traffic.routes.values()) {
    if (route.length < LEAST_REQUESTS) continue;
    for (const [key, own] of groupedBy(route, ({ id, endpointKey }) => (claimed.has(id) ? null : endpointKey)))
      for (const poll of pollsOf(own)) addTo(polls, key, poll);
  }
  return [...polls.values()].flatMap((list) => draftFor(list) ?? []);
}

/** Finds one client's polls of an endpoint: identical requests. Skips paths whose response bodies all differ. */
function pollsOf(own: readonly Request[]): readonly Poll[] {
  return [...groupedBy(own, ({ path }) => path).values()].flatMap((requests) => {
    if (requests.length < LEAST_REQUESTS || !repeatsAnAnswer(requests)) return [];
    const candidates = requests.filter(isPollable);
    const loads = [...groupedBy(candidates, ({ load }) => String(load?.number ?? "none")).values()];
    return loads.flatMap((own) => [...groupedBy(own, identityOf).values()].flatMap((same) => pollOf(same) ?? []));
  });
}

function repeatsAnAnswer(requests: readonly Request[]): boolean {
  const seen = new Set<string>();
  for (const { facts } of requests) {
    const { hash } = facts.responseBody;
    if (hash === null) continue;
    if (seen.has(hash)) return true;
    seen.add(hash);
  }
  return false;
}

function isPollable(request: Request): boolean {
  return (
    isAwaited(request) &&
    isReading(request) &&
    !isRedirect(request) &&
    !isPart(request) &&
    !isHealthCheck(request) &&
    !request.isStaticFile
  );
}

export function pollOf(requests: readonly Request[]): Poll | null {
  if (requests.length < LEAST_REQUESTS) return null;
  const intervals = pairsIn(requests).map(([before, next]) => next.start - before.start);
  const median = medianOf(intervals);
  if (median < LEAST_INTERVAL) return null;
  const steady = intervals.filter((interval) => interval <= PAUSE_FROM * median);
  if (steady.length < Math.max(LEAST_REQUESTS - 1, LEAST_SHARE_STEADY * intervals.length)) return null;
  if (isLoop(requests, PAUSE_FROM * median)) return null;
  return variationOf(steady) * (1 + STANDARD_ERRORS / Math.sqrt(2 * steady.length)) < MOST_VARIATION
    ? { requests, interval: median }
    : null;
}

/**
 * Whether the client sends the next request as soon as it has the response. If responses take equal times, its requests
 * start at equal intervals, too. Intervals above `most` are pauses.
 */
function isLoop(requests: readonly Request[], most: Milliseconds): boolean {
  const steps = pairsIn(requests)
    .map(([before, next]) => ({ interval: next.start - before.start, gap: next.start - readyOf(before) }))
    .filter(({ interval }) => interval <= most);
  const gaps = steps.map(({ gap }) => gap);
  const gap = medianOf(gaps);
  const isTimed = gap < 0 || STEADIER * deviationOf(steps.map(({ interval }) => interval)) < deviationOf(gaps);
  return gap < LEAST_INTERVAL && !isTimed;
}

function draftFor(polls: readonly Poll[]): Draft | null {
  const pairs = polls.flatMap(({ requests }) => pairsIn(requests));
  const unchanged = pairs.filter(([before, next]) => isSameAs(next, before)).map(([, next]) => next);
  const all = polls.flatMap(({ requests }) => requests);
  const [first] = all;
  if (first === undefined || unchanged.length === 0) return null;
  const time = waitingOf(unchanged);
  const interval = medianOf(polls.map((poll) => poll.interval));
  return draftOf({
    kind: "polling",
    scope: atEndpoint(first),
    time,
    bytes: sumOf(unchanged, sizeOf),
    confidence: "likely",
    telling: longestFirst(unchanged),
    covers: all,
    summary: `${nameOf(first.facts.endpoint)} is polled every ${inMs(interval)}; ${unchanged.length} of ${all.length} responses equalled the previous response.`,
    advice: "Poll less often, or let the server send changes: server-sent events, a WebSocket or a long poll.",
    evidence: figures({
      polls: all.length,
      interval: inMs(interval),
      "unchanged responses": `${unchanged.length} of ${all.length} (${inPercent(unchanged.length / all.length)})`,
    }),
    basis:
      "The time of the polls whose response had the same status and body as the previous response. Polls with status 304 do not count.",
  });
}

/** Whether the response repeats the previous one. A 304 does not count, since the client revalidated correctly. */
function isSameAs(next: Request, before: Request): boolean {
  if (next.isError || before.isError || next.status === 304) return false;
  const hash = next.facts.responseBody.hash;
  return hash !== null && hash === before.facts.responseBody.hash && next.status === before.status;
}
