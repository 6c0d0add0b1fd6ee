import type { Side } from "../../capture/event.ts";
import { LONGEST_FILTER } from "../../messages/list-messages.ts";
import { MARKS, type Mark } from "../../model/annotation.ts";
import { TAGS, type Tag } from "../../model/exchange.ts";
import { FINDING_KINDS, type FindingKind } from "../../model/finding.ts";
import { type Failure, failure, type Result, success } from "../../model/result.ts";
import type { Bytes, Milliseconds } from "../../model/units.ts";

/** A field whose text a term tests. */
type TextField = "word" | "method" | "host" | "path" | "client" | "type" | "protocol" | "endpoint" | "op" | "page";

export type Comparison = "<" | "<=" | ">" | ">=";

/** The value of `tag:` that matches all tags beginning with `repaired:`. */
const REPAIRED = "repaired" as const;

/**
 * The keys of a filter, each followed by a colon. The prefixes in `NAMED` begin further keys, such as `q.NAME:`;
 * `FIGURES` are followed by a comparison.
 */
export const KEYS = [
  ...[
    "status",
    "method",
    "host",
    "path",
    "under",
    "endpoint",
    "op",
    "type",
    "client",
    "page",
    "protocol",
    "connection",
  ],
  ...["slow", "error", "oversized", "ws", "finding", "tag", "mark", "comment", "not"],
] as const;
export const FIGURES = ["dur", "latency", "size"] as const;
/** The prefixes of keys that contain a name: of a query parameter, a request header or a response header. */
export const NAMED = ["q", "req", "resp"] as const;

/** The most headers that a filter can name. */
const MOST_HEADERS = 8;
/** The most conditions of a filter. Each is tested on each exchange, and compared with each of the filter before. */
const MOST_CONDITIONS = 100;

/** One condition on an exchange. */
export type Condition =
  | { readonly kind: "text"; readonly field: TextField; readonly text: string }
  /**
   * The path on the host, and all paths below it; segments match only as a whole. An empty host stands for any host, an
   * empty path for all paths.
   */
  | { readonly kind: "under"; readonly host: string; readonly path: string }
  | { readonly kind: "status"; readonly least: number; readonly most: number }
  /**
   * `latency` covers only complete responses. `duration` also covers failed exchanges, by the time until the failure.
   */
  | { readonly kind: "duration" | "latency"; readonly comparison: Comparison; readonly limit: Milliseconds }
  | { readonly kind: "size"; readonly comparison: Comparison; readonly limit: Bytes }
  | { readonly kind: "flag"; readonly flag: "slow" | "error" | "oversized" }
  /** The server connection's number. */
  | { readonly kind: "connection"; readonly connection: number }
  | { readonly kind: "tag"; readonly tag: Tag | typeof REPAIRED }
  /** `null` stands for any mark. */
  | { readonly kind: "mark"; readonly mark: Mark | null }
  /** "" stands for any comment. */
  | { readonly kind: "comment"; readonly text: string }
  /** A decoded parameter of the query; `null` stands for any value. */
  | { readonly kind: "query"; readonly name: string; readonly value: string | null }
  | HeaderCondition
  /** The exchange is in a current finding of this kind. */
  | { readonly kind: "finding"; readonly finding: FindingKind };

/** A header whose value contains `value`; `null` stands for any value. */
export interface HeaderCondition {
  readonly kind: "header";
  readonly side: Side;
  /** In lower case. */
  readonly name: string;
  readonly value: string | null;
}

/** One condition, or several for one key, of which at least one must hold. */
type Choice = Condition | { readonly kind: "any"; readonly of: readonly Condition[] };

/** One word of a filter. */
export type Term = Choice | { readonly kind: "not"; readonly of: Choice };

/** All terms must hold. */
export type Filter = readonly Term[];

