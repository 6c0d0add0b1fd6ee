import type { Steps } from "../../../model/steps.ts";
import type { ExchangeId, Milliseconds } from "../../../model/units.ts";
import { medianOf, percentileOf } from "../../../stats/percentile.ts";
import { areSlowByDelay, delayedBodiesOf } from "../delayed-bodies.ts";
import { atEndpoint, type Context, claimedBy, draftOf } from "../draft.ts";
import type { Draft } from "../finding.ts";
import { isMuchTime } from "../gate.ts";
import { isTransferBound } from "../long-transfers.ts";
import { isLargeByNature, leftOutText } from "../request.ts";
import { chosenFrom, groupedFrom } from "../sliced.ts";
import { attributeText } from "../slow-when/attribute-text.ts";
import { operationColumn } from "../slow-when/columns.ts";
import { Durations, LEAST_REQUESTS } from "../slow-when/durations.ts";
import {
  durationOf,
  type Explanation,
  evenlySpaced,
  explanationBy,
  explanationOf,
  isComparable,
  mostDirect,
  significantOf,
} from "../slow-when/explanation.ts";
import { loadOf } from "../slow-when/load.ts";
import { categorySplits } from "../slow-when/split.ts";
import { inMs, nameOf } from "../text.ts";
import { groupedBy, type Request, type Traffic } from "../traffic.ts";
import { waitingOf } from "../waiting.ts";

/**
 * An operation is reported if it is `OPERATION_EFFECT` times as slow as the other
 * operations of its URL, and takes at least `SLOW_OPERATION`.
 */
const OPERATION_EFFECT = 3;
const SLOW_OPERATION: Milliseconds = 100;

/** The attribute that an endpoint's slow requests share and its other requests lack. */
export function* slowWhen({ traffic, found }: Context): Steps<readonly Draft[]> {
  const failed = claimedBy(found, ["retries", "rate-limited", "errors", "server-pauses"]);
  const timed = yield* chosenFrom(traffic.requests, (request) => isComparable(request) && !failed.has(request.id));
  const groups: (readonly Request[])[] = [];
  for (const own of (yield* groupedFrom(timed, ({ endpointKey }) => endpointKey)).values()) {
    if (isWorthALook(own, traffic)) groups.push(own);
    yield;
  }
  const load = yield* loadOf(traffic.requests, new Set(groups.map((own) => own[0]?.origin ?? "")));
  const inTurn = claimedBy(found, ["one-at-a-time"]);
  const large = claimedBy(found, ["large-responses", "large-requests", "uncompressed-responses"]);
  const late = new Set(delayedBodiesOf(traffic).flatMap(({ requests }) => requests.map(({ id }) => id)));
  const drafts: Draft[] = [];
  for (const own of groups) {
    const explanation = yield* explanationOf(own, load, groups.length);
    if (explanation !== null && areSlowByDelay(explanation.inside, explanation.outside, late)) continue;
    const draft = explanation === null ? null : draftFor(explanation);
    if (draft === null || isSizeOf(draft, large) || isLengthOf(draft, own) || isQueueOf(draft, inTurn)) continue;
    drafts.push(draft);
    yield;
  }
  const explained = new Set(drafts.map(({ endpoint }) => JSON.stringify(endpoint)));
  for (const own of groupedBy(timed, urlOf).values()) {
    const draft = isWorthALook(own, traffic) ? slowOperation(own) : null;
    if (draft !== null && !explained.has(JSON.stringify(draft.endpoint))) drafts.push(draft);
    yield;
  }
  return drafts;
}

/** Whether the finding only says that large bodies take long. Other kinds report that. */
function isSizeOf({ attribute, covers }: Draft, large: ReadonlySet<ExchangeId>): boolean {
  if (attribute?.name !== "response-size" && attribute?.name !== "request-size") return false;
  return [...covers].filter((id) => large.has(id)).length * 2 >= covers.size;
}

/** Whether the finding only says that a longer film or download takes longer. */
function isLengthOf({ attribute, covers }: Draft, own: readonly Request[]): boolean {
  if (attribute?.name !== "response-size") return false;
  const long = own.filter((request) => covers.has(request.id) && isLargeByNature(request) && isTransferBound(request));
  return long.length * 2 >= covers.size;
}

/** Whether the finding only says that requests wait for each other, which `one-at-a-time` says with the reason. */
function isQueueOf({ attribute, covers }: Draft, inTurn: ReadonlySet<ExchangeId>): boolean {
  const isLoad = attribute?.name === "in-flight" || attribute?.name.startsWith("while:");
  return isLoad === true && [...covers].some((id) => inTurn.has(id));
}

/** Whether there are enough requests, and their durations exceed the 25th percentile by enough in total. */
function isWorthALook(own: readonly Request[], { totals }: Traffic): boolean {
  if (own.length < LEAST_REQUESTS) return false;
  const quarter = percentileOf(Float64Array.from(own, durationOf).sort(), 0.25);
  const above = own.reduce((sum, request) => sum + Math.max(0, durationOf(request) - quarter), 0);
  return isMuchTime(above, totals);
}

