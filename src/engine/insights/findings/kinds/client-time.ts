import type { Steps } from "../../../model/steps.ts";
import type { Milliseconds } from "../../../model/units.ts";
import { medianOf } from "../../../stats/percentile.ts";
import { busyTimesOf } from "../../links/busy-times.ts";
import { atOrigin, type Context, draftOf } from "../draft.ts";
import type { Draft } from "../finding.ts";
import { responseField } from "../request.ts";
import { chosenFrom, Pace } from "../sliced.ts";
import { clientOf, counted, inMs, inPercent, inTurn, nameOf } from "../text.ts";
import { groupedBy, isAwaited, type Request, type Traffic } from "../traffic.ts";

/** docs/specification.md, client-time. A gap of at least `PERSON` counts as a person's time to think. */
const LEAST_LINKS = 3;
const LEAST_SHARE = 0.5;
const PERSON: Milliseconds = 2_000;

/**
 * A chain of proven links. `gaps`: the total time between the chain's requests in which the client had none in flight.
 */
interface Chain {
  readonly requests: readonly Request[];
  readonly gaps: Milliseconds;
  readonly duration: Milliseconds;
}

/** The client takes long between a response and the requests that depend on it. */
export function* clientTime({ traffic }: Context): Steps<readonly Draft[]> {
  const chains = (yield* chainsOf(traffic)).filter(
    ({ requests, gaps, duration }) => requests.length > LEAST_LINKS && gaps >= LEAST_SHARE * duration,
  );
  yield;
  return [...groupedBy(chains, ({ requests }) => requests[0]?.client ?? null).values()].flatMap(
    (own) => draftFor(own) ?? [],
  );
}

/**
 * Joins requests by proven links into chains. If a request waited for several others, its chain goes through the one
 * that ended last. Each request is in at most one chain.
 */
function* chainsOf({ requests, links, byId }: Traffic): Steps<readonly Chain[]> {
  const before = new Map<Request, Request>();
  const pace = new Pace();
  for (const request of requests) {
    if (pace.isDue(1)) yield;
    const from = links
      .provenInto(request.id)
      .flatMap((link) => byId.get(link.from) ?? [])
      .filter((one) => one.client === request.client && isAwaited(one) && request.start - one.end < PERSON)
      // Leaves out gaps after a response with Retry-After, since the server asked the client to wait.
      .filter((one) => responseField(one, "retry-after") === null)
      .sort((left, right) => right.end - left.end)[0];
    if (from !== undefined && isAwaited(request)) before.set(request, from);
  }
  const busy = yield* busyTimesOf(yield* chosenFrom(requests, isAwaited));
  const waitedFor = new Set(before.values());
  const used = new Set<Request>();
  const chains: Chain[] = [];
  for (const end of before.keys()) {
    if (waitedFor.has(end)) continue;
    const chain: Request[] = [];
    for (let one: Request | undefined = end; one !== undefined && !used.has(one); one = before.get(one))
      chain.unshift(one);
    if (pace.isDue(chain.length)) yield;
    for (const one of chain) used.add(one);
    const first = chain[0];
    if (first === undefined) continue;
    const gaps = chain
      .slice(1)
      .reduce((sum, { start }, index) => sum + busy.idleBetween(first.client, chain[index]?.end ?? start, start), 0);
    chains.push({ requests: chain, gaps, duration: end.end - first.start });
  }
  return chains;
}

function draftFor(chains: readonly Chain[]): Draft | null {
  const longest = chains.toSorted((left, right) => right.gaps - left.gaps);
  const [first] = longest;
  const start = first?.requests[0];
  if (first === undefined || start === undefined) return null;
  const time = chains.reduce((sum, { gaps }) => sum + gaps, 0);
  const duration = chains.reduce((sum, chain) => sum + chain.duration, 0);
  return draftOf({
    kind: "client-time",
    place: atOrigin(start.origin, start.client),
    count: chains.length,
    time,
    bytes: null,
    confidence: "likely",
    telling: longest.flatMap(({ requests }) => requests),
    summary: `${clientOf(start.client)} itself took ${inMs(time)} between the requests of ${counted(chains.length, "chain")}, ${inPercent(time / duration)} of their duration.`,
    advice: "Look at what the client does between a response and the next request: parsing, rendering, timers, locks.",
    evidence: [
      { name: "chains", value: String(chains.length) },
      { name: "median client time per chain", value: inMs(medianOf(chains.map(({ gaps }) => gaps))) },
      { name: "the longest chain", value: inTurn(first.requests.map(({ facts }) => nameOf(facts.endpoint))) },
    ],
    basis:
      "The gaps below 2 s between a response and the client's next request, if that request provably needed the response. Waits for Retry-After, and time with other requests in flight, are left out.",
  });
}
