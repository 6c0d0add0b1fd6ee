import type { Milliseconds } from "../../../model/units.ts";
import { lowerBound } from "../../../stats/lower-bound.ts";
import { medianOf, percentileOf } from "../../../stats/percentile.ts";
import { groupedBy } from "../../grouped.ts";
import { burstsIn } from "../bursts.ts";
import { atOrigin, type Context, claimedBy, draftOf, figures, largestOf, longestFirst } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { pairsIn, spreadOf, sumOf } from "../numbers.ts";
import { isPreflight, serverSpanOf } from "../request.ts";
import { counted, inMs, inTime, quoted } from "../text.ts";
import { isAwaited, type Request, type Traffic } from "../traffic.ts";
import { lengthOf, type Span, savedBy, unionOf } from "../waiting.ts";

/** docs/specification.md, server-pauses. */
const LEAST_MOMENTS = 3;
const LEAST_IN_FLIGHT = 2;
const LEAST_ENDPOINTS = 2;

/** A request is late if it takes this many times its usual time, and this much longer. */
const LATE_FROM = 2;
const LEAST_DELAY: Milliseconds = 50;

/** The silence of a pause is this many times as long as the origin's usual silence. */
const LEAST_SILENCE = 3;

/** After a pause most late responses begin within this time, and the usual time of each. */
const TOGETHER: Milliseconds = 10;
const LEAST_SHARE_TOGETHER = 0.7;

/** The least share of the late requests that waited beside others, and did so in a pause. */
const LEAST_SHARE_IN_PAUSES = 0.6;

/** A request that runs through this share of the pauses, of one endpoint, is what the others wait for. */
const LEAST_SHARE_HELD = 0.8;

/** A period is steady if this share of the intervals is close to a multiple of it. */
const LEAST_SHARE_STEADY = 0.75;
const CLOSE_TO_MULTIPLE = 0.15;

/** A request with the span of the server's work, and how much longer than its endpoint's median it took. */
interface Timed extends Span {
  readonly request: Request;
  readonly usual: Milliseconds;
  readonly delay: Milliseconds;
}

/** A silence of an origin, after which its late responses begin together. */
interface Moment {
  readonly start: number;
  readonly end: number;
  readonly late: readonly Timed[];
  /** The late requests, and those that began so late in the silence that they are not. */
  readonly waited: readonly Timed[];
  /** The endpoints of requests that ran through it and were not late. */
  readonly held: ReadonlySet<string>;
}

/** Origins that stand still again and again: requests of any endpoint wait, and their responses begin together. */
export function serverPauses({ traffic, found }: Context): readonly Draft[] {
  const claimed = claimedBy(found, ["rate-limited", "retries", "errors"]);
  const isCounted = (one: Request) =>
    isAwaited(one) && one.server !== null && !isPreflight(one) && !claimed.has(one.id);
  const origins = groupedBy(traffic.requests, (one) => (isCounted(one) ? one.origin : null));
  const drafts: Draft[] = [];
  for (const [origin, own] of origins) {
    const timed = timedIn(own);
    const moments = momentsOf(timed).filter((moment) => isOfServer(moment, traffic));
    if (arePauses(moments, timed)) drafts.push(draftFor(origin, moments));
  }
  return drafts;
}

/** The requests by the start of the server's work. */
function timedIn(own: readonly Request[]): readonly Timed[] {
  const usual = new Map(
    [...groupedBy(own, ({ endpointKey }) => endpointKey)].map(([key, requests]) => [
      key,
      usualOf(requests.map(({ server }) => server ?? 0)),
    ]),
  );
  return own
    .map((request) => {
      const median = usual.get(request.endpointKey) ?? 0;
      return { ...serverSpanOf(request), request, usual: median, delay: Math.max(0, (request.server ?? 0) - median) };
    })
    .sort((left, right) => left.start - right.start);
}

