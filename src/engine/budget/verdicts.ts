import type { EndpointStats } from "../messages/latency-messages.ts";
import type { Endpoint } from "../model/endpoint.ts";
import { partsOf } from "../model/endpoint.ts";
import type { Finding, FindingKind } from "../model/finding.ts";
import { type Budget, type EndpointLimits, LIMITS } from "./budget.ts";

/** The fewest requests for a verdict if the budget sets no `n`; as many as a row of the latency table needs. */
const LEAST_REQUESTS = 5;

/** An endpoint, and the number of its requests. `stats`: `null` if there are too few requests for percentiles. */
export interface Requested {
  readonly endpoint: Endpoint;
  readonly requests: number;
  readonly stats: EndpointStats | null;
}

/** A limit, and whether it was kept. */
export interface Verdict {
  readonly outcome: "kept" | "broken" | "too-few" | "accepted" | "known";
  /** The endpoint; the pattern if no endpoint matches it; or the kind of finding. */
  readonly subject: string;
  /** The limited figure; "finding" for a forbidden kind of finding; "regression" for a comparison with the baseline. */
  readonly what: (typeof LIMITS)[number] | "finding" | "regression";
  /** The path of names to the limit in the budget file; `null` for a regression. */
  readonly place: readonly string[] | null;
  /** The limit's value; `null` for a finding or a regression. */
  readonly limit: number | null;
  /** The measured value in the limit's unit; `null` without a verdict, and for a finding or a regression. */
  readonly measured: number | null;
  /** The number of requests measured; for a finding, the number of its occurrences. */
  readonly n: number;
  /**
   * Why there is no verdict; the finding's summary; or how the endpoint's latency changed. "" if there is nothing to
   * add.
   */
  readonly detail: string;
  /** Of the finding, or of the slower endpoint as a finding of the kind "regression"; `null` for a limit. */
  readonly fingerprint: string | null;
  /** A broken verdict is new, worse than in the baseline by a test, or known; `null` without a baseline. */
  readonly change: "new" | "worse" | "known" | null;
  /** The entry of the accepted file; `null` without one. If the verdict is broken, the entry has expired. */
  readonly acceptance: { readonly reason: string; readonly until: string | null } | null;
}

/** A finding of the judged session. `fingerprint`: as a report adds it. */
export type Found = Pick<Finding, "kind" | "count" | "summary" | "fingerprint">;

/** The verdicts on one session or file. */
export interface Verdicts {
  readonly verdicts: readonly Verdict[];
  /** The number of verdicts left out for lack of requests, because the limit was judged for other endpoints. */
  readonly unjudged: number;
}

/**
 * Checks each limit for every endpoint that its pattern matches, and looks for each forbidden kind of finding. A limit
 * has no verdict if none of its endpoints could be judged.
 */
export function verdictsOf(
  { endpoints, findings }: Budget,
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
      const place = ["endpoints", pattern, what];
      if (matching.length === 0) verdicts.push(tooFew(pattern, { what, limit, place }, 0, "no request matches"));
      const all = matching.map((one) => verdictOf(one, { what, limit, place }, limits));
      const judged = all.filter(({ outcome }) => outcome !== "too-few");
      verdicts.push(...(judged.length > 0 ? judged : all));
      if (judged.length > 0) unjudged += all.length - judged.length;
    }
  }
  for (const kind of findings.no) {
    const those = found.filter((finding) => finding.kind === kind);
    const place = ["findings", "no"];
    verdicts.push(
      ...(those.length === 0 ? [absentVerdict(kind, place)] : those.map((one) => findingVerdict(one, place))),
    );
  }
  return Object.freeze({ verdicts: Object.freeze(verdicts), unjudged });
}

const UNLIMITED = { what: "finding", limit: null, measured: null, acceptance: null, change: null } as const;

/** A finding that must not be. `place`: of the limit; `null` if the budget does not name it. */
export function findingVerdict(
  { kind, count, summary, fingerprint }: Found,
  place: readonly string[] | null = null,
): Verdict {
  const finding = { subject: kind, n: count, detail: summary, fingerprint: fingerprint ?? null } as const;
  return Object.freeze({ ...UNLIMITED, outcome: "broken", place, ...finding });
}

function absentVerdict(kind: FindingKind, place: readonly string[]): Verdict {
  const nothing = { subject: kind, n: 0, detail: "", fingerprint: null } as const;
  return Object.freeze({ ...UNLIMITED, outcome: "kept", place, ...nothing });
}

/** What only findings have. */
const NO_FINDING = { fingerprint: null, acceptance: null, change: null } as const;

interface Limit {
  readonly what: (typeof LIMITS)[number];
  readonly limit: number;
  readonly place: readonly string[];
}

function verdictOf(
  { endpoint, requests, stats }: Requested,
  one: Limit,
  { n: needed = LEAST_REQUESTS }: EndpointLimits,
): Verdict {
  const { what, limit } = one;
  const judged = (measured: number, n: number): Verdict =>
    Object.freeze({
      outcome: measured > limit ? "broken" : "kept",
      subject: endpoint,
      ...{ ...one, measured, n, detail: "", ...NO_FINDING },
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

function tooFew(subject: string, limit: Limit, n: number, detail: string): Verdict {
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
