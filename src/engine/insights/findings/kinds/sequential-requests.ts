import type { ExchangeId, Milliseconds } from "../../../model/units.ts";
import { groupedBy } from "../../grouped.ts";
import { atOrigin, type Context, claimedBy, draftOf, figures, largestOf } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { byFrequency, pairsIn, smallestOf, sumOf } from "../numbers.ts";
import { isPart, isReading } from "../request.ts";
import { clientOf, counted, inMs, inTurn, nameOf } from "../text.ts";
import { isAwaited, type Request, type Traffic } from "../traffic.ts";
import { lengthOf, unionOf } from "../waiting.ts";

/** docs/specification.md, sequential-requests. */
const LEAST_LINKS = 3;
const LEAST_LENGTH: Milliseconds = 30;
const LONGEST_GAP: Milliseconds = 300;

/**
 * The least share of an endpoint's requests that follow requests to one earlier endpoint (`steadinessOf`). With a
 * smaller share, the order counts as chance.
 */
const LEAST_STEADINESS = 0.6;

/** Independent requests that were sent one after another. */
export function sequentialRequests({ traffic, found }: Context): readonly Draft[] {
  const sure = found.filter(({ kind, confidence }) => kind !== "connection-queueing" || confidence !== "possible");
  const claimed = claimedBy(sure, [
    "connection-queueing",
    "n-plus-one",
    "redirects",
    "cors-preflights",
    "retries",
    "polling",
    "rate-limited",
    "repeated-prerequisite",
  ]);
  const before = orderLinks(traffic, claimed);
  if (before.size === 0) return [];
  const dependent = dependentPairs(traffic);
  const steadiness = steadinessOf(traffic, before);
  for (const [request, from] of before) {
    const pair = pairOf(from, request);
    if (dependent.has(pair) || (steadiness.get(pair) ?? 0) < LEAST_STEADINESS) before.delete(request);
  }
  const runs = runsOf(before).filter(({ length }) => length > LEAST_LINKS);
  return [...groupedBy(runs, (run) => `${run[0]?.client}\n${mainOriginOf(run)}`).values()].flatMap(
    (own) => draftFor(own, pairsOf(traffic, own)) ?? [],
  );
}

/** For each request with an order link, the request that it follows, if both could have run in parallel. */
function orderLinks({ requests, links, byId }: Traffic, claimed: ReadonlySet<ExchangeId>): Map<Request, Request> {
  const before = new Map<Request, Request>();
  for (const request of requests) {
    const link = links.orderInto(request.id);
    const from = link === null ? undefined : byId.get(link.from);
    if (from === undefined || claimed.has(request.id) || claimed.has(from.id)) continue;
    const gap = request.start - from.end;
    if (gap < LONGEST_GAP && isIndependent(request) && isIndependent(from) && from.endpointKey !== request.endpointKey)
      before.set(request, from);
  }
  return before;
}

/**
 * Whether the request could run in parallel with others. Writes do not count, since a later request may depend on them.
 */
function isIndependent(request: Request): boolean {
  return (
    isReading(request) &&
    isAwaited(request) &&
    !request.isStaticFile &&
    !isPart(request) &&
    !request.isError &&
    lengthOf(request) >= LEAST_LENGTH
  );
}

/** Pairs of endpoints with at least one proven link between them. */
function dependentPairs({ links, byId }: Traffic): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (const own of links.values())
    for (const link of own) {
      const [from, to] = [byId.get(link.from), byId.get(link.to)];
      if (link.kind === "proven" && from !== undefined && to !== undefined) pairs.add(pairOf(from, to));
    }
  return pairs;
}

function pairOf(from: Request, to: Request): string {
  return `${from.endpointKey}\n${to.endpointKey}`;
}

/**
 * For each pair of endpoints, the share of the later endpoint's requests that followed a request to the earlier one.
 * Counts only clients that sent such a pair of requests.
 */