/** The median of the times that are not late against the lower quartile: pauses may hit half of the requests. */
function usualOf(times: readonly Milliseconds[]): Milliseconds {
  const quartile = percentileOf(
    times.toSorted((left, right) => left - right),
    0.25,
  );
  return medianOf(times.filter((time) => time < Math.max(LATE_FROM * quartile, quartile + LEAST_DELAY)));
}

function isLate({ usual, delay }: Timed): boolean {
  return delay >= LEAST_DELAY && usual + delay >= LATE_FROM * usual;
}

function delayOf({ delay }: Timed): Milliseconds {
  return delay;
}

/** Whether the delay is real, whatever the clock's uncertainty. */
function isSure({ request, delay }: Timed): boolean {
  return request.uncertainty < delay / 2;
}

/** The moments in which the origin gave no response for unusually long, and then those of all late requests. */
function momentsOf(timed: readonly Timed[]): readonly Moment[] {
  const silences = silencesOf(timed);
  const usual = medianOf(silences.map(lengthOf));
  return silences.flatMap(({ start, end, running }) => {
    const length = end - start;
    if (length < Math.max(LEAST_DELAY, LEAST_SILENCE * usual)) return [];
    const late = running.filter(isLate);
    const together = late.filter(
      ({ end: own, usual: work, request }) =>
        own <= end + TOGETHER + Math.min(work, length / 4) + length / 10 + Math.min(request.uncertainty, length / 4),
    );
    if (together.length < Math.max(LEAST_IN_FLIGHT, LEAST_SHARE_TOGETHER * late.length)) return [];
    const held = running.filter((one) => !isLate(one) && one.start <= start + (1 - LEAST_SHARE_HELD) * length);
    const waited = running.filter(({ delay }) => delay >= TOGETHER && delay <= length + TOGETHER);
    return [{ start, end, late: together, waited, held: new Set(held.map(({ request }) => request.endpointKey)) }];
  });
}

interface Silence {
  readonly start: number;
  readonly end: number;
  /** The requests in flight at its end. */
  readonly running: readonly Timed[];
}

/** The times between responses in which the origin had a request. Responses within `TOGETHER` count as one. */
function silencesOf(timed: readonly Timed[]): readonly Silence[] {
  const byEnd = timed.toSorted((left, right) => left.end - right.end);
  const silences: Silence[] = [];
  let running: Timed[] = [];
  let next = 0;
  let before = Number.NEGATIVE_INFINITY;
  for (const { end } of byEnd) {
    const isApart = end - before > TOGETHER;
    for (let one = timed[next]; one !== undefined && one.start < end; one = timed[next]) {
      running.push(one);
      next += 1;
    }
    if (isApart) {
      running = running.filter((one) => one.end >= end);
      silences.push({ start: Math.max(before, running[0]?.start ?? end), end, running });
    }
    before = end;
  }
  return silences;
}

/**
 * Whether the server was silent, and not the client or the machine. A client that reads nothing delays its requests to
 * all origins; only a recorder beside it, or another client, can tell the difference.
 */
function isOfServer({ start, end, late }: Moment, { requests }: Traffic): boolean {
  if (late.filter(isSure).length < LEAST_IN_FLIGHT) return false;
  const [first] = late;
  const origin = first?.request.origin;
  let isAnswered = false;
  let isSilent = false;
  const from = lowerBound(0, requests.length, (at) => (requests[at]?.start ?? 0) >= start - (end - start));
  for (let at = from; (requests[at]?.start ?? Number.POSITIVE_INFINITY) < end; at += 1) {
    const other = requests[at];
    if (other === undefined || other.origin === origin || other.server === null) continue;
    const span = serverSpanOf(other);
    if (span.end > start + TOGETHER && span.end < end - TOGETHER) isAnswered = true;
    else if (span.start <= start + (end - start) / 4 && Math.abs(span.end - end) <= TOGETHER) isSilent = true;
  }
  if (isAnswered) return true;
  const isSeenFromOutside =
    new Set(late.map(({ client }) => client)).size > 1 || late.every(({ request }) => request.facts.weir !== null);
  return !isSilent && isSeenFromOutside;
}

