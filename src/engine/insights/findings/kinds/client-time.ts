import type { ExchangeId, Milliseconds } from "../../../model/units.ts";
import { medianOf, percentileOf } from "../../../stats/percentile.ts";
import { groupedBy } from "../../grouped.ts";
import { type BusyTimes, busyTimesOf, PERSONS_GAP } from "../../links/busy-times.ts";
import { PLACEHOLDER, segmentsOf } from "../../path-templates.ts";
import { atOrigin, type Context, claimedBy, draftOf, figures } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { sumOf } from "../numbers.ts";
import { responseField } from "../request.ts";
import { clientOf, counted, inMs, inPercent, nameOf } from "../text.ts";
import { isAwaited, type Request, type Traffic } from "../traffic.ts";

/** docs/specification.md, client-time. */
const LEAST_LINKS = 3;
const LEAST_REPEATS = 5;
const LEAST_SHARE = 0.5;

/** A link is a person's if more than this share of its gaps is. */
const MOST_SHARE_OF_PERSON = 0.2;

/** Gaps are those of a client that always pauses if their quartiles differ by less than this from its other pauses'. */
const LEAST_DIFFERENCE = 0.3;
const LEAST_DIFFERENCE_IN_MS: Milliseconds = 5;

/**
 * A proven link within one client. `gap`: the pause between them; 0 if the client had a request in flight meanwhile.
 * `isPersons`: whether a person paused between them.
 */
interface Step {
  readonly from: Request;
  readonly to: Request;
  readonly gap: Milliseconds;
  readonly isPersons: boolean;
}

/** Requests of one client, each of which needed the one before. */
interface Chain {
  readonly steps: readonly Step[];
  readonly gaps: Milliseconds;
  readonly duration: Milliseconds;
}

/** The client takes long between a response and the requests that depend on it. */
export function clientTime({ traffic, found }: Context): readonly Draft[] {
  const busy = busyTimesOf(traffic.requests.filter(isAwaited));
  const steps = stepsOf(traffic, busy, claimedBy(found, ["rate-limited", "retries"]));
  const long = chainsOf(steps).filter((chain) => chain.steps.length >= LEAST_LINKS && isMostlyGaps(chain));
  const inLong = new Set(long.flatMap((chain) => chain.steps));
  const repeated = [...groupedBy([...steps.values()], (step) => (inLong.has(step) ? null : pairOf(step))).values()]
    .filter((own) => own.length >= LEAST_REPEATS && isMostlyGaps(chainOf(own)) && !isOfPerson(own))
    .flatMap((own) => own.filter(({ isPersons }) => !isPersons).map((step) => chainOf([step])));
  return [...groupedBy([...long, ...repeated], ({ steps: [first] }) => first?.from.client ?? null).values()].flatMap(
    (own) => (isUsualPause(own, traffic, busy) ? [] : (draftFor(own) ?? [])),
  );
}

/**
 * For each request, the step that led to it. If it waited for several others, that is the one that ended last. Leaves
 * out gaps after a response with Retry-After, and requests sent again, since the client waits before these.
 */
function stepsOf(
  { requests, links, byId }: Traffic,
  busy: BusyTimes,
  refused: ReadonlySet<ExchangeId>,
): ReadonlyMap<Request, Step> {
  const steps = new Map<Request, Step>();
  for (const to of requests) {
    if (!isAwaited(to)) continue;
    const from = links
      .provenInto(to.id)
      .flatMap((link) => byId.get(link.from) ?? [])
      .filter((one) => one.client === to.client && isAwaited(one) && responseField(one, "retry-after") === null)
      .sort((left, right) => right.end - left.end)[0];
    if (from === undefined || (refused.has(to.id) && !to.isError)) continue;
    const pause = Math.max(0, to.start - from.end);
    const isIdle = busy.idleBetween(to.client, from.end, to.start) === pause;
    const isPersons = busy.isPersonsGap(to.client, from.end, to.start);
    steps.set(to, { from, to, gap: isIdle ? pause : 0, isPersons });
  }
  return steps;
}

/** Joins the steps without a person's gap into chains. Each step is in at most one chain. */
function chainsOf(steps: ReadonlyMap<Request, Step>): readonly Chain[] {
  const waitedFor = new Set([...steps.values()].flatMap(({ from, isPersons }) => (isPersons ? [] : [from])));
  const used = new Set<Request>();
  const chains: Chain[] = [];
  for (const end of steps.keys()) {
    if (waitedFor.has(end)) continue;
    const own: Step[] = [];
    for (
      let step = steps.get(end);
      step !== undefined && !step.isPersons && !used.has(step.to);
      step = steps.get(step.from)
    ) {
      own.unshift(step);
      used.add(step.to);
    }
    if (own.length > 0) chains.push(chainOf(own));
  }
  return chains;
}