function steadinessOf({ requests }: Traffic, before: ReadonlyMap<Request, Request>): ReadonlyMap<string, number> {
  const requesterOf = ({ client, endpointKey }: Request) => `${client}\n${endpointKey}`;
  const keys = new Set([...before.keys()].map(requesterOf));
  const counts = new Map<string, number>();
  for (const request of requests) {
    const key = requesterOf(request);
    if (keys.has(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const followed = groupedBy([...before], ([request, from]) => pairOf(from, request));
  return new Map(
    [...followed].map(([pair, own]) => {
      const askers = new Set(own.map(([request]) => requesterOf(request)));
      const all = sumOf([...askers], (key) => counts.get(key) ?? 0);
      return [pair, own.length / Math.max(1, all)];
    }),
  );
}

/** Joins the requests into runs: each request of a run follows the one before it. */
function runsOf(before: ReadonlyMap<Request, Request>): readonly (readonly Request[])[] {
  const after = new Map([...before].map(([request, from]) => [from, request]));
  const starts = [...after.keys()].filter((request) => !before.has(request));
  return starts.map((start) => {
    const run = [start];
    for (let next = after.get(start); next !== undefined; next = after.get(next)) run.push(next);
    return run;
  });
}

/**
 * `all`: how many pairs of endpoints follow each other in the runs. `overlapping`: how many of these pairs the client
 * also requested in parallel.
 */
interface Pairs {
  readonly all: number;
  readonly overlapping: number;
}

function pairsOf({ routes }: Traffic, runs: readonly (readonly Request[])[]): Pairs {
  const wanted = new Set(runs.flatMap(pairsIn).map(([from, to]) => pairOf(from, to)));
  const endpoints = new Set(runs.flat().map(({ endpointKey }) => endpointKey));
  const seen = new Set<string>();
  let running: Request[] = [];
  for (const request of requestsOf(routes, new Set(runs.flat().map(({ route }) => route)))) {
    if (!endpoints.has(request.endpointKey)) continue;
    running = running.filter(({ end }) => end > request.start);
    for (const other of running)
      for (const pair of [pairOf(other, request), pairOf(request, other)]) if (wanted.has(pair)) seen.add(pair);
    running.push(request);
  }
  return { all: wanted.size, overlapping: seen.size };
}

/** All requests of the wanted routes, by start. */
function requestsOf(routes: Traffic["routes"], wanted: ReadonlySet<string>): readonly Request[] {
  return [...wanted].flatMap((route) => routes.get(route) ?? []).sort((left, right) => left.start - right.start);
}

function draftFor(runs: readonly (readonly Request[])[], pairs: Pairs): Draft | null {
  const [first] = runs;
  const start = first?.[0];
  if (first === undefined || start === undefined) return null;
  const time = sumOf(runs, savedIn);
  const longest = runs.toSorted((left, right) => savedIn(right) - savedIn(left));
  const sizes = runs.map(({ length }) => length);
  const [fewest, most] = [smallestOf(sizes), largestOf(sizes)];
  return draftOf({
    kind: "sequential-requests",
    scope: atOrigin(mainOriginOf(first), start.client),
    count: runs.length,
    time,
    confidence: pairs.overlapping === pairs.all ? "likely" : "possible",
    telling: longest.flat(),
    summary: `${clientOf(start.client)} sent ${fewest === most ? "" : `${fewest} to `}${counted(most, "independent request")} one after another, ${counted(runs.length, "time")}. Sent in parallel, they would take up to ${inMs(time)} less in all.`,
    advice: "Send these requests in parallel. This does not apply if one request needs what another has changed.",
    evidence: figures({
      runs: runs.length,
      requests: inTurn(first.map(({ facts }) => nameOf(facts.endpoint))),
      "pairs of endpoints that also ran in parallel": `${pairs.overlapping} of ${pairs.all}`,
    }),
    basis:
      "Up to: the duration of each run minus its longest request. Neither a value nor a protocol rule shows that one of these requests needs another.",
  });
}

function savedIn(run: readonly Request[]): Milliseconds {
  return unionOf(run) - largestOf(run.map(lengthOf));
}

/** The origin of most of the requests. */
function mainOriginOf(run: readonly Request[]): string {
  return byFrequency(run.map(({ origin }) => origin))[0]?.[0] ?? "";
}