/**
 * The filter language of docs/specification.md, Traffic view: words separated by spaces; all words must match.
 *
 *   status:5xx status:404 dur>500 dur<=20 latency>500 size>100k method:post host:api client:curl type:json tag:probe
 *   protocol:h2 connection:3 page:/shop under:api.test/v1 path:/users op:GetUser q.page:3 q.token:
 *   req.accept:json resp.x-cache:MISS resp.set-cookie: finding:n-plus-one
 *   -type:image -static not:slow:   (not)   status:404,500 host:api,cdn   (one of these)
 *   slow: error: oversized: ws: mark: mark:star comment: comment:retry   endpoint:"GET https://api.test/users"
 *   any other text: in method, URL, operation or status
 *
 * Durations are in ms (or `2s`), sizes in bytes (or `100k`, `2m`; a k is 1024). A word in quotes may contain spaces and
 * is plain text. `endpoint:`, `method:` and `q.NAME:` match the whole text, `under:` whole path segments, other keys a
 * part.
 */
export function filterOf(text: string): Result<Filter> {
  if (text.length > LONGEST_FILTER) return failure(`The filter has more than ${LONGEST_FILTER} characters.`);
  const terms: Term[] = [];
  for (const word of splitTerms(text)) {
    const term = termOf(word);
    if (term === null) continue;
    if ("problem" in term) return term;
    terms.push(term);
  }
  if (terms.flatMap(conditionsOf).length > MOST_CONDITIONS)
    return failure(`A filter can have ${MOST_CONDITIONS} conditions at most.`);
  if (headersOf(terms).length > MOST_HEADERS) return failure(`A filter can name ${MOST_HEADERS} headers at most.`);
  return success(Object.freeze(terms));
}

/** The words of a filter. A word in quotes may contain spaces. */
function splitTerms(text: string): readonly string[] {
  return text.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
}

/** Whether the endpoint alone can decide the term. Other terms are about single exchanges. */
export function appliesToEndpoints(term: Term): boolean {
  if (term.kind === "not") return appliesToEndpoints(term.of);
  if (term.kind === "any") return term.of.every(appliesToEndpoints);
  return term.kind === "under" || (term.kind === "text" && !OF_EXCHANGES.includes(term.field));
}

const OF_EXCHANGES: readonly TextField[] = ["client", "page", "type", "protocol"];

/** Keeps the words of a filter that apply to endpoints. Also keeps invalid words, so that their problem is reported. */
export function endpointFilterOf(text: string): string {
  const words = splitTerms(text).filter((word) => {
    const filter = filterOf(word);
    return !filter.ok || filter.value.every(appliesToEndpoints);
  });
  return words.join(" ");
}

/** The headers that the filter names, each once. */
export function headersOf(filter: Filter): readonly Pick<HeaderCondition, "side" | "name">[] {
  const conditions = filter.flatMap(conditionsOf).filter((condition) => condition.kind === "header");
  return [...new Map(conditions.map(({ side, name }) => [`${side} ${name}`, { side, name }])).values()];
}

/** Whether the filter names findings. */
export function namesFindings(filter: Filter): boolean {
  return filter.flatMap(conditionsOf).some(({ kind }) => kind === "finding");
}

/** The conditions of a term, negated or not. */
export function conditionsOf(term: Term): readonly Condition[] {
  if (term.kind === "not") return conditionsOf(term.of);
  return term.kind === "any" ? term.of : [term];
}

/**
 * Whether `after` matches only exchanges that `before` matches, judged by the words of the filters: `check` is narrower
 * than `che`. The words must have the same letter case, since some letters change their length with their case.
 */
export function isNarrower(after: Filter, before: Filter): boolean {
  return before.every((wide) => after.some((narrow) => implies(narrow, wide)));
}

const EXACT: readonly TextField[] = ["method", "endpoint"];

