import { MARKS } from "../../model/annotation.ts";
import { TAGS } from "../../model/exchange.ts";
import { FINDING_KINDS } from "../../model/finding.ts";
import { type Failure, failure } from "../../model/result.ts";
import type { Bytes, Milliseconds } from "../../model/units.ts";
import { type Comparison, type Condition, REPAIRED, type Term } from "./term.ts";

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
    "body",
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

/** The term that a word stands for; `null` for empty quotes. */
export function termOf(word: string): Term | Failure | null {
  const [, negation, rest = ""] = /^(-|not:)(.*)$/i.exec(word) ?? [];
  if (negation === undefined) return choiceOf(word);
  if (/^(-|not:)/i.test(rest))
    return failure(`“${word}” excludes twice. Write - once, or put the word in quotes to look for it as text.`);
  const of = choiceOf(rest);
  if (of === null) return failure(`“${word}” needs a term to exclude, such as -status:200.`);
  return "problem" in of ? of : { kind: "not", of };
}

function choiceOf(word: string): Term | Failure | null {
  const compared = /^([a-z]+)(<=|>=|<|>)(.*)$/i.exec(word);
  if (compared !== null) return comparisonOf(compared[1] ?? "", compared[2] as Comparison, unquoted(compared[3] ?? ""));
  const [, name = "", after = ""] = KEYED.exec(word) ?? [];
  if (name === "" || isAddress(after, name)) return plainText(unquoted(word));
  if (/[()]/.test(name)) return failure(`“${word}” has parentheses in its key, which no filter can name.`);
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
    case "body":
      if (value === "") return failure("“body:” needs a text after the colon.");
      return { kind: "body", text: value };
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
      return knownTerm(FINDING_KINDS, value, "kind of finding", "Kinds", (finding) => ({ kind: "finding", finding }));
    case "tag":
      return knownTerm([...TAGS, REPAIRED], value, "tag", "Tags", (tag) => ({ kind: "tag", tag }));
    case "mark":
      if (value === "") return { kind: "mark", mark: null };
      return knownTerm(MARKS, value, "mark", "Marks", (mark) => ({ kind: "mark", mark }));
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

/** The term of a known value in any letter case. `what` and `all`: what one value is, and all of them are. */
function knownTerm<Known extends string>(
  known: readonly Known[],
  value: string,
  what: string,
  all: string,
  termWith: (value: Known) => Condition,
): Condition | Failure {
  const lower = value.toLowerCase();
  const found = known.find((one) => one === lower);
  if (found !== undefined) return termWith(found);
  return failure(`There is no ${what} “${lower}”. ${all} are: ${known.filter((one) => one !== REPAIRED).join(", ")}.`);
}

/** Milliseconds per unit (`DURATIONS`), and bytes per unit (`SIZES`). */
export const DURATIONS: Readonly<Record<string, Milliseconds>> = { "": 1, ms: 1, s: 1_000 };
export const SIZES: Readonly<Record<string, Bytes>> = {
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

/** The amount that a figure with a unit stands for; `null` if it is none. */
export function amountOf(value: string, units: Readonly<Record<string, number>>): number | null {
  const parts = /^(\d{1,15}(?:\.\d{1,6})?)([a-z]{0,2})$/i.exec(value);
  const unit = (parts?.[2] ?? "").toLowerCase();
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return parts === null || factor === undefined ? null : Number(parts[1]) * factor;
}

/**
 * Whether the colon is part of an address: `https://…` and `localhost:3000` name no field, but `status:404`,
 * `host:127`, `q.page:3` and `resp.age:0` do.
 */
function isAddress(after: string, before: string): boolean {
  if (after.startsWith("//")) return true;
  return /^\d{1,5}(?:\/|$)/.test(after) && !before.includes(".") && !KEYS.some((key) => key === before.toLowerCase());
}

function unquoted(text: string): string {
  return text.replaceAll('"', "");
}

/** A piece of a filter's text: a word, a connective or a parenthesis. */
export interface Token {
  readonly kind: "word" | "or" | "and" | "open" | "close";
  /** As written. An opening parenthesis may follow `-` or `not:`, which excludes the group. */
  readonly text: string;
  /** The index of its first character. */
  readonly at: number;
}

/**
 * The pieces of a filter. A word in quotes may contain spaces. Pairs of parentheses within a word belong to it, as in
 * `path:/users(1)`.
 */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    if (BLANK.test(text[at] as string)) {
      at += 1;
      continue;
    }
    OPEN.lastIndex = at;
    const open = OPEN.exec(text)?.[0];
    const written = open ?? (text[at] === ")" ? ")" : text.slice(at, wordEnd(text, at)));
    const kind = open === undefined ? (KINDS.get(written) ?? "word") : "open";
    tokens.push({ kind, text: written, at });
    at += written.length;
  }
  return tokens;
}

const BLANK = /\s/;
const OPEN = /(?:-|not:)?\(/iy;
const KINDS: ReadonlyMap<string, Token["kind"]> = new Map([
  ["OR", "or"],
  ["AND", "and"],
  [")", "close"],
]);

function wordEnd(text: string, start: number): number {
  let opened = 0;
  for (let at = start; at < text.length; at += 1) {
    const letter = text[at] as string;
    if (letter === '"') {
      const end = text.indexOf('"', at + 1);
      if (end < 0) return text.length;
      at = end;
    } else if (letter === "(") opened += 1;
    else if (letter === ")" && opened > 0) opened -= 1;
    else if (letter === ")" || BLANK.test(letter)) return at;
  }
  return text.length;
}
