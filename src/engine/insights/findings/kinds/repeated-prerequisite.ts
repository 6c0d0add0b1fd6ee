import type { ExchangeId, Milliseconds } from "../../../model/units.ts";
import { lowerBound } from "../../../stats/lower-bound.ts";
import { isDocument } from "../../document.ts";
import { groupedBy } from "../../grouped.ts";
import { cacheVerdictOf } from "../cache-verdict.ts";
import { atEndpoint, type Context, claimedBy, draftOf, figures, longestFirst } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { byFrequency } from "../numbers.ts";
import { isConditional, isPart, isPreflight, responseField, setUpSpanOf } from "../request.ts";
import { savedWaiting } from "../saved-waiting.ts";
import { counted, inMs, inTime, nameOf } from "../text.ts";
import { isAwaited, type Request, type Traffic } from "../traffic.ts";
import { lengthOf } from "../waiting.ts";
import { isEqualAnswer } from "./duplicate-requests.ts";
import { pollOf } from "./polling.ts";

/** docs/specification.md, repeated-prerequisite. A longer gap before the dependent request counts as a person's. */
const LEAST_FETCHES = 5;
const PERSON: Milliseconds = 2_000;

/** Libraries renew a credential up to this long before it ends. */
const LEEWAY: Milliseconds = 60_000;

/** The client's next request follows this soon if it waited for the response. */
const AT_ONCE: Milliseconds = 300;

/** An equal response to a request that comes again at a steady interval of this length or more is a poll's. */
const POLL_FROM: Milliseconds = 1_000;

/** Why an answer need not have been fetched again. */
type Reason = "lifetime" | "cacheable" | "equal";

/** A request that a later one waited for, and the reason why it was avoidable; `null` if it was not. */
interface Fetch {
  readonly request: Request;
  readonly dependent: Request;
  readonly reason: Reason | null;
}

/** A request that is sent before each call that needs its response, although an earlier response was still valid. */
export function repeatedPrerequisite({ traffic, found }: Context): readonly Draft[] {
  const claimed = claimedBy(found, ["retries", "rate-limited", "redirects", "cors-preflights"]);
  const series = traffic.series
    .map((own) => own.filter((one) => isCandidate(one) && !claimed.has(one.id)))
    .filter(({ length }) => length >= LEAST_FETCHES);
  if (series.length === 0) return [];
  const dependents = dependentsIn(traffic, new Set(series.flat().map(({ id }) => id)));
  const documents = new Map(
    [...traffic.byClient].map(([client, own]) => [client, own.filter(({ facts }) => isDocument(facts))]),
  );
  const fetches = series.flatMap((own) => {
    const ofClient = traffic.byClient.get(own[0]?.client ?? "") ?? [];
    const followed = followedIn(own, dependents, ofClient);
    if (followed.length < LEAST_FETCHES) return [];
    const isPoll = (pollOf(own)?.interval ?? 0) >= POLL_FROM;
    return fetchesOf(followed, documents.get(own[0]?.client ?? "") ?? []).filter(
      ({ reason }) => reason !== "equal" || !isPoll,
    );
  });
  return [...groupedBy(fetches, ({ request }) => request.endpointKey).values()]
    .filter((own) => own.filter(({ reason }) => reason !== null).length >= LEAST_FETCHES - 1)
    .map((own) => draftFor(own, pathTimeOf(own, traffic)));
}

function isCandidate(request: Request): boolean {
  return (
    isAwaited(request) &&
    !request.isError &&
    !isConditional(request) &&
    !isPart(request) &&
    !isPreflight(request) &&
    !request.isStaticFile &&
    !isDocument(request.facts)
  );
}

/** A request that provably waited for another, and the value that proves it. */
interface Dependent {
  readonly request: Request;
  /** At most 200 characters; `null` if it is not known. */
  readonly value: string | null;
}

/** The first request of the same client that provably waited for each of these exchanges, by their ids. */
function dependentsIn({ links, byId }: Traffic, wanted: ReadonlySet<ExchangeId>): ReadonlyMap<ExchangeId, Dependent> {
  const first = new Map<ExchangeId, Dependent>();
  for (const own of links.values())
    for (const { from, to, kind, basis, evidence } of own) {
      if (kind !== "proven" || (basis !== "value" && basis !== "initiator") || !wanted.has(from)) continue;
      const [giver, dependent] = [byId.get(from), byId.get(to)];
      if (giver === undefined || dependent === undefined || !isPrompt(giver, dependent)) continue;
      const known = first.get(from);
      if (known === undefined || dependent.start < known.request.start)
        first.set(from, { request: dependent, value: basis === "value" ? (evidence?.value ?? null) : null });
    }
  return first;
}

function isPrompt(giver: Request, dependent: Request): boolean {
  const gap = dependent.start - giver.end;
  return dependent.client === giver.client && !dependent.isStaticFile && gap >= -1 && gap < PERSON;
}