/** Method and URL of a request with an operation; `null` if it has none. */
function urlOf({ facts: { endpoint } }: Request): string | null {
  return endpoint.operation === null ? null : `${endpoint.method} ${endpoint.origin}${endpoint.path}`;
}

/**
 * The operation that takes far longer than the other operations of its URL. The required factor is large, since
 * operations differ as much as endpoints do.
 */
function slowOperation(own: readonly Request[]): Draft | null {
  const { splits, tried } = categorySplits(operationColumn, new Durations(evenlySpaced(own), durationOf));
  const slow = significantOf(splits, tried).filter(({ isNegative, effect, carries }) => {
    if (isNegative || effect < OPERATION_EFFECT) return false;
    return medianOf(own.filter(carries).map(durationOf)) >= SLOW_OPERATION;
  });
  const best = mostDirect(slow);
  const explanation = best === null ? null : explanationBy(best, own, tried);
  return explanation === null ? null : draftFor(explanation);
}

function draftFor({
  split,
  inside,
  outside,
  median,
  usual,
  cut,
  slow: counts,
  tried,
  leftOut,
}: Explanation): Draft | null {
  const { attribute, effect } = split;
  const [first] = inside;
  if (first === undefined) return null;
  const slow = inside.filter((request) => durationOf(request) > usual);
  const time = waitingOf(
    slow.map((request) => ({
      client: request.client,
      start: request.end - durationOf(request) + usual,
      end: request.end,
    })),
  );
  const slowest = slow.toSorted((left, right) => durationOf(right) - durationOf(left));
  const { predicate, again } = attributeText(attribute);
  const { endpoint } = first.facts;
  // The operation was compared with all operations of the URL, so the compared endpoint has no operation.
  const compared = attribute.name === "operation" ? { ...endpoint, operation: null } : endpoint;
  const total = counts.with + counts.without;
  const all = inside.length + outside.length;
  return draftOf({
    kind: "slow-when",
    place: atEndpoint(first),
    attribute,
    count: inside.length,
    time,
    bytes: null,
    confidence: "likely",
    telling: slowest,
    covers: inside,
    summary: `${counts.with} of ${total} requests to ${nameOf(compared)} over ${inMs(cut)} ${predicate}; so ${again} ${inside.length - counts.with} of ${all - total} others${leftOutText(leftOut)}.`,
    advice: adviceFor(attribute.name),
    evidence: [
      { name: "median time with this value", value: inMs(median) },
      { name: "median time without this value", value: inMs(usual) },
      { name: "slow from", value: inMs(cut) },
      { name: "times as slow", value: effect.toFixed(1) },
      { name: "requests with this value", value: `${inside.length} of ${all}` },
    ],
    basis: `A rank test, significant after correction for ${tried} comparisons. The time is the excess over the median of the other requests. All times leave out connection set-up.`,
  });
}

function adviceFor(name: string): string {
  const [sort = ""] = name.split(":", 1);
  return ADVICE[sort] ?? "Compare a slow request with a quick one. They differ in the value named above.";
}

const ADVICE: Readonly<Record<string, string>> = {
  query: "Look at what the server does for this parameter. An index, a limit or a cache may be missing.",
  body: "Look at what the server does for this field of the body. An index, a limit or a cache may be missing.",
  path: "Look at what the server does for this part of the path. It may have far more data than its siblings.",
  cookie: "Look at what the server does for this cookie. The server may run other code, or skip its cache.",
  "request-header":
    "Look at what the server does for this header. The server may run other code, or vary its cache by this header.",
  "response-header":
    "The server itself reports the difference: follow this header to the cache, machine or step behind it.",
  operation: "Look at what the server does for this operation. Other operations of the same URL are quick.",
  status: "Find out what makes the server slow before it gives this status, such as a time-out or heavy work.",
  "server-address": "Compare this machine with the others: its load, its version, and the path to it.",
  connection:
    "The server works longer on new connections. Keep connections open, and look at what the server does for a connection's first request.",
  "after-idle": "The server has to wake up. Keep the server warm, or raise its minimum number of instances.",
  while:
    "The other endpoint may hold a lock, or take what both need. Make it shorter, or run it in parts or elsewhere.",
  "first-use": "The server loads what it uses at its first use. Load or compute it in advance, or keep it for longer.",
  client: "Compare this client with the others: its network, its permissions, and the data that it asks for.",
  protocol: "Compare how the server handles the two protocols.",
  "request-size": "The time grows with what is sent. Send less, or in parts.",
  "response-size": "The time grows with what is sent back. Ask for less: pages, or chosen fields.",
  "in-flight": "The server slows down under load. Send fewer requests in parallel, or give the server more capacity.",
  "time-in-session":
    "The server's speed changed during the session: warm-up, a leak, a release or load from elsewhere.",
};
