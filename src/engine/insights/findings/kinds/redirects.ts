import { type Group, groupedBy } from "../../grouped.ts";
import { atEndpoint, type Context, draftOf, figures, largestOf, longestFirst } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { byFrequency } from "../numbers.ts";
import { ruleOf } from "../redirect-rule.ts";
import { isSafe, responseField } from "../request.ts";
import { removed, savedWaiting } from "../saved-waiting.ts";
import { counted, inMs, inTurn, nameOf, nameWithOthers, quoted } from "../text.ts";
import type { Request, Traffic } from "../traffic.ts";

/** docs/specification.md, redirects. */
const LEAST_TIMES = 2;
const LEAST_HOPS = 2;
const LEAST_PATHS = 5;

/** Redirects that could be avoided: a client followed one repeatedly, several in a row, or one rule on many paths. */
export function redirects({ traffic }: Context): readonly Draft[] {
  const all = traffic.requests.filter(isRedirect);
  const roots = new Map(all.map((request) => [request, rootOf(request, traffic)]));
  const ofRules = [...groupedBy(all, ruleKeyOf).values()].flatMap((own) => draftOfRule(own, traffic) ?? []);
  const ruled = new Set(ofRules.flatMap(({ covers }) => [...covers]));
  const rest = all.filter(({ id }) => !ruled.has(id));
  const others = groupedBy(rest, (request) => roots.get(request)?.endpointKey ?? null);
  return [...ofRules, ...[...others.values()].flatMap((own) => draftOfEndpoint(own, roots, traffic) ?? [])];
}

/** The origin and what the redirect changes; `null` if it changes nothing that it would change in other URLs. */
function ruleKeyOf(request: Request): string | null {
  const rule = ruleOf(request);
  return rule === null ? null : `${request.origin}\n${rule}`;
}

/** The finding about redirects of one origin that one rule makes, if the rule is for many paths. */
function draftOfRule(own: Group<Request>, traffic: Traffic): Draft | null {
  const paths = new Set(own.map(({ path }) => path)).size;
  if (paths < LEAST_PATHS) return null;
  const [first] = own;
  const names = nameWithOthers(first.facts.endpoint, paths - 1, "other path");
  return draftOfRedirects(own, first, traffic, {
    text: `${names} were redirected by one rule (${quoted(ruleOf(first) ?? "")})`,
    advice: "Let clients request the URLs that the redirects name: change the base URL or the links once.",
    figure: { paths },
  });
}

/** The finding about redirects that begin at one endpoint, if one was repeated, or if several followed each other. */
function draftOfEndpoint(
  own: readonly Request[],
  roots: ReadonlyMap<Request, Request>,
  traffic: Traffic,
): Draft | null {
  const starts = own.filter((request) => roots.get(request) === request);
  const same = groupedBy(starts, (one) => `${one.client}\n${one.origin}${one.path}\n${goalOf(one)}`);
  const isRepeated = [...same.values()].some(({ length }) => length >= LEAST_TIMES);
  const chains = [...groupedBy(own, (request) => String(roots.get(request)?.id ?? request.id)).values()];
  const hops = largestOf(chains.map(({ length }) => length));
  const [first] = starts;
  if (first === undefined || (!isRepeated && hops < LEAST_HOPS)) return null;
  const ways = byFrequency(chains.map(wayOf));
  const way = `${ways.length === 1 ? "" : "most often "}${ways[0]?.[0]}`;
  return draftOfRedirects(own, first, traffic, {
    text: `${nameOf(first.facts.endpoint)} led to ${counted(own.length, "redirect")} (${way})`,
    advice:
      hops >= LEAST_HOPS
        ? "Redirect straight to the last URL, and let clients request that URL."
        : "Let clients request the URL that the redirect names. Browsers cache a 308 that has Cache-Control.",
    figure: { "redirects in the longest chain": hops },
  });
}

interface Words {
  /** The beginning of the sentence, up to the cost. */
  readonly text: string;
  readonly advice: string;
  readonly figure: Readonly<Record<string, number>>;
}

function draftOfRedirects(
  own: readonly Request[],
  first: Request,
  traffic: Traffic,
  { text, advice, figure }: Words,
): Draft {
  const time = savedWaiting(traffic, removed(own));
  return draftOf({
    kind: "redirects",
    scope: atEndpoint(first),
    time,
    confidence: "certain",
    telling: longestFirst(own),
    summary: `${text}, ${inMs(time)} in all.`,
    advice,
    evidence: figures({
      redirects: own.length,
      ...figure,
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