function implies(narrow: Term, wide: Term): boolean {
  if (narrow.kind === "comment" && wide.kind === "comment") return narrow.text.includes(wide.text);
  if (narrow.kind === "text" && wide.kind === "text" && narrow.field === wide.field && !EXACT.includes(wide.field))
    return narrow.text.includes(wide.text);
  if (narrow.kind === "header" && wide.kind === "header" && narrow.side === wide.side && narrow.name === wide.name)
    return wide.value === null || narrow.value?.includes(wide.value) === true;
  return JSON.stringify(narrow) === JSON.stringify(wide);
}

function termOf(word: string): Term | Failure | null {
  const [, negation, rest = ""] = /^(-|not:)(.*)$/i.exec(word) ?? [];
  if (negation === undefined) return choiceOf(word);
  if (/^(-|not:)/i.test(rest))
    return failure(`“${word}” excludes twice. Write - once, or put the word in quotes to look for it as text.`);
  const of = choiceOf(rest);
  if (of === null) return failure(`“${word}” needs a term to exclude, such as -status:200.`);
  return "problem" in of ? of : { kind: "not", of };
}

function choiceOf(word: string): Choice | Failure | null {
  const compared = /^([a-z]+)(<=|>=|<|>)(.*)$/i.exec(word);
  if (compared !== null) return comparisonOf(compared[1] ?? "", compared[2] as Comparison, unquoted(compared[3] ?? ""));
  const [, name = "", after = ""] = KEYED.exec(word) ?? [];
  if (name === "" || isAddress(after, name)) return plainText(unquoted(word));
  const key = /^q\./i.test(name) ? `q${name.slice(1)}` : name.toLowerCase();
  const values = (after.match(/(?:[^,"]|"[^"]*"?)+/g) ?? [""]).map((value) => namedTerm(key, unquoted(value)));
  const of: Condition[] = [];
  for (const value of values) {
    if ("problem" in value) return value;
    of.push(value);
  }
  const [only] = of;
  return of.length === 1 && only !== undefined ? only : { kind: "any", of };
}

/** Captures the key, with its name if it has one (`q.page`), and the text after the colon. */
const KEYED = new RegExp(`^([a-z]+|(?:${NAMED.join("|")})\\.[^\\s":]+):(.*)$`, "i");

function plainText(text: string): Condition | null {
  return text === "" ? null : { kind: "text", field: "word", text };
}

function namedTerm(name: string, value: string): Condition | Failure {
  const [, prefix, named = ""] = /^(q|req|resp)\.(.*)$/.exec(name) ?? [];
  const wanted = value === "" ? null : value;
  if (prefix === "q") return { kind: "query", name: named, value: wanted };
  if (prefix !== undefined)
    return { kind: "header", side: prefix === "req" ? "request" : "response", name: named, value: wanted };
  switch (name) {
    case "method":
    case "host":
    case "path":
    case "client":
    case "type":
    case "protocol":
    case "endpoint":
    case "op":
    case "page":
      if (value === "") return failure(`“${name}:” needs a text after the colon.`);
      return { kind: "text", field: name, text: value };
    case "under":
      return underTerm(value);
    case "status":
      return statusTerm(value);
    case "connection":
      if (!/^\d{1,9}$/.test(value))
        return failure(`“connection:${value}” is not a connection. Write its number, such as connection:3.`);
      return { kind: "connection", connection: Number(value) };
    case "slow":
    case "error":
    case "oversized":
      if (value !== "") return failure(`“${name}:” takes no text after the colon.`);
      return { kind: "flag", flag: name };
    case "ws":
      if (value !== "") return failure("“ws:” takes no text after the colon.");
      return { kind: "tag", tag: "websocket" };
    case "finding":
      return findingTerm(value.toLowerCase());
    case "tag":
      return tagTerm(value.toLowerCase());
    case "mark":
      return markTerm(value.toLowerCase());
    case "comment":
      return { kind: "comment", text: value };
    default:
      return failure(`There is no filter “${name}:”. Put the word in quotes to look for it as text.`);
  }
}

function underTerm(value: string): Condition | Failure {
  if (value === "") return failure("“under:” needs a host, a path or both, such as under:api.test/v1.");
  const slash = value.indexOf("/");
  const end = slash < 0 ? value.length : slash;
  return { kind: "under", host: value.slice(0, end), path: value.slice(end) };
}

function statusTerm(value: string): Condition | Failure {
  if (/^[1-9]\d\d$/.test(value)) return { kind: "status", least: Number(value), most: Number(value) };
  const hundred = Number(value[0]) * 100;
  if (/^[1-9]xx$/i.test(value)) return { kind: "status", least: hundred, most: hundred + 99 };
  return failure(`“status:${value}” is not a status. Write a number such as 404, or a class such as 5xx.`);
}

function tagTerm(value: string): Condition | Failure {
  const tag = [...TAGS, REPAIRED].find((known) => known === value);
  return tag === undefined
    ? failure(`There is no tag “${value}”. Tags are: ${TAGS.join(", ")}.`)
    : { kind: "tag", tag };
}

function findingTerm(value: string): Condition | Failure {
  const finding = FINDING_KINDS.find((known) => known === value);
  return finding === undefined
    ? failure(`There is no kind of finding “${value}”. Kinds are: ${FINDING_KINDS.join(", ")}.`)
    : { kind: "finding", finding };
}

function markTerm(value: string): Condition | Failure {
  if (value === "") return { kind: "mark", mark: null };
  const mark = MARKS.find((known) => known === value);
  return mark === undefined
    ? failure(`There is no mark “${value}”. Marks are: ${MARKS.join(", ")}.`)
    : { kind: "mark", mark };
}

/** Milliseconds per unit (`DURATIONS`), and bytes per unit (`SIZES`). */
const DURATIONS: Readonly<Record<string, Milliseconds>> = { "": 1, ms: 1, s: 1_000 };
const SIZES: Readonly<Record<string, Bytes>> = {
  "": 1,
  b: 1,
  k: 1_024,
  kb: 1_024,
  m: 1_024 ** 2,
  mb: 1_024 ** 2,
  g: 1_024 ** 3,
  gb: 1_024 ** 3,
};

function comparisonOf(name: string, comparison: Comparison, value: string): Condition | Failure {
  const kind = name.toLowerCase();
  if (kind === "dur" || kind === "latency") {
    const limit = amountOf(value, DURATIONS);
    if (limit !== null) return { kind: kind === "dur" ? "duration" : "latency", comparison, limit };
    return failure(
      `“${name}${comparison}${value}” is not a duration. Write milliseconds, such as ${kind}${comparison}500.`,
    );
  }
  if (kind === "size") {
    const limit = amountOf(value, SIZES);
    if (limit !== null) return { kind: "size", comparison, limit };
    return failure(`“${name}${comparison}${value}” is not a size. Write bytes or KB, such as size${comparison}100k.`);
  }
  return failure(
    `Only dur, latency and size can be compared, not “${name}”. Put the word in quotes to look for it as text.`,
  );
}

function amountOf(value: string, units: Readonly<Record<string, number>>): number | null {
  const parts = /^(\d{1,15}(?:\.\d{1,6})?)([a-z]{0,2})$/i.exec(value);
  const unit = (parts?.[2] ?? "").toLowerCase();
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return parts === null || factor === undefined ? null : Number(parts[1]) * factor;
}

/**
 * Whether the colon is part of an address: `https://…` and `localhost:3000` name no field, but `status:404`, `q.page:3`
 * and `resp.age:0` do.
 */
function isAddress(after: string, before: string): boolean {
  return (
    after.startsWith("//") ||
    (/^\d{1,5}(?:\/|$)/.test(after) && !/^(?:status|connection|page|(?:q|req|resp)\..+)$/i.test(before))
  );
}

function unquoted(text: string): string {
  return text.replaceAll('"', "");
}
