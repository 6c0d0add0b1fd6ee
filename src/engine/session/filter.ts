import { TAGS, type Tag } from "../model/exchange.ts";
import { MARKS, type Mark } from "../model/remark.ts";
import type { Bytes, Milliseconds } from "../model/units.ts";

/** A text that the words below name, compared without regard to case, always literally. */
type TextField = "word" | "method" | "host" | "client" | "type" | "protocol" | "endpoint";

export type Comparison = "<" | "<=" | ">" | ">=";

/** One condition; all of a filter must hold. */
export type Term =
  | { readonly kind: "text"; readonly field: TextField; readonly text: string }
  /** This host and path, and all that lies below, by whole segments; an empty host: any, an empty path: all of it. */
  | { readonly kind: "under"; readonly host: string; readonly path: string }
  | { readonly kind: "status"; readonly least: number; readonly most: number }
  /** `duration`: of what failed, too, until it did; `latency`: of whole responses alone. */
  | { readonly kind: "duration" | "latency"; readonly comparison: Comparison; readonly limit: Milliseconds }
  | { readonly kind: "size"; readonly comparison: Comparison; readonly limit: Bytes }
  | { readonly kind: "flag"; readonly flag: "slow" | "error" | "oversized" }
  /** To a server, by its number. */
  | { readonly kind: "connection"; readonly connection: number }
  | { readonly kind: "tag"; readonly tag: Tag }
  /** `null`: any. */
  | { readonly kind: "mark"; readonly mark: Mark | null }
  /** Empty: any. */
  | { readonly kind: "comment"; readonly text: string };

export type Filter = readonly Term[];

/** A filter that says nothing we know, and why, in a sentence. */
export interface FilterProblem {
  readonly problem: string;
}

/**
 * The filter language of decisions.md, Traffic view: words apart by spaces, all of which must hold.
 *
 *   status:5xx status:404 dur>500 dur<=20 latency>500 size>100k method:post host:api client:curl type:json tag:probe
 *   protocol:h2 connection:3 under:api.test/v1
 *   slow: error: oversized: ws: mark: mark:star comment: comment:retry   endpoint:"GET https://api.test/users"
 *   any other text: in method, URL or status
 *
 * Durations are in ms (or `2s`), sizes in bytes (or `100k`, `2m`, of 1024). Quotes hold spaces together and make any
 * word plain text. `endpoint:` is exact, and so is `method:`; `under:` is so by whole segments of the path; the others find a part of the text.
 */