/** The steps as one chain. Its duration is that of its requests and gaps. */
function chainOf(steps: readonly Step[]): Chain {
  const gaps = gapsIn(steps);
  const requests = new Set(steps.flatMap(({ from, to }) => [from, to]));
  let duration = gaps;
  for (const { start, end } of requests) duration += end - start;
  return { steps, gaps, duration };
}

function gapsIn(steps: readonly Step[]): Milliseconds {
  return sumOf(steps, ({ gap }) => gap);
}

function isMostlyGaps({ gaps, duration }: Chain): boolean {
  return gaps >= LEAST_SHARE * duration;
}

function isOfPerson(steps: readonly Step[]): boolean {
  return steps.filter(({ isPersons }) => isPersons).length > MOST_SHARE_OF_PERSON * steps.length;
}

/** A key of links alike: few different ids leave each path an endpoint of its own, so that only its form counts. */
function pairOf({ from, to }: Step): string {
  const formOf = ({ facts, origin, path }: Request) => {
    const segments = segmentsOf(path);
    return `${facts.exchange.method} ${origin} ${segments.length} ${segments[1]} ${facts.endpoint.operation}`;
  };
  return `${from.client}\n${formOf(from)}\n${formOf(to)}`;
}

/** The name of the requests' endpoint; segments in which their endpoints differ are placeholders. */
function nameOfAll(requests: readonly Request[]): string {
  const [first] = requests;
  if (first === undefined) return "";
  const paths = [...new Set(requests.map(({ facts }) => facts.endpoint.path))].map(segmentsOf);
  const segments = segmentsOf(first.facts.endpoint.path);
  const path = segments.map((segment, index) => (paths.every((own) => own[index] === segment) ? segment : PLACEHOLDER));
  return nameOf({ ...first.facts.endpoint, path: path.join("/") });
}

/**
 * Whether the client pauses as long before its other requests, as a load generator with a fixed time to think does. Its
 * pauses of 2 s and more are left out.
 */
function isUsualPause(chains: readonly Chain[], { byClient }: Traffic, busy: BusyTimes): boolean {
  const steps = chains.flatMap((chain) => chain.steps);
  const client = steps[0]?.from.client ?? "";
  const explained = new Set(steps.map(({ to }) => to));
  const others: Milliseconds[] = [];
  let before = Number.NEGATIVE_INFINITY;
  for (const request of byClient.get(client) ?? []) {
    if (!isAwaited(request)) continue;
    const gap = before === Number.NEGATIVE_INFINITY ? 0 : busy.idleBetween(client, before, request.start);
    if (gap > 0 && gap < PERSONS_GAP && !explained.has(request)) others.push(gap);
    before = Math.max(before, request.end);
  }
  if (others.length < LEAST_REPEATS) return false;
  const ascending = (values: readonly Milliseconds[]) => values.toSorted((left, right) => left - right);
  const [own, usual] = [ascending(steps.map(({ gap }) => gap)), ascending(others)];
  return [0.25, 0.5, 0.75].every((share) => isClose(percentileOf(own, share), percentileOf(usual, share)));
}

function isClose(one: Milliseconds, other: Milliseconds): boolean {
  return Math.abs(one - other) <= Math.max(LEAST_DIFFERENCE_IN_MS, LEAST_DIFFERENCE * Math.max(one, other));
}

function draftFor(chains: readonly Chain[]): Draft | null {
  const longest = chains.toSorted((left, right) => right.gaps - left.gaps);
  const steps = longest.flatMap((chain) => chain.steps);
  const [first] = steps;
  if (first === undefined) return null;
  const { client, origin } = first.from;
  const time = gapsIn(steps);
  const duration = sumOf(chains, (chain) => chain.duration);
  const [largest = []] = [...groupedBy(steps, pairOf).values()].sort((left, right) => gapsIn(right) - gapsIn(left));
  const [from, to] = [nameOfAll(largest.map((step) => step.from)), nameOfAll(largest.map((step) => step.to))];
  return draftOf({
    kind: "client-time",
    scope: atOrigin(origin, client),
    count: chains.length,
    time,
    confidence: "likely",
    telling: [...new Set(steps.flatMap((step) => [step.from, step.to]))],
    summary: `${clientOf(client)} itself took ${inMs(time)} between the requests of ${counted(chains.length, "chain")}, ${inPercent(time / duration)} of their duration. Most of it came after ${from}, before ${to}.`,
    advice: "Look at what the client does between a response and the next request: parsing, rendering, timers, locks.",
    evidence: figures({
      chains: chains.length,
      "median client time per chain": inMs(medianOf(chains.map(({ gaps }) => gaps))),
      "the link with most of it": `${from}, then ${to}`,
      "its share": inPercent(gapsIn(largest) / time),
      "its median": inMs(medianOf(largest.map(({ gap }) => gap))),
    }),
    basis:
      "The gaps below 2 s between a response and the client's next request, if that request needed the response. Waits for Retry-After and before retries, and gaps with other requests in flight, are left out.",
  });
}
