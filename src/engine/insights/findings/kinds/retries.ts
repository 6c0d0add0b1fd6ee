import { errorTypeText } from "../../../model/error-text.ts";
import type { Outcome } from "../../../model/exchange.ts";
import { lowered } from "../../../model/letter-case.ts";
import type { Milliseconds } from "../../../model/units.ts";
import { medianOf } from "../../../stats/percentile.ts";
import { variationOf } from "../../../stats/variation.ts";
import { addTo, groupedBy } from "../../grouped.ts";
import { atEndpoint, type Context, claimedBy, draftOf, figures } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { pairsIn, sumOf } from "../numbers.ts";
import { retryAfterOf } from "../request.ts";
import { counted, inMs, nameOf, quoted } from "../text.ts";
import { type TimedOut, timedOutIn } from "../time-outs.ts";
import type { Request, Traffic } from "../traffic.ts";
import { lengthOf, type Span, savedBy } from "../waiting.ts";

/** The longest delay of a retry. */
const AGAIN_WITHIN: Milliseconds = 60_000;

/**
 * The longest delay of a retry if the client's usual interval between requests is unknown, both for the request and for
 * others of its endpoint.
 */
const SOON: Milliseconds = 10_000;

/** A retry comes within this share of the client's usual interval between requests, known from at least so many. */
const SHARE_OF_RHYTHM = 0.5;
const LEAST_PAUSES = 2;

/** A pause that is this many times as long as the previous one is a back-off. */
const BACKED_OFF_FROM = 1.4;

/**
 * Requests given up after times that vary by less than this (coefficient of variation) had a time-out; at least this
 * many.
 */
const LEAST_GIVEN_UP = 3;
const MOST_VARIATION = 0.1;

/** So many pauses that grow, one after the other, show one client where its connections do not. */
const LEAST_GROWN = 3;

/** A failed request, and the same request sent again. `isPrompt`: sooner than at the client's usual interval. */
interface Retry {
  readonly failed: Request;
  readonly again: Request;
  readonly isPrompt: boolean;
  readonly sureness: Sureness;
}

/** How surely one client sent both requests; `null`: nothing tells them from those of two programs. */
type Sureness = "certain" | "likely" | null;

/**
 * Retries: the same request sent again after a reset, a time-out (also of the client itself), 408, 425, 429 or 5xx,
 * sooner than at the client's usual interval, unless two programs may have sent them.
 */
export function retries({ traffic, found }: Context): readonly Draft[] {
  const claimed = claimedBy(found, ["rate-limited"]);
  const isTimedOut = timedOutIn(traffic);
  const surenessOf = surenessIn(traffic);
  const byEndpoint = new Map<string, Retry[]>();
  for (const alike of groupedBy(traffic.series, senderOf).values()) {
    const failing = alike.filter((own) => own.some(hasFailed));
    if (failing.length === 0) continue;
    const usual = limitBy(alike) ?? SOON;
    for (const own of failing)
      for (const retry of retriesIn(own, limitBy([own]) ?? usual, isTimedOut, surenessOf)) {
        if (claimed.has(retry.failed.id) || traffic.modelRetries.has(retry.failed.id)) continue;
        addTo(byEndpoint, retry.failed.endpointKey, retry);
      }
  }
  return [...byEndpoint].flatMap(
    ([key, list]) => draftFor(list, usualIn(traffic.endpoints.get(key) ?? [], list)) ?? [],
  );
}

/** The median time of the endpoint's successful requests that are no retries, else of all; `null` if none succeeded. */
function usualIn(own: readonly Request[], list: readonly Retry[]): Milliseconds | null {
  const isAgain = new Set(list.map(({ again }) => again));
  const successes = own.filter((request) => !request.isError && request.latency !== null);
  const first = successes.filter((request) => !isAgain.has(request));
  const lengths = (first.length > 0 ? first : successes).map(lengthOf);
  return lengths.length === 0 ? null : medianOf(lengths);
}

/** Whether the client gave the request up after its time-out, and then sent it again, though not at once. */
function isGivenUp(failed: Request, pause: Milliseconds): boolean {
  return !isRetryable(failed) && pause <= SOON;
}

/** The client and endpoint of a series. */
function senderOf([first]: readonly Request[]): string {
  return `${first?.client}\n${first?.endpointKey}`;
}

