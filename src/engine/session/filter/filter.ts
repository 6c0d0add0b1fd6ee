import { LONGEST_FILTER } from "../../messages/list-messages.ts";
import { type Failure, failure, type Result, success } from "../../model/result.ts";
import type { Settings } from "../../model/settings.ts";
import { filterText } from "./filter-to-text.ts";
import { appliesToEndpoints, bodyTextsOf, conditionsOf, type Filter, headersOf, type Term } from "./term.ts";
import { type Token, termOf, tokensOf } from "./term-parser.ts";

/** The most headers that a filter can name. */
const MOST_HEADERS = 8;
/** The most conditions of a filter. Each is tested on each exchange, and compared with each of the filter before. */
const MOST_CONDITIONS = 100;
/** The most texts that a filter can look for in bodies. Each of them is one search of the session. */
const MOST_BODY_TEXTS = 4;
/** The most parentheses within each other. */
const MOST_NESTED = 20;

/**
 * The filter language of docs/specification.md, Traffic view: words separated by spaces; all must match.
 * `OR` binds weaker than a space or `AND`; parentheses group.
 *
 *   status:5xx status:404 dur>500 dur<=20 latency>500 size>100k method:post host:api client:curl type:json tag:probe
 *   protocol:h2 connection:3 page:/shop under:api.test/v1 path:/users op:GetUser q.page:3 q.token:
 *   req.accept:json resp.x-cache:MISS resp.set-cookie: finding:n-plus-one body:token
 *   -type:image -static not:slow:   (not)   status:404,500 host:api,cdn   (one of these)
 *   slow: error: oversized: ws: mark: mark:star comment: comment:retry   endpoint:"GET https://api.test/users"
 *   status:5xx OR (host:api slow:) -(host:cdn OR host:fonts)
 *   any other text: in method, URL, operation or status
 *
 * Durations are in ms (or `2s`), sizes in bytes (or `100k`, `2m`; a k is 1024). A word in quotes may contain spaces and
 * is plain text. `endpoint:`, `method:` and `q.NAME:` match the whole text, `under:` whole path segments, other keys a
 * part.
 */
export function filterOf(text: string): Result<Filter> {
  if (text.length > LONGEST_FILTER) return failure(`The filter has more than ${LONGEST_FILTER} characters.`);
  const reading: Reading = { tokens: tokensOf(text), next: 0 };
  const term = alternativesOf(reading, 0);
  if (term !== null && "problem" in term) return term;
  const stray = reading.tokens[reading.next];
  if (stray !== undefined)
    return misplaced(stray, "closes nothing. Remove it, or put it in quotes to look for it as text");
  const terms = term === null ? [] : termsIn("all", term);
  if (terms.flatMap(conditionsOf).length > MOST_CONDITIONS)
    return failure(`A filter can have ${MOST_CONDITIONS} conditions at most.`);
  if (headersOf(terms).length > MOST_HEADERS) return failure(`A filter can name ${MOST_HEADERS} headers at most.`);
  if (bodyTextsOf(terms).length > MOST_BODY_TEXTS)
    return failure(`A filter can look for ${MOST_BODY_TEXTS} texts in bodies at most.`);
  return success(Object.freeze(terms));
}

/**
 * The filter without the terms that endpoints cannot decide. An invalid filter stays, so that its problem is reported.
 */
export function endpointFilterOf(text: string): string {
  const filter = filterOf(text);
  return filter.ok ? filterText(filter.value.filter(appliesToEndpoints)) : text;
}

interface Reading {
  readonly tokens: readonly Token[];
  next: number;
}

/** Reads up to the end or an unmatched closing parenthesis. `null`: nothing but empty quotes. */
function alternativesOf(reading: Reading, nested: number): Term | Failure | null {
  const choices: Term[] = [];
  for (;;) {
    const or = reading.tokens[reading.next - 1];
    const terms = allOf(reading, nested);
    if (!Array.isArray(terms)) return terms;
    const [only] = terms;
    const end = reading.tokens[reading.next];
    if (only === undefined) {
      if (choices.length > 0 && or !== undefined) return misplaced(or, "needs a term after it");
      return end?.kind === "or" ? misplaced(end, "needs a term before it") : null;
    }
    choices.push(...termsIn("any", joined("all", terms)));
    if (end?.kind !== "or") break;
    reading.next += 1;
  }
  return joined("any", choices);
}

/** Reads terms that must all hold, up to an OR, a closing parenthesis or the end. */
function allOf(reading: Reading, nested: number): Term[] | Failure {
  const terms: Term[] = [];
  let and: Token | null = null;
  for (let token = reading.tokens[reading.next]; token !== undefined; token = reading.tokens[reading.next]) {
    if (token.kind === "or" || token.kind === "close") break;
    if (token.kind === "and") {
      if (terms.length === 0) return misplaced(token, "needs a term before it");
      if (and !== null) break;
      and = token;
      reading.next += 1;
      continue;
    }
    const term = token.kind === "open" ? groupOf(reading, token, nested) : termOf(token.text);
    if (term !== null && "problem" in term) return term;
    if (token.kind === "word") reading.next += 1;
    if (term === null) continue;
    terms.push(...termsIn("all", term));
    and = null;
  }
  return and === null ? terms : misplaced(and, "needs a term after it");
}

function groupOf(reading: Reading, open: Token, nested: number): Term | Failure {
  if (nested === MOST_NESTED) return misplaced(open, `is nested too deep: at most ${MOST_NESTED} can be`);
  reading.next += 1;
  const term = alternativesOf(reading, nested + 1);
  if (term !== null && "problem" in term) return term;
  if (reading.tokens[reading.next] === undefined) return misplaced(open, "is not closed. Add a “)”");
  if (term === null) return misplaced(open, "has no term inside");
  reading.next += 1;
  return open.text === "(" ? term : { kind: "not", of: term };
}

/** The parts of a term of this kind; the term itself if it is of another one. */
function termsIn(kind: "all" | "any", term: Term): readonly Term[] {
  return term.kind === kind ? (term.of as readonly Term[]) : [term];
}

function joined(kind: "all" | "any", of: readonly Term[]): Term {
  return of.length === 1 && of[0] !== undefined ? of[0] : { kind, of };
}

function misplaced({ text, at }: Token, problem: string): Failure {
  return failure(`“${text}” at character ${at + 1} ${problem}.`);
}

/** The hosts, each with its port unless that is the scheme's default, whose exchanges no list of the window has. */
export function hiddenHostsOf({
  hiddenHosts,
  showHiddenHosts,
}: Pick<Settings, "hiddenHosts" | "showHiddenHosts">): readonly string[] {
  return showHiddenHosts ? [] : hiddenHosts;
}

/** The filter, narrowed to the exchanges of all other hosts. */
export function withoutHosts(filter: Filter, hosts: readonly string[]): Filter {
  if (hosts.length === 0) return filter;
  const of = hosts.map((host) => ({ kind: "under", host, path: "" }) as const);
  return Object.freeze([...filter, { kind: "not", of: { kind: "any", of } } as const]);
}

/** The number of exchanges of these hosts, which match in any letter case. */
export function exchangesOf(counts: ReadonlyMap<string, number>, hosts: readonly string[]): number {
  const wanted = new Set(hosts.map((host) => host.toLowerCase()));
  let sum = 0;
  for (const [host, exchanges] of counts) if (wanted.has(host.toLowerCase())) sum += exchanges;
  return sum;
}
