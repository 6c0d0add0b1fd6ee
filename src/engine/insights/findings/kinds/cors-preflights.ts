import type { Milliseconds } from "../../../model/units.ts";
import { groupedBy } from "../../grouped.ts";
import { atEndpoint, type Context, costliestIn, draftOf, figures, longestFirst } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { isPreflight, requestField, responseField } from "../request.ts";
import { removed, savedWaiting } from "../saved-waiting.ts";
import { counted, inMs, nameWithOthers } from "../text.ts";
import type { Request, Traffic } from "../traffic.ts";

/** docs/specification.md, cors-preflights. */
const LEAST_PREFLIGHTS = 3;

/**
 * How long Chromium caches a preflight's response: `KEPT_UNTOLD` without Access-Control-Max-Age, else at most
 * `KEPT_AT_MOST`.
 */
const KEPT_UNTOLD: Milliseconds = 5_000;
const KEPT_AT_MOST: Milliseconds = 7_200_000;

/** A server that allows caching for at least this long is not the cause of the preflights. */
const LONG_ENOUGH: Milliseconds = 600_000;

/**
 * OPTIONS requests repeated by one client for one resource or path template although the response could have been
 * cached.
 */
export function corsPreflights({ traffic }: Context): readonly Draft[] {
  const preflights = traffic.requests.filter((request) => isPreflight(request) && !request.isError);
  const series = groupedBy(preflights, keyOf);
  const avoidable = [...series.values()].flatMap(avoidableIn);
  // Groups by URL with its query, since a cache entry is for one URL (Fetch, 4.9).
  const byUrl = groupedBy(preflights, (one) => `${keyOf(one)}\n${one.facts.exchange.target}`);
  const again = new Set([...byUrl.values()].flatMap((own) => own.slice(1)));
  const byCause = groupedBy(avoidable, (one) => `${one.origin}\n${maxAgeOf(one)}`);
  return [...byCause.values()].map((own) => draftFor(own, again, traffic));
}

/**
 * The finding about an origin's avoidable preflights with one Access-Control-Max-Age. `again`: not the first for its
 * URL.
 */
function draftFor(own: readonly Request[], again: ReadonlySet<Request>, traffic: Traffic): Draft {
  const { costliest, others } = costliestIn(own);
  const [first] = costliest;
  const time = savedWaiting(traffic, removed(own));
  const age = maxAgeOf(first);
  const header = age === null ? "no Access-Control-Max-Age" : `Access-Control-Max-Age: ${Math.round(age / 1_000)}`;
  const isKept = age !== null && age >= LONG_ENOUGH;
  const isOfNewUrls = own.filter((one) => !again.has(one)).length * 2 > own.length;
  return draftOf({
    kind: "cors-preflights",
    scope: atEndpoint(first),
    time,
    confidence: "certain",
    telling: longestFirst(own),
    summary: `${nameWithOthers(first.facts.endpoint, others)} received ${counted(own.length, "avoidable preflight")}, ${inMs(time)} in all (${header}).`,
    advice: adviceFor(isOfNewUrls, isKept),
    evidence: figures({
      "avoidable preflights": own.length,
      endpoints: others + 1,
      "Access-Control-Max-Age": age === null ? "absent" : `${Math.round(age / 1_000)} s`,
    }),
    basis:
      "Preflights that one client repeated for one resource or path template within two hours. The time is what the client would wait less without these repeats.",
  });
}

/**
 * A key that is equal for preflights of one resource or path template that ask for the same. Those for another origin,
 * method or other headers need a response of their own.
 */
function keyOf(request: Request): string {
  const names = ["origin", "access-control-request-method", "access-control-request-headers"];
  return [request.client, request.endpointKey, ...names.map((name) => requestField(request, name))].join("\n");
}

function adviceFor(isOfNewUrls: boolean, isKept: boolean): string {
  if (isOfNewUrls)
    return "Browsers cache a preflight's response per URL, and these URLs differ. Serve page and API from one origin, or send requests that need no preflight.";
  return isKept
    ? "The client does not cache the response for as long as Access-Control-Max-Age allows. Serve page and API from one origin."
    : "Send Access-Control-Max-Age: 7200 with the response, or serve page and API from one origin.";
}

/**
 * The preflights sent within two hours of the previous one. Leaves out those sent after a long-lived cache entry had
 * expired. If there are too few, the result is empty, unless one was sent within the previous response's
 * Access-Control-Max-Age.
 */
function avoidableIn(series: readonly Request[]): readonly Request[] {
  const latest = new Map<string, Request>();
  const pairs = series.flatMap((again, index) => {
    const { target } = again.facts.exchange;
    const before = latest.get(target) ?? series[index - 1];
    latest.set(target, again);
    if (before === undefined || again.start - before.end >= KEPT_AT_MOST || hasExpired(before, again)) return [];
    return [{ before, again }];
  });
  const isAgainstMaxAge = pairs.some(({ before, again }) => {
    const age = before.facts.exchange.target === again.facts.exchange.target ? (maxAgeOf(before) ?? 0) : 0;
    return age > KEPT_UNTOLD && again.start - before.end < age;
  });
  return pairs.length + 1 >= LEAST_PREFLIGHTS || isAgainstMaxAge ? pairs.map(({ again }) => again) : [];
}

/** Whether the response could be cached for long, but had expired when the next preflight was sent. */
function hasExpired(before: Request, next: Request): boolean {
  const age = maxAgeOf(before);
  return age !== null && age >= LONG_ENOUGH && next.start - before.end >= age;
}

function maxAgeOf(request: Request): Milliseconds | null {
  const value = responseField(request, "access-control-max-age");
  return value !== null && /^-?\d+$/.test(value) ? Math.max(0, Number(value) * 1_000) : null;
}