/** The longest pause before a retry, by the pauses after successes; `null` if too few are known. */
function limitBy(series: Traffic["series"]): Milliseconds | null {
  const pauses = series.flatMap((own) =>
    pairsIn(own).flatMap(([before, next]) => (hasFailed(before) ? [] : [next.start - before.end])),
  );
  return pauses.length < LEAST_PAUSES ? null : Math.min(AGAIN_WITHIN, medianOf(pauses) * SHARE_OF_RHYTHM);
}

/** `limit`: the longest pause before a retry. */
function retriesIn(
  series: readonly Request[],
  limit: Milliseconds,
  isTimedOut: TimedOut,
  surenessOf: (failed: Request, again: Request) => Sureness,
): Retry[] {
  const found = pairsIn(series).flatMap(([failed, again]): Retry[] => {
    if (!isRetryable(failed) && !isTimedOut(failed, again)) return [];
    const pause = again.start - failed.end;
    const isPrompt = pause <= limit || isObeyed(failed, again);
    const isRetry = pause >= -1 && (isPrompt || isGivenUp(failed, pause));
    return isRetry ? [{ failed, again, isPrompt, sureness: surenessOf(failed, again) }] : [];
  });
  const hasBackedOff = grownIn(found).length >= LEAST_GROWN;
  return found.flatMap((retry) => {
    const sureness = retry.sureness ?? (hasBackedOff ? "likely" : null);
    return sureness === null ? [] : [{ ...retry, sureness }];
  });
}

/** The retries of failed retries that came after a clearly longer pause. */
function grownIn(list: readonly Retry[]): readonly Retry[] {
  return followedIn(list)
    .filter(([before, retry]) => pauseOf(retry) >= BACKED_OFF_FROM * pauseOf(before))
    .map(([, retry]) => retry);
}

/** Failed retries with the retry of each. */
function followedIn(list: readonly Retry[]): readonly (readonly [Retry, Retry])[] {
  return pairsIn(list).filter(([before, retry]) => before.again === retry.failed);
}

function pauseOf({ failed, again }: Retry): Milliseconds {
  return again.start - failed.end;
}

/**
 * Tells by the client's connections how surely one program sent two requests: certainly over one connection, or over
 * two that were in use together. Programs that are started anew use connections of one request each; of these only a
 * failure without a response, which takes the connection with it, and an obeyed Retry-After are likely retries.
 */
function surenessIn({ requests }: Traffic): (failed: Request, again: Request) => Sureness {
  const uses = new Map<number | null, Request[]>();
  return (failed, again) => {
    const [from, to] = [connectionOf(failed), connectionOf(again)];
    if (from === null || to === null || from === to) return "certain";
    if (uses.size === 0) for (const request of requests) addTo(uses, connectionOf(request), request);
    const [own, others] = [uses.get(from) ?? [], uses.get(to) ?? []];
    if ((own.at(-1)?.start ?? 0) > again.start || (others[0]?.start ?? 0) < failed.end) return "certain";
    const isKept = own.length > 1 || others.length > 1;
    return isKept || !hasResponse(failed) || isObeyed(failed, again) ? "likely" : null;
  };
}

function connectionOf({ facts: { exchange } }: Request): number | null {
  return exchange.clientConnection;
}

/** Whether the client got a response, be it from Weir. */
function hasResponse({ facts: { exchange } }: Request): boolean {
  return exchange.outcome?.kind === "responded" || (exchange.outcome?.status ?? null) !== null;
}

function draftFor(list: readonly Retry[], usual: Milliseconds | null): Draft | null {
  const [first] = list;
  if (first === undefined) return null;
  const failed = list.map((retry) => retry.failed);
  const time = timeOf(list, usual);
  const failures = new Set([...failed, ...list.map(({ again }) => again).filter(isRetryable)]);
  const told = list.filter((retry) => retryAfterOf(retry.failed) !== null);
  const obeyed = told.filter((retry) => isObeyed(retry.failed, retry.again)).length;
  const grew = grownIn(list);
  const followed = followedIn(list);
  const isLeft = failed.every((request) => !isRetryable(request));
  const limit = isLeft ? timeOutOf(failed) : null;
  const why =
    limit === null
      ? [...new Set(failed.map(failureOf))].slice(0, 3).join(", ")
      : `the client gave up after ${inMs(limit)}`;
  const cause = isLeft ? CLIENTS_TIME_OUT : "Find out why the requests fail.";
  return draftOf({
    kind: "retries",
    scope: atEndpoint(first.failed),
    count: failures.size,
    time,
    confidence: isLeft || list.some(({ sureness }) => sureness === "likely") ? "likely" : "certain",
    telling: [...new Set(list.flatMap((retry) => [retry.failed, retry.again]))],
    summary: `${nameOf(first.failed.facts.endpoint)} failed ${counted(failures.size, "time")} (${why}) and was sent again, which cost ${inMs(time)}.`,
    advice: `${cause}${grew.length * 2 >= followed.length ? "" : " Let the client wait longer before each further attempt."}`,
    evidence: figures({
      retries: list.length,
      failures: why,
      "median time of a failed attempt": inMs(medianOf(failed.map(lengthOf))),
      "median pause before a retry": inMs(medianOf(list.map(pauseOf))),
      "further attempts after a longer pause": `${grew.length} of ${followed.length}`,
      "retries that waited as long as Retry-After says": told.length === 0 ? null : `${obeyed} of ${told.length}`,
    }),
    basis:
      "A retry has the same client, method, URL and body as the failed request. The time is that from the first failed attempt to the response of the last, less one usual request.",
  });
}