/** Whether the moments are many, independent of when requests start, and explain most delays beside other requests. */
function arePauses(moments: readonly Moment[], timed: readonly Timed[]): boolean {
  const independent = moments.filter(({ late }) => {
    const starts = spreadOf(late.map(({ start }) => start));
    return starts >= TOGETHER && starts >= 2 * spreadOf(late.map(({ end }) => end));
  });
  const endpoints = new Set(moments.flatMap(({ late }) => late.map(({ request }) => request.endpointKey)));
  if (independent.length < LEAST_MOMENTS || endpoints.size < LEAST_ENDPOINTS || isHeld(moments, timed)) return false;
  const besideOthers = burstsIn(timed, 0).flatMap((burst) => (burst.length > 1 ? burst : []));
  const late = besideOthers.filter((one) => isLate(one) && isSure(one));
  const inPauses = moments.flatMap((moment) => moment.late);
  return sumOf(inPauses, delayOf) >= LEAST_SHARE_IN_PAUSES * sumOf(late, delayOf);
}

/** Whether a request of one endpoint ran through most of the moments, and does not run most of the time anyway. */
function isHeld(moments: readonly Moment[], timed: readonly Timed[]): boolean {
  const keys = new Set(moments.flatMap(({ held }) => [...held]));
  const duration = spreadOf(timed.map(({ start }) => start));
  return [...keys].some((key) => {
    if (moments.filter(({ held }) => held.has(key)).length < LEAST_SHARE_HELD * moments.length) return false;
    return unionOf(timed.filter(({ request }) => request.endpointKey === key)) < duration / 2;
  });
}
function draftFor(origin: string, moments: readonly Moment[]): Draft {
  const waited = moments.flatMap((moment) => moment.waited);
  const requests = waited.map(({ request }) => request);
  const without = waited.map(({ request: { client, start, end }, delay }) => ({ client, start, end: end - delay }));
  const time = savedBy(requests, without);
  const lengths = moments.map((moment) => largestOf(moment.late.map(({ delay }) => delay)));
  const endpoints = new Set(requests.map(({ endpointKey }) => endpointKey)).size;
  const period = periodOf(moments.map(({ end }) => end));
  const rhythm = period === null ? "" : `, about every ${inTime(period)}`;
  return draftOf({
    kind: "server-pauses",
    scope: atOrigin(origin, null),
    count: moments.length,
    time,
    confidence: "likely",
    telling: longestFirst(requests),
    summary: `${quoted(origin)} stood still ${counted(moments.length, "time")} for about ${inMs(medianOf(lengths))}${rhythm}: ${counted(requests.length, "request")} to ${counted(endpoints, "endpoint")} waited, and were answered together.`,
    advice:
      "Look at what the server does at these moments: garbage collection, a checkpoint, a scheduled job, or work that blocks its event loop.",
    evidence: figures({
      pauses: moments.length,
      "median length": inMs(medianOf(lengths)),
      longest: inMs(largestOf(lengths)),
      period: period === null ? null : inTime(period),
      "requests that waited": requests.length,
      endpoints: endpoints,
    }),
    basis:
      "The wait of each request in a pause beyond the median of its endpoint. Requests that began late in a pause may have waited unseen.",
  });
}

/** The interval at whose multiples most of the moments follow each other; `null` if there is none. */
function periodOf(ends: readonly number[]): Milliseconds | null {
  const intervals = pairsIn(ends).map(([before, end]) => end - before);
  if (intervals.length < LEAST_MOMENTS) return null;
  const period = medianOf(intervals);
  const steady = intervals.filter((interval) => {
    const times = Math.max(1, Math.round(interval / period));
    return Math.abs(interval - times * period) <= CLOSE_TO_MULTIPLE * period;
  });
  return steady.length >= LEAST_SHARE_STEADY * intervals.length ? period : null;
}
