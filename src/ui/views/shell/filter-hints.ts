import { type OccurringKey, type OccurringValues, ROW_KEYS } from "../../../engine/messages/traffic-messages.ts";
import { MARKS } from "../../../engine/model/annotation.ts";
import { TAGS } from "../../../engine/model/exchange.ts";
import { FINDING_KINDS, FINDING_NAMES } from "../../../engine/model/finding.ts";
import { MOST_RECENT } from "../../../engine/model/setting-rules.ts";
import { countPhrase } from "../../format/count.ts";
import { quotedValue } from "../filter-term.ts";
import { wordAtEnd } from "./filter-terms.ts";

export interface FilterHint {
  /** The word that replaces the word at the draft's end. */
  readonly word: string;
  /** A description of what the word matches. */
  readonly note: string;
  /** Whether it is a filter that was used before, and replaces all. */
  readonly recent?: true;
}

/** The filters that were used before, without the current one. */
export function recentHints(recent: readonly string[], filter: string): readonly FilterHint[] {
  return recent
    .filter((each) => each !== filter)
    .map((word) => ({ word, note: "used before; Delete removes it", recent: true }));
}

/** The recent filters after one was used; the same list if it is not kept. */
export function withRecent(recent: readonly string[], filter: string): readonly string[] {
  if (filter === "" || filter.length > LONGEST_RECENT || recent[0] === filter) return recent;
  return [filter, ...recent.filter((each) => each !== filter)].slice(0, MOST_RECENT);
}

/** setting-rules.ts: the most characters of a filter that is kept. */
const LONGEST_RECENT = 1_000;

/** The suggestions for keys (docs/specification.md, Traffic view, and engine/session/filter). */
const HINTS: readonly FilterHint[] = Object.freeze([
  { word: "status:", note: "a status such as 404, or a class such as 5xx" },
  { word: "dur>", note: "lasts over this many ms, failures included; also dur<, dur>=2s" },
  { word: "latency>", note: "latency over this many ms; failures have none" },
  { word: "size>", note: "a response over this many bytes; also size<, size>100k" },
  { word: "method:", note: "this method" },
  { word: "host:", note: "part of the host, with its port: host:127, host::8080" },
  { word: "path:", note: "part of the path, without the query" },
  { word: "under:", note: "this host and path, and everything below: under:api.test/v1" },
  { word: "type:", note: "part of the media type, such as json" },
  { word: "client:", note: "part of the client's program, address or User-Agent" },
  { word: "page:", note: "part of the page's URL, or its name in a HAR file" },
  { word: "protocol:", note: "the client's protocol: h2, http/1.1" },
  { word: "connection:", note: "this connection to a server, by number" },
  { word: "endpoint:", note: 'one endpoint: "GET https://api.test/users"' },
  { word: "op:", note: "part of a GraphQL, JSON-RPC or SOAP operation" },
  { word: "body:", note: "text in a body or a WebSocket message" },
  { word: "q.", note: "a parameter of the query: q.page:3, or q.page: with any value" },
  { word: "req.", note: "a header of the request: req.accept:json" },
  { word: "resp.", note: "a header of the response: resp.x-cache:MISS" },
  { word: "OR", note: "one of the two sides: status:5xx OR (host:api slow:)" },
  { word: "-", note: "leaves out what matches: -type:image, -static" },
  { word: "slow:", note: "slower than its endpoint's p95 or the fixed threshold" },
  { word: "error:", note: "failed, or status 400 and up" },
  { word: "oversized:", note: "far larger than its endpoint's other responses" },
  { word: "ws:", note: "WebSockets" },
  { word: "finding:", note: "in a finding of this kind: finding:n-plus-one" },
  { word: "tag:", note: "tagged by Weir" },
  { word: "mark:", note: "marked exchanges; mark:star: those with a star" },
  { word: "comment:", note: "commented exchanges; comment:retry: those with this text" },
]);

/** The values of keys that have fixed values. */
const VALUES: Readonly<Record<string, readonly string[]>> = { "tag:": TAGS, "mark:": MARKS };

const MOST_VALUES = 12;