/** The time from each first attempt to the end of its last one, less what the last would have taken as usual. */
function timeOf(list: readonly Retry[], usual: Milliseconds | null): Milliseconds {
  const next = new Map(list.map((retry) => [retry.failed, retry]));
  const isAgain = new Set(list.map(({ again }) => again));
  const waited: Span[] = [];
  const kept: Span[] = [];
  for (const first of list) {
    if (isAgain.has(first.failed)) continue;
    const attempts = [first];
    for (let retry = next.get(first.again); retry !== undefined; retry = next.get(retry.again)) attempts.push(retry);
    const last = attempts.at(-1)?.again ?? first.again;
    const { client, start } = first.failed;
    const own = lengthOf(last);
    // The pause of a client that asks at its own rhythm anyway is not part of the wait.
    const pauses = sumOf(attempts, (retry) => (retry.isPrompt ? 0 : pauseOf(retry)));
    const end = Math.max(last.end - pauses, start);
    waited.push({ client, start, end });
    kept.push({
      client,
      start,
      end: Math.min(end, start + (hasFailed(last) ? (usual ?? own) : Math.min(own, usual ?? own))),
    });
  }
  return savedBy(waited, kept);
}

/** The time after which a client gave up all of these requests; `null` if the times differ. */
function timeOutOf(failed: readonly Request[]): Milliseconds | null {
  const lengths = failed.map(lengthOf);
  return failed.length >= LEAST_GIVEN_UP && variationOf(lengths) < MOST_VARIATION ? medianOf(lengths) : null;
}

const CLIENTS_TIME_OUT =
  "Make the server faster, or let the client wait longer: its time-out is shorter than some responses take.";

function isObeyed(failed: Request, again: Request): boolean {
  const wanted = retryAfterOf(failed);
  if (wanted === null) return false;
  const pause = again.start - failed.end;
  return pause >= wanted * 0.95 && pause <= wanted * 1.5 + 1_000;
}

/** Whether the request has no response that its client could use, whoever ended it. */
function hasFailed(request: Request): boolean {
  return isRetryable(request) || request.facts.exchange.outcome?.kind === "failed";
}

/** Whether a client may retry after this failure: RFC 9110, 15.5.9 and 15.6; RFC 8470, 5.2; RFC 6585, 4. */
function isRetryable({ status, facts: { exchange, model } }: Request): boolean {
  if ((model?.error ?? null) !== null) return true;
  if (status !== null && (status >= 500 || status === 408 || status === 425 || status === 429)) return true;
  return isTransportFailure(exchange.outcome);
}

function isTransportFailure(outcome: Outcome | null): boolean {
  return outcome?.kind === "failed" && !CLIENT_SIDE.has(outcome.errorType);
}

/** Error types that the server did not cause. */
export const CLIENT_SIDE: ReadonlySet<string> = new Set([
  "client-aborted",
  "client-rejected-certificate",
  "client-tls-failed",
  "request-malformed",
  "request-truncated",
  "loop-refused",
  "target-refused",
  "proxy-stopped",
]);

/** Why a request failed, as a part of a sentence: "502", "the server reset the connection". May be captured text. */
export function failureOf({ status, facts }: Request): string {
  const { outcome } = facts.exchange;
  if (outcome?.kind === "failed" && outcome.status === null) return lowered(errorTypeText(outcome.errorType));
  const error = facts.model?.error ?? null;
  if (error !== null) return `${quoted(error)} in a ${status} stream`;
  if (facts.applicationError && (status === null || status < 400)) return `error in a ${status} response`;
  return String(status);
}
