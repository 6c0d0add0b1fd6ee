import type { ExchangeId, Milliseconds } from "../../../model/units.ts";
import { medianOf, percentileOf } from "../../../stats/percentile.ts";
import { groupedBy } from "../../grouped.ts";
import { type Context, claimedBy } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { isMuchTime } from "../gate.ts";
import { isTransferBound } from "../long-transfers.ts";
import { sumOf } from "../numbers.ts";
import { isLargeByNature } from "../request.ts";
import { type Cause, causesIn, joinedCauses, sharedLoads } from "../slow-when/cause.ts";
import { draftOfCause } from "../slow-when/cause-draft.ts";
import { operationColumn } from "../slow-when/columns.ts";
import { Durations, durationOf, LEAST_REQUESTS } from "../slow-when/durations.ts";
import { type Explained, explanationsOf } from "../slow-when/endpoint-causes.ts";
import {
  type Explanation,
  evenlySpaced,
  explanationBy,
  isComparable,
  mostDirect,
  significantOf,
} from "../slow-when/explanation.ts";
import { loadOf } from "../slow-when/load.ts";
import { type Modes, modesOf } from "../slow-when/modes.ts";
import { draftOfModes, joinedModes } from "../slow-when/modes-draft.ts";
import { partnerNameOf } from "../slow-when/partners.ts";
import { categorySplits } from "../slow-when/split.ts";
import type { Request, Traffic } from "../traffic.ts";

/**
 * An operation is reported if it is `OPERATION_EFFECT` times as slow as the other operations of its URL, and takes at
 * least `SLOW_OPERATION`.
 */
const OPERATION_EFFECT = 3;
const SLOW_OPERATION: Milliseconds = 100;

/** The share of a cause's requests that wait in a queue, from which the queue is the cause. */
const MOSTLY_IN_TURN = 0.8;

/** The share of the excess that lies in one part of the requests' time, from which it lies there. */
const MOSTLY_THERE = 0.8;

/** The attribute that an endpoint's slow requests share and its other requests lack. */
export function slowWhen({ traffic, found }: Context): readonly Draft[] {
  const failed = claimedBy(found, ["retries", "rate-limited", "errors", "server-pauses"]);
  const timed = traffic.requests.filter((request) => isComparable(request) && !failed.has(request.id));
  const groups: (readonly Request[])[] = [];
  for (const own of groupedBy(timed, ({ endpointKey }) => endpointKey).values()) {
    if (isWorthALook(own, traffic)) groups.push(own);
  }
  const load = loadOf(traffic.requests, new Set(groups.map((own) => own[0]?.origin ?? "")));
  const inTurn = claimedBy(found, ["one-at-a-time"]);
  const queues = new Set(timed.flatMap((one) => (inTurn.has(one.id) ? [queueKeyOf(one, partnerNameOf(one))] : [])));
  const large = claimedBy(found, ["large-responses", "large-requests", "uncompressed-responses"]);
  const causes: Cause[] = [];
  const twofold: Modes[] = [];
  for (const own of groups) {
    const explained = explanationsOf(own, load, groups.length);
    const modes = modesBeside(explained, own);
    if (modes !== null && !modes.slow.some(({ id }) => inTurn.has(id))) twofold.push(modes);
    for (const cause of causesIn(explained))
      if (!isSizeOf(cause, large) && !isLineOf(cause, large) && !isLengthOf(cause) && !isQueueOf(cause, inTurn, queues))
        causes.push(cause);
  }
  const drafts = joinedCauses(sharedLoads(causes)).map((alike) => draftOfCause(alike, traffic));
  for (const alike of joinedModes(twofold)) drafts.push(draftOfModes(alike, traffic));
  const explained = new Set(causes.map(({ explanation }) => explanation.inside[0]?.endpointKey));
  for (const own of groupedBy(timed, urlOf).values()) {
    const explanation = isWorthALook(own, traffic) ? slowOperation(own) : null;
    const slow = explanation?.inside[0];
    if (explanation === null || slow === undefined || explained.has(slow.endpointKey)) continue;
    drafts.push(draftOfCause(causesIn([{ explanation, among: own }]), traffic));
  }
  return drafts;
}

/**
 * The modes among the successes that no attribute explains; `null` if there are none, or if they may be the rest of a
 * range.
 */
