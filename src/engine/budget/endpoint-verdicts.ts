import type { EndpointStats } from "../messages/latency-messages.ts";
import { type Endpoint, endpointAt, partsOf } from "../model/endpoint.ts";
import { type Budget, type EndpointLimits, LIMITS } from "./budget.ts";
import { findingVerdictsOf } from "./finding-verdicts.ts";
import { type BudgetPath, type Found, NO_FINDING, type Verdict, type Verdicts } from "./verdict.ts";

/** The fewest requests for a verdict if the budget sets no `n`; as many as a row of the latency table needs. */
const LEAST_SAMPLES = 5;

/** An endpoint, and the number of its requests. `stats`: `null` if there are too few requests for percentiles. */
export interface Requested {
  readonly endpoint: Endpoint;
  readonly requests: number;
  readonly stats: EndpointStats | null;
}

/** The verdict on too few requests in all; `null` if there are enough. `where`: as in "in the baseline". */
export function requestsVerdict(requests: number, { min }: Budget["requests"], where: string): Verdict | null {
  if (requests >= min) return null;
  const limit = { what: "requests", limit: min, place: ["requests", "min"] } as const;
  return tooFew("*", limit, requests, where);
}

/**
 * Checks each limit for every endpoint that its pattern matches, and looks for each forbidden kind of finding. A limit
 * has no verdict if none of its endpoints could be judged.
 */
export function verdictsOf(
  { endpoints, findings }: Pick<Budget, "endpoints" | "findings">,
  requested: readonly Requested[],
  found: readonly Found[],
): Verdicts {
  const verdicts: Verdict[] = [];
  let unjudged = 0;
  for (const [pattern, limits] of Object.entries(endpoints)) {
    const matches = matcherOf(pattern);
    const matching = requested.filter(({ endpoint }) => matches(endpoint));
    for (const what of LIMITS) {
      const limit = limits[what];
      if (limit === undefined) continue;
      const path = ["endpoints", pattern, what];
      if (matching.length === 0) verdicts.push(tooFew(pattern, { what, limit, place: path }, 0, "no request matches"));
      const all = matching.map((one) => verdictOf(one, { what, limit, place: path }, limits));
      const judged = all.filter(({ outcome }) => outcome !== "too-few");
      verdicts.push(...(judged.length > 0 ? judged : all));
      if (judged.length > 0) unjudged += all.length - judged.length;
    }
    if (limits.findings !== undefined) {
      const own = found.filter(({ endpoint }) => isAt(matches, endpoint));
      const path = ["endpoints", pattern, "findings"];
      const isUnknown = matching.length === 0 && own.length === 0;
      verdicts.push(...(isUnknown ? [] : findingVerdictsOf(limits.findings, own, path, ` at ${pattern}`)));
      if (isUnknown)
        verdicts.push(tooFew(pattern, { what: "finding", limit: null, place: path }, 0, "no request matches"));
    }
  }
  verdicts.push(...findingVerdictsOf(findings, found, ["findings"]));
  return Object.freeze({ verdicts: Object.freeze(verdicts), unjudged });
}

interface Limit {
  readonly what: (typeof LIMITS)[number];
  readonly limit: number;
  readonly place: BudgetPath;
}

function verdictOf(
  { endpoint, requests, stats }: Requested,
  one: Limit,
  { n: needed = LEAST_SAMPLES }: EndpointLimits,
): Verdict {
  const { what, limit } = one;
  const judged = (measured: number, n: number): Verdict =>
    Object.freeze({
      outcome: measured > limit ? "broken" : "kept",
      subject: endpoint,
      ...one,
      measured,
      n,
      detail: "",
      ...NO_FINDING,
    });
  if (what === "count") return judged(requests, requests);
  const isTimed = what === "p50" || what === "p95" || what === "p99";
  const n = isTimed && stats !== null ? stats.samples : requests;
  const figure = { p50: stats?.p50, p95: stats?.p95, p99: stats?.p99, size: stats?.avgSize, errors: stats?.errorRate }[
    what
  ];
  if (n < needed) return tooFew(endpoint, one, n, `${needed} needed`);
  if (figure === undefined || figure === null) return tooFew(endpoint, one, n, "no complete response");
  return judged(figure, n);
}

function isAt(matches: (endpoint: Endpoint) => boolean, endpoint: Found["endpoint"]): boolean {
  if (endpoint === undefined || endpoint === null) return false;
  return matches(endpointAt(endpoint.method, endpoint.origin, endpoint.path, endpoint.operation));
}

function tooFew(subject: string, limit: Pick<Verdict, "what" | "limit" | "place">, n: number, detail: string): Verdict {
  return Object.freeze({ outcome: "too-few", subject, ...limit, measured: null, n, detail, ...NO_FINDING });
}

/** Returns a function that tells whether an endpoint matches the pattern. Letter case matters. */
export function matcherOf(pattern: string): (endpoint: Endpoint) => boolean {
  const words = pattern.trim();
  const space = words.indexOf(" ");
  const hasMethod = space > 0 && !words.slice(0, space).includes("/");
  const method = hasMethod ? words.slice(0, space) : "*";
  const target = hasMethod ? words.slice(space).trimStart() : words;
  const isMethod = wildcard(method);
  const isTarget = wildcard(target);
  return (endpoint) => {
    const parts = partsOf(endpoint);
    const operation = parts.operation === null ? "" : ` · ${parts.operation}`;
    const whole = `${parts.path}${operation}`;
    return isMethod(parts.method) && isTarget(target.startsWith("/") ? whole : `${parts.origin}${whole}`);
  };
}

/**
 * Returns a function that tells whether a text matches the pattern. It searches for the literal parts one after
 * another, which takes linear time.
 */
function wildcard(pattern: string): (text: string) => boolean {
  const pieces = pattern.split("*");
  const [first = "", last = ""] = [pieces[0], pieces.at(-1)];
  if (pieces.length === 1) return (text) => text === pattern;
  return (text) => {
    if (!text.startsWith(first)) return false;
    let at = first.length;
    for (const piece of pieces.slice(1, -1)) {
      const found = text.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return text.length - last.length >= at && text.endsWith(last);
  };
}