/** The key whose captured values complete the word at the draft's end; `null` if there is none. */
export function keyToComplete(draft: string): OccurringKey | null {
  const [, key = "", sign = ""] = /^(?:-|not:)?([a-z]+(?:\.[^\s":]*)?)(:?)/i.exec(wordAtEnd(draft)) ?? [];
  const written = inOwnCase(key);
  const [, prefix, name = ""] = /^(q|req|resp)\.(.*)$/.exec(written) ?? [];
  if (prefix === "q" || prefix === "req" || prefix === "resp") return sign === "" ? `${prefix}.` : `${prefix}.${name}`;
  return sign === "" ? null : (KEYS_OF_VALUES.find((known) => known === written) ?? null);
}

/** The word in lower case, except for the name of a query parameter. */
function inOwnCase(word: string): string {
  const [, name = ""] = /^q\.([^:]*)/i.exec(word) ?? [];
  return name === "" ? word.toLowerCase() : `q.${name}${word.slice(2 + name.length).toLowerCase()}`;
}

const KEYS_OF_VALUES = [...ROW_KEYS, "finding"] as const;

/**
 * Suggestions for the word at the draft's end; all terms for an empty word. `occurring`: the values of the key from
 * `keyToComplete`; `null` until known.
 */
export function hintsFor(draft: string, occurring: OccurringValues | null): readonly FilterHint[] {
  const [, sign = "", rest = ""] = /^(-|not:)?(.*)$/i.exec(wordAtEnd(draft)) ?? [];
  const word = inOwnCase(rest);
  const [before = "", key = ""] =
    /^((?:[a-z]+|(?:q|req|resp)\.[^\s":]*):|(?:q|req|resp)\.)(?:(?:"[^"]*"|[^",]*),)*/.exec(word) ?? [];
  const known = keyToComplete(draft);
  const values = known === null ? VALUES[key]?.map((each) => ({ value: each, note: "" })) : valuesOf(known, occurring);
  if (values === undefined) {
    const hints = HINTS.filter((hint) => hint.word.startsWith(word) && hint.word !== word);
    const terms = hints.filter((hint) => sign === "" || hint.word !== "-");
    return Object.freeze(terms.map((hint) => ({ word: sign + hint.word, note: hint.note })));
  }
  const value = word.slice(before.length).replaceAll('"', "");
  const lower = value.toLowerCase();
  // Only the name of a query parameter is case-sensitive.
  const isTyped = (each: string) => (known === "q." ? each === value : each.toLowerCase() === lower);
  const fitting = values.filter((each) => each.value.toLowerCase().includes(lower) && !isTyped(each.value));
  const end = known?.endsWith(".") === true ? ":" : "";
  return Object.freeze(
    fitting
      .slice(0, MOST_VALUES)
      .map((each) => ({ word: sign + before + quotedValue(each.value) + end, note: each.note })),
  );
}

/** Each value with its number of exchanges; status classes come before statuses. */
function valuesOf(
  key: OccurringKey,
  occurring: OccurringValues | null,
): readonly { readonly value: string; readonly note: string }[] {
  // Leaves out what no term can express: a value with a quote, and a name (as in `q.name:`) that would need quotes.
  const unwritable = key.endsWith(".") ? /["\s:,()]|^$/ : /"|^$/;
  const values = (occurring ?? []).filter(({ value }) => !unwritable.test(value));
  const classes = new Map<string, number>();
  for (const { value, exchanges } of key === "status" ? values : []) {
    const of = `${value[0]}xx`;
    classes.set(of, (classes.get(of) ?? 0) + exchanges);
  }
  const all = [...Array.from(classes, ([value, exchanges]) => ({ value, exchanges })), ...values];
  return all.map(({ value, exchanges }) => {
    const count = countPhrase(exchanges, "exchange", "exchanges");
    const kind = key === "finding" ? FINDING_KINDS.find((known) => known === value) : undefined;
    return { value, note: kind === undefined ? count : `${FINDING_NAMES[kind]}, ${count}` };
  });
}

/** The draft with the suggestion in place of its last word; a space follows a complete term. */
export function withHint(draft: string, { word }: FilterHint): string {
  const start = draft.slice(0, draft.length - wordAtEnd(draft).length);
  const waits = /[:>.-]$/.test(word) && !/^(?:-|not:)?(?:slow|error|oversized|ws):$/.test(word);
  return `${start}${word}${waits ? "" : " "}`;
}