function modesBeside(explained: readonly Explained[], own: readonly Request[]): Modes | null {
  if (explained.some(({ explanation }) => explanation.split.isRange)) return null;
  const isUnexplained = (request: Request) =>
    (request.status ?? 0) < 400 && !explained.some(({ explanation }) => explanation.split.carries(request));
  return modesOf(own.filter(isUnexplained));
}

/** Whether the cause is only that large bodies take long. Other kinds report that. */
function isSizeOf(cause: Cause, large: ReadonlySet<ExchangeId>): boolean {
  const { split, inside } = cause.explanation;
  const { name } = split.attribute;
  if (name === "request-size" && liesIn(cause, ({ upload }) => upload)) return true;
  if (name !== "response-size" && name !== "request-size") return false;
  return areMostIn(inside, large);
}

/**
 * Whether the cause is only that the line was busy for a while with large bodies, which other kinds report: then the
 * transfers alone took longer.
 */
function isLineOf(cause: Cause, large: ReadonlySet<ExchangeId>): boolean {
  const { split, inside } = cause.explanation;
  return (
    split.attribute.name === "time-in-session" && areMostIn(inside, large) && liesIn(cause, ({ transfer }) => transfer)
  );
}

/** Whether most of what the requests take longer lies in one part of their time. */
function liesIn({ explanation: { inside, outside } }: Cause, partOf: (request: Request) => Milliseconds): boolean {
  const excessOf = (timeOf: (request: Request) => Milliseconds) =>
    medianOf(inside.map(timeOf)) - medianOf(outside.map(timeOf));
  return excessOf(partOf) >= MOSTLY_THERE * excessOf(durationOf);
}

function areMostIn(inside: readonly Request[], found: ReadonlySet<ExchangeId>): boolean {
  return inside.filter(({ id }) => found.has(id)).length * 2 >= inside.length;
}

/** Whether the cause is only that a longer film or download takes longer. */
function isLengthOf({ explanation: { split, inside } }: Cause): boolean {
  if (split.attribute.name !== "response-size") return false;
  return inside.filter((request) => isLargeByNature(request) && isTransferBound(request)).length * 2 >= inside.length;
}

/**
 * Whether the cause is only that requests wait for each other, which `one-at-a-time` says with the reason: they wait by
 * their place in the queue, whatever the client numbers so. `queues`: the endpoints with a queue, by `queueKeyOf`.
 */
function isQueueOf(
  { explanation: { split, inside } }: Cause,
  inTurn: ReadonlySet<ExchangeId>,
  queues: ReadonlySet<string>,
): boolean {
  const { name } = split.attribute;
  const [first] = inside;
  if (first !== undefined && name.startsWith("while:") && queues.has(queueKeyOf(first, name.slice("while:".length))))
    return true;
  const waiting = inside.filter(({ id }) => inTurn.has(id)).length;
  if (name === "in-flight" || name.startsWith("while:")) return waiting > 0;
  return waiting >= MOSTLY_IN_TURN * inside.length;
}

/** An endpoint of the request's origin as a text. */
function queueKeyOf({ origin }: Request, name: string): string {
  return `${origin} ${name}`;
}

/** Whether there are enough requests, and their durations exceed the 25th percentile by enough in total. */
function isWorthALook(own: readonly Request[], { gate }: Traffic): boolean {
  if (own.length < LEAST_REQUESTS) return false;
  const quarter = percentileOf(Float64Array.from(own.map(durationOf)).sort(), 0.25);
  const above = sumOf(own, (request) => Math.max(0, durationOf(request) - quarter));
  return isMuchTime(above, gate);
}

/** Method and URL of a request with an operation; `null` if it has none. */
function urlOf({ facts: { endpoint } }: Request): string | null {
  return endpoint.operation === null ? null : `${endpoint.method} ${endpoint.origin}${endpoint.path}`;
}

/**
 * The operation that takes far longer than the other operations of its URL. The required factor is large, since
 * operations differ as much as endpoints do.
 */
function slowOperation(own: readonly Request[]): Explanation | null {
  const { splits, tried } = categorySplits(operationColumn, new Durations(evenlySpaced(own), durationOf));
  const slow = significantOf(splits, tried).filter(({ isNegative, effect, carries }) => {
    if (isNegative || effect < OPERATION_EFFECT) return false;
    return medianOf(own.filter(carries).map(durationOf)) >= SLOW_OPERATION;
  });
  const best = mostDirect(slow);
  return best === null ? null : explanationBy(best, own, tried);
}
