import { groupedBy } from "../../grouped.ts";
import { atEndpoint, type Context, draftOf, figures, largestOf, longestFirst } from "../draft.ts";
import type { Draft } from "../finding.ts";
import { ruleOf } from "../redirect-rule.ts";
import { isSafe, responseField } from "../request.ts";
import { removed, savedWaiting } from "../saved-waiting.ts";
import { counted, inMs, inTurn, nameOf, quoted } from "../text.ts";
import type { Request, Traffic } from "../traffic.ts";

/** docs/specification.md, redirects. */
const LEAST_TIMES = 2;
const LEAST_HOPS = 2;
const LEAST_PATHS = 5;

/** Redirects that could be avoided: a client followed one repeatedly, several in a row, or one rule on many paths. */
export function redirects({ traffic }: Context): readonly Draft[] {
  const all = traffic.requests.filter(isRedirect);
  if (all.length === 0) return [];
  const roots = new Map(all.map((request) => [request, rootOf(request, traffic)]));
  const drafts: Draft[] = [];
  const ruled = new Set<Request>();
  for (const own of groupedBy(all, (request) => ruleKeyOf(request)).values()) {
    const draft = draftOfRule(own, traffic);
    if (draft === null) continue;
    drafts.push(draft);
    for (const request of own) ruled.add(request);
  }
  const rest = all.filter((request) => !ruled.has(request));
  for (const own of groupedBy(rest, (request) => roots.get(request)?.endpointKey ?? null).values()) {
    const draft = draftOfEndpoint(own, roots, traffic);
    if (draft !== null) drafts.push(draft);
  }
  return drafts;
}

/** The origin and what the redirect changes; `null` if it changes nothing that it would change in other URLs. */
function ruleKeyOf(request: Request): string | null {
  const rule = ruleOf(request);
  return rule === null ? null : `${request.origin}\n${rule}`;
}

/** The finding about redirects of one origin that one rule makes, if the rule is for many paths. */
function draftOfRule(own: readonly Request[], traffic: Traffic): Draft | null {
  const paths = new Set(own.map(({ path }) => path)).size;
  const [first] = own;
  if (first === undefined || paths < LEAST_PATHS) return null;
  const time = savedWaiting(traffic, removed(own));
  const rule = quoted(ruleOf(first) ?? "");
  return draftOf({
    kind: "redirects",
    scope: atEndpoint(first),
    time,
    confidence: "certain",
    telling: longestFirst(own),
    summary: `${nameOf(first.facts.endpoint)} and ${counted(paths - 1, "other path")} were redirected by one rule (${rule}), ${inMs(time)} in all.`,
    advice: "Let clients request the URLs that the redirects name: change the base URL or the links once.",
    evidence: figures({
      redirects: own.length,
      paths: paths,
      "Location of the first redirect": quoted(goalOf(first)),
    }),
    basis: "What the clients would wait less if they requested the last URL at once.",
  });
}

/** The finding about redirects that begin at one endpoint, if one was repeated, or if several followed each other. */
function draftOfEndpoint(
  own: readonly Request[],
  roots: ReadonlyMap<Request, Request>,
  traffic: Traffic,
): Draft | null {
  const starts = own.filter((request) => roots.get(request) === request);
  const isRepeated = [
    ...groupedBy(
      starts,
      (request) => `${request.client}\n${request.origin}${request.path}\n${goalOf(request)}`,
    ).values(),
  ].some(({ length }) => length >= LEAST_TIMES);
  const chains = groupedBy(own, (request) => String(roots.get(request)?.id ?? request.id));
  const hops = largestOf([...chains.values()].map(({ length }) => length));
  const [first] = starts;
  if (first === undefined || (!isRepeated && hops < LEAST_HOPS)) return null;
  const time = savedWaiting(traffic, removed(own));
  const ways = new Map<string, number>();
  for (const chain of chains.values()) ways.set(wayOf(chain), (ways.get(wayOf(chain)) ?? 0) + 1);
  const [[usual = ""] = []] = [...ways].sort(([, left], [, right]) => right - left);
  const way = ways.size === 1 ? usual : `most often ${usual}`;
  return draftOf({
    kind: "redirects",
    scope: atEndpoint(first),
    time,
    confidence: "certain",
    telling: longestFirst(own),
    summary: `${nameOf(first.facts.endpoint)} led to ${counted(own.length, "redirect")} (${way}), ${inMs(time)} in all.`,
    advice:
      hops >= LEAST_HOPS
        ? "Redirect straight to the last URL, and let clients request that URL."
        : "Let clients request the URL that the redirect names. Browsers cache a 308 that has Cache-Control.",
    evidence: figures({
      redirects: own.length,
      "redirects in the longest chain": hops,
      "Location of the first redirect": quoted(goalOf(first)),
    }),
    basis: "What the clients would wait less if they requested the last URL at once.",
  });
}

/** A text such as "301 to /books/" or "302 to /gate, then 302 to /home". */
function wayOf(chain: readonly Request[]): string {
  return inTurn(chain.map((hop) => `${hop.status} to ${quoted(goalOf(hop))}`));
}

/**
 * Whether the response redirects a GET or HEAD, or any method by 307 or 308, which keep it. Another redirect after a
 * form submission is intended and does not count (RFC 9110, 15.4.4).
 */
export function isRedirect(request: Request): boolean {
  const { status, facts } = request;
  const keepsMethod = status === 307 || status === 308;
  const isOne = keepsMethod || ((status === 301 || status === 302 || status === 303) && isSafe(facts.exchange.method));
  return isOne && responseField(request, "location") !== null;
}

/** The first redirect of the series that led to this request. */
function rootOf(request: Request, { links, byId }: Traffic): Request {
  let root = request;
  for (let hop = 0; hop < 20; hop += 1) {
    const link = links.provenInto(root.id).find(({ basis }) => basis === "protocol");
    const before = link === undefined ? undefined : byId.get(link.from);
    if (before === undefined || !isRedirect(before)) return root;
    root = before;
  }
  return root;
}

/** The target of the redirect without query and fragment, since the query may differ each time. */
function goalOf(request: Request): string {
  return (responseField(request, "location") ?? "").replace(/[?#].*/s, "");
}