/**
 * The requests with the one that waited for each. A value that the client knew already proves no link: then the
 * client's next request counts if it follows at once, and carries the latest such value or needed such a response
 * elsewhere.
 */
function followedIn(
  own: readonly Request[],
  dependents: ReadonlyMap<ExchangeId, Dependent>,
  ofClient: readonly Request[],
): readonly Omit<Fetch, "reason">[] {
  const proven = own.flatMap(({ id }) => dependents.get(id) ?? []);
  if (proven.length === 0) return [];
  const needs = new Set(proven.map(({ request }) => request.endpointKey));
  let value: string | null = null;
  return own.flatMap((request) => {
    const known = dependents.get(request.id);
    if (known !== undefined) {
      value = known.value;
      return [{ request, dependent: known.request }];
    }
    const next = ofClient[lowerBound(0, ofClient.length, (at) => (ofClient[at]?.start ?? 0) >= request.end - 1)];
    if (next === undefined || next.start - request.end > AT_ONCE || next.endpointKey === request.endpointKey) return [];
    const isNeeding = needs.has(next.endpointKey) || (value !== null && carries(next, value));
    return isNeeding ? [{ request, dependent: next }] : [];
  });
}

/** Whether the request's target or one of its headers contains the value. */
function carries({ facts }: Request, value: string): boolean {
  return facts.exchange.target.includes(value) || facts.requestFields.some((field) => field.value.includes(value));
}

/**
 * Says of each fetch whether the latest necessary one before it would have sufficed. A new page has forgotten it.
 * `documents`: the client's, by start.
 */
function fetchesOf(followed: readonly Omit<Fetch, "reason">[], documents: readonly Request[]): readonly Fetch[] {
  let kept: Request | null = null;
  let before: Request | null = null;
  return followed.map((one) => {
    const { request } = one;
    const loaded =
      documents[lowerBound(0, documents.length, (at) => (documents[at]?.start ?? 0) > (before?.start ?? 0))];
    if (loaded !== undefined && loaded.start <= request.start) [kept, before] = [null, null];
    const reason: Reason | null = kept === null || before === null ? null : reasonOf(kept, before, request);
    if (reason === null) kept = request;
    before = request;
    return { ...one, reason };
  });
}

function reasonOf(kept: Request, before: Request, again: Request): Reason | null {
  const { statedLifetime } = kept.facts;
  if (statedLifetime !== null && again.start < kept.end + statedLifetime - LEEWAY) return "lifetime";
  if (again.facts.exchange.method === "GET" && cacheVerdictOf(kept, again) === "fresh") return "cacheable";
  const tag = responseField(again, "etag");
  const isSame = isEqualAnswer(before, again) || (tag !== null && tag === responseField(before, "etag"));
  // A body that says when it ends is no longer valid afterwards, even if it came again.
  return isSame && statedLifetime === null ? "equal" : null;
}

/** What the clients would not wait, without the connections that the next request would have opened. */
function pathTimeOf(own: readonly Fetch[], traffic: Traffic): Milliseconds {
  const lengths = own.flatMap(({ request, dependent, reason }): (readonly [Request, Milliseconds])[] => {
    if (reason === null) return [];
    const opened = request.origin === dependent.origin && dependent.facts.exchange.reused === true;
    return [[request, opened && request.facts.exchange.reused === false ? lengthOf(setUpSpanOf(request)) : 0]];
  });
  return savedWaiting(traffic, new Map(lengths));
}

function draftFor(own: readonly Fetch[], time: Milliseconds): Draft {
  const avoidable = own.flatMap(({ reason, ...one }) => (reason === null ? [] : [{ ...one, reason }]));
  const [first] = avoidable;
  if (first === undefined) throw new Error("no avoidable request");
  const [[reason] = ["equal" as const]] = byFrequency(avoidable.map((one) => one.reason));
  const lifetime = own[0]?.request.facts.statedLifetime ?? 0;
  const why = reason === "lifetime" ? `${WHY.lifetime} ${inTime(lifetime)}` : WHY[reason];
  return draftOf({
    kind: "repeated-prerequisite",
    scope: atEndpoint(first.request),
    time,
    confidence: reason === "equal" ? "likely" : "certain",
    telling: longestFirst(avoidable.map(({ request }) => request)),
    summary: `${nameOf(first.request.facts.endpoint)} was requested before each call that needs its response: ${avoidable.length} of ${counted(own.length, "request")} were avoidable. ${why}.`,
    advice: "Let the client keep the response and use it again until it ends, or until the server refuses it.",
    evidence: figures({
      "requests that a call waited for": own.length,
      avoidable: avoidable.length,
      "a call that waited": nameOf(first.dependent.facts.endpoint),
      waiting: inMs(time),
    }),
    basis:
      "What the client would not wait without the avoidable requests, with what overlaps them kept. A credential counts as ended a minute before it says.",
  });
}

const WHY: Readonly<Record<Reason, string>> = {
  lifetime: "Each response says that it stays valid for",
  cacheable: "The response's headers allow the client to use it again",
  equal: "The response was the same each time",
};