export function filterOf(text: string): Filter | FilterProblem {
  const terms: Term[] = [];
  for (const [word] of text.matchAll(/(?:[^\s"]|"[^"]*"?)+/g)) {
    const term = termOf(word);
    if (term === null) continue;
    if ("problem" in term) return term;
    terms.push(term);
  }
  return Object.freeze(terms);
}

export function isProblem(filter: Filter | FilterProblem): filter is FilterProblem {
  return "problem" in filter;
}

/**
 * Whether all that matches `after` matches `before` too, as far as their words tell: `check` is narrower than `che`. The
 * case counts here, since letters that change their number with it would not tell.
 */
export function isNarrower(after: Filter, before: Filter): boolean {
  return before.every((wide) => after.some((narrow) => implies(narrow, wide)));
}

const EXACT: readonly TextField[] = ["method", "endpoint"];

function implies(narrow: Term, wide: Term): boolean {
  if (narrow.kind === "comment" && wide.kind === "comment") return narrow.text.includes(wide.text);
  if (narrow.kind === "text" && wide.kind === "text" && narrow.field === wide.field && !EXACT.includes(wide.field))
    return narrow.text.includes(wide.text);
  return JSON.stringify(narrow) === JSON.stringify(wide);
}

function termOf(word: string): Term | FilterProblem | null {
  const compared = /^([a-z]+)(<=|>=|<|>)(.*)$/i.exec(word);
  if (compared !== null) return comparisonOf(compared[1] ?? "", compared[2] as Comparison, unquoted(compared[3] ?? ""));
  const named = /^([a-z]+):(.*)$/i.exec(word);
  if (named === null || isAddress(named[2] ?? "", named[1] ?? "")) return plainText(unquoted(word));
  return namedTerm((named[1] ?? "").toLowerCase(), unquoted(named[2] ?? ""));
}

function plainText(text: string): Term | null {
  return text === "" ? null : { kind: "text", field: "word", text };
}

function namedTerm(name: string, value: string): Term | FilterProblem {
  switch (name) {
    case "method":
    case "host":
    case "client":
    case "type":
    case "protocol":
    case "endpoint":
      if (value === "") return { problem: `“${name}:” needs a text after the colon.` };
      return { kind: "text", field: name, text: value };
    case "under":
      return underTerm(value);
    case "status":
      return statusTerm(value);
    case "connection":
      if (!/^\d{1,9}$/.test(value))
        return { problem: `“connection:${value}” is no connection. Write its number, such as connection:3.` };
      return { kind: "connection", connection: Number(value) };
    case "slow":
    case "error":
    case "oversized":
      if (value !== "") return { problem: `“${name}:” stands alone, without a text after the colon.` };
      return { kind: "flag", flag: name };
    case "ws":
      if (value !== "") return { problem: "“ws:” stands alone, without a text after the colon." };
      return { kind: "tag", tag: "websocket" };
    case "tag":
      return tagTerm(value.toLowerCase());
    case "mark":
      return markTerm(value.toLowerCase());
    case "comment":
      return { kind: "comment", text: value };
    default:
      return {
        problem: `There is no filter “${name}:”. Put the word in quotes to look for it as text.`,
      };
  }
}

function underTerm(value: string): Term | FilterProblem {
  if (value === "") return { problem: "“under:” needs a host, a path or both, such as under:api.test/v1." };
  const slash = value.indexOf("/");
  const end = slash < 0 ? value.length : slash;
  return { kind: "under", host: value.slice(0, end), path: value.slice(end) };
}

function statusTerm(value: string): Term | FilterProblem {
  if (/^[1-9]\d\d$/.test(value)) return { kind: "status", least: Number(value), most: Number(value) };
  const hundred = Number(value[0]) * 100;
  if (/^[1-9]xx$/i.test(value)) return { kind: "status", least: hundred, most: hundred + 99 };
  return { problem: `“status:${value}” is no status. Write a number such as 404, or a class such as 5xx.` };
}

function tagTerm(value: string): Term | FilterProblem {
  const tag = TAGS.find((known) => known === value);
  return tag === undefined
    ? { problem: `There is no tag “${value}”. Tags are: ${TAGS.join(", ")}.` }
    : { kind: "tag", tag };
}

function markTerm(value: string): Term | FilterProblem {
  if (value === "") return { kind: "mark", mark: null };
  const mark = MARKS.find((known) => known === value);
  return mark === undefined
    ? { problem: `There is no mark “${value}”. Marks are: ${MARKS.join(", ")}.` }
    : { kind: "mark", mark };
}

/** What one of a unit is in ms, and in bytes. */
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

function comparisonOf(name: string, comparison: Comparison, value: string): Term | FilterProblem {
  const kind = name.toLowerCase();
  if (kind === "dur" || kind === "latency") {
    const limit = amountOf(value, DURATIONS);
    if (limit !== null) return { kind: kind === "dur" ? "duration" : "latency", comparison, limit };
    return {
      problem: `“${name}${comparison}${value}” is no duration. Write milliseconds, such as ${kind}${comparison}500.`,
    };
  }
  if (kind === "size") {
    const limit = amountOf(value, SIZES);
    if (limit !== null) return { kind: "size", comparison, limit };
    return { problem: `“${name}${comparison}${value}” is no size. Write bytes or KB, such as size${comparison}100k.` };
  }
  return {
    problem: `Only dur, latency and size can be compared, not “${name}”. Put the word in quotes to look for it as text.`,
  };
}

function amountOf(value: string, units: Readonly<Record<string, number>>): number | null {
  const parts = /^(\d{1,15}(?:\.\d{1,6})?)([a-z]{0,2})$/i.exec(value);
  const unit = (parts?.[2] ?? "").toLowerCase();
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return parts === null || factor === undefined ? null : Number(parts[1]) * factor;
}

/** `https://…` and `localhost:3000` hold a colon, but name no filter. `status:404` and `connection:3` do. */
function isAddress(after: string, before: string): boolean {
  return after.startsWith("//") || (/^\d{1,5}(?:\/|$)/.test(after) && !/^(?:status|connection)$/i.test(before));
}

function unquoted(text: string): string {
  return text.replaceAll('"', "");
}
