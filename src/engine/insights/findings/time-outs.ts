import type { Milliseconds } from "../../model/units.ts";
import { lowerBound } from "../../stats/lower-bound.ts";
import { isDocument } from "../document.ts";
import { groupedBy } from "../grouped.ts";
import type { Request, Traffic } from "./traffic.ts";
import { lengthOf } from "./waiting.ts";

/** docs/specification.md, retries. */
const LEAST_WAIT: Milliseconds = 100;

/**
 * Requests to an endpoint that were given up after equal times had a time-out: at least this many, this share of all
 * that were given up, this close to one another.
 */
const LEAST_EQUAL = 4;
const LEAST_SHARE_EQUAL = 0.6;
const CLOSE: Milliseconds = 20;
const SHARE_CLOSE = 0.05;

/** A person comes back later than this after having left. */
const PERSONS_PAUSE: Milliseconds = 1_000;

/** A request that replaces another one starts this close to its end. */
const AT_ONCE: Milliseconds = 50;

/** Whether a client gave the request up after a time-out, and then sent it again. */
export type TimedOut = (request: Request, again: Request) => boolean;

/**
 * Tells time-outs of clients from requests that a person left: where all were given up after equal times, or the
 * request was sent again sooner than a person can, and nothing replaced it. A page that was loaded meanwhile is a
 * person's.
 */
export function timedOutIn({ requests, endpoints }: Traffic): TimedOut {
  const given = requests.filter(isGivenUp);
  if (given.length === 0) return () => false;
  const lengths = new Map<string, readonly Milliseconds[]>();
  for (const [endpoint, own] of groupedBy(given, ({ endpointKey }) => endpointKey))
    lengths.set(
      endpoint,
      own.map(lengthOf).sort((one, other) => one - other),
    );
  const documents = requests.filter(({ facts }) => isDocument(facts));
  return (request, again) => {
    if (!isGivenUp(request) || isDocument(request.facts)) return false;
    const { client, endpointKey, end } = request;
    const isOther = (one: Request) => one.client === client && one !== request && one !== again;
    if (hasStarted(documents, end - AT_ONCE, again.start, isOther)) return false;
    if (isUsual(lengthOf(request), lengths.get(endpointKey) ?? [])) return true;
    // If another request to the endpoint started as this one ended, a person typed something else.
    const others = endpoints.get(endpointKey) ?? [];
    return again.start - end < PERSONS_PAUSE && !hasStarted(others, end - AT_ONCE, end + AT_ONCE, isOther);
  };
}

/** `lengths`: sorted. */
function isUsual(length: Milliseconds, lengths: readonly Milliseconds[]): boolean {
  const bound = Math.max(CLOSE, SHARE_CLOSE * length);
  const first = lowerBound(0, lengths.length, (index) => (lengths[index] ?? 0) >= length - bound);
  const least = Math.max(LEAST_EQUAL, Math.ceil(LEAST_SHARE_EQUAL * lengths.length));
  return (lengths[first + least - 1] ?? Number.POSITIVE_INFINITY) <= length + bound;
}

/** `requests`: by start. */
function hasStarted(
  requests: readonly Request[],
  from: number,
  to: number,
  holds: (request: Request) => boolean,
): boolean {
  let position = lowerBound(0, requests.length, (index) => (requests[index]?.start ?? 0) >= from);
  for (let one = requests[position]; one !== undefined && one.start <= to; one = requests[position]) {
    if (holds(one)) return true;
    position += 1;
  }
  return false;
}

function isGivenUp(request: Request): boolean {
  const { outcome } = request.facts.exchange;
  return outcome?.kind === "failed" && outcome.errorType === "client-aborted" && lengthOf(request) >= LEAST_WAIT;
}
