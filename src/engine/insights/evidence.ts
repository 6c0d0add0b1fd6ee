import type { Evidence } from "../model/findings.ts";
import { fieldsOf } from "../model/head.ts";

/** decisions.md, Dependency chain: shorter values prove nothing. */
const SHORTEST_VALUE = 6;

/** Our choices, which bound the work per exchange: characters of a body that are read, values and words that are kept. */
const LONGEST_BODY = 64 * 1024;
const LONGEST_VALUE = 2_048;
const MOST_VALUES = 500;
const MOST_WORDS = 1_000;

/** What a response gave its client, and what the client already had sent to get it. */
export interface Given {
  readonly head: string;
  /** The decoded body's text, or the beginning of it; "" if it is no text. */
  readonly body: string;
}

/** What a client asked. */
export interface Asked {
  readonly origin: string;
  readonly target: string;
  readonly head: string;
  readonly body: string;
}

/**
 * The words of a request in which a value can be found again: the URL, its path, segments and query values; header
 * values, cookies and credentials whole and in their parts; the strings and numbers of the body.
 */
export function wordsOf({ origin, target, head, body }: Asked): ReadonlySet<string> {
  const words = new Set<string>();
  const add = (word: string) => {
    if (word.length >= SHORTEST_VALUE && word.length <= LONGEST_VALUE && words.size < MOST_WORDS) words.add(word);
  };
  const [path = ""] = target.split("?", 1);
  const query = target.slice(path.length + 1);
  for (const word of [origin + target, target, origin + path, path, ...path.split("/"), ...formValues(query)]) {
    add(word);
    add(unescaped(word));
  }
  for (const { name, value } of fieldsOf(head)) {
    const lower = name.toLowerCase();
    if (saysNothingNew(lower)) continue;
    add(value);
    for (const part of partsOf(lower, value)) add(part);
  }
  const text = body.slice(0, LONGEST_BODY);
  for (const value of formValues(text)) add(unescaped(value));
  for (const value of bodyValues(text)) add(value);
  return words;
}

/**
 * What a response gave that its own request did not hold: Location, cookies, header values, and the strings, numbers and
 * addresses of its body. At most 500, the ones that prove most first.
 */
export function valuesOf({ head, body }: Given, known: ReadonlySet<string>): readonly Evidence[] {
  const found = new Map<string, Evidence>();
  const add = (source: Evidence["source"], value: string) => {
    if (value.length < SHORTEST_VALUE || value.length > LONGEST_VALUE || known.has(value)) return;
    if (found.size < MOST_VALUES && !found.has(value)) found.set(value, { source, value });
  };
  const fields = fieldsOf(head).map(({ name, value }) => ({ name: name.toLowerCase(), value }));
  for (const { value } of fields.filter(({ name }) => name === "location")) {
    add("location", value);
    add("location", value.replace(/#.*$/s, ""));
  }
  for (const { value } of fields.filter(({ name }) => name === "set-cookie"))
    add("set-cookie", /^[^=;]*=\s*"?([^;"]*)/.exec(value)?.[1]?.trim() ?? "");
  for (const { name, value } of fields) {
    if (saysNothingNew(name) || name === "location" || name === "set-cookie") continue;
    add("header", value.replace(/^(?:W\/)?"(.*)"$/, "$1"));
    for (const [, link = ""] of value.matchAll(/<([^<>]{1,2048})>/g)) add("header", link);
  }
  for (const value of bodyValues(body.slice(0, LONGEST_BODY))) add("body", value);
  return [...found.values()];
}

/** Headers whose values are the same from exchange to exchange, or say what the client knows without the response. */
const SAYS_NOTHING_NEW: ReadonlySet<string> = new Set([
  "accept",
  "accept-charset",
  "accept-encoding",
  "accept-language",
  "accept-ranges",
  "age",
  "alt-svc",
  "cache-control",
  "connection",
  "content-encoding",
  "content-language",
  "content-length",
  "content-security-policy",
  "content-type",
  "cross-origin-embedder-policy",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "date",
  "expires",
  "host",
  "keep-alive",
  "last-modified",
  "origin",
  "pragma",
  "referer",
  "referrer-policy",
  "server",
  "strict-transport-security",
  "te",
  "transfer-encoding",
  "upgrade",
  "user-agent",
  "vary",
  "via",
]);

/** What begins with `sec-` is set by browsers alone (Fetch, 2.2.2), about the request itself. */
function saysNothingNew(name: string): boolean {
  return SAYS_NOTHING_NEW.has(name) || name.startsWith("sec-");
}

/** Of cookies their values, of credentials what follows their scheme: the names are the same wherever they come from. */
function partsOf(name: string, value: string): string[] {
  if (name === "cookie")
    return value.split(/;\s*/).map((pair) => pair.slice(pair.indexOf("=") + 1).replaceAll('"', ""));
  const said = /^(?:proxy-)?authorization$/.test(name) ? value.replace(/^\S+\s+/, "") : value;
  return said.split(/[\s,;="]+/);
}

/**
 * Quoted strings that are no names of a JSON object, numbers, and text between tags: JSON, HTML and XML alike. By what comes
 * before it a quote opens a string: else what stands between two of them would be one, as `:true,` of `{"a":true,"b":1}`.
 */
function* bodyValues(text: string): Generator<string, void, undefined> {
  const value =
    /(?<=^|[\s:,[({=>])"([^"\s\\]{6,2048}|(?:[^"\s\\]|\\\/){6,2048})"(?!\s{0,8}:)|(?<=^|[\s:,[({=>])'([^'\s\\]{6,2048})'|[:,[\s](-?\d{6,20})(?=[,\]}\s]|$)|>([^<>\s]{6,2048})</g;
  for (const [, quoted, single, number, between] of text.matchAll(value))
    yield (quoted ?? single ?? number ?? between ?? "").replaceAll("\\/", "/");
}

function formValues(form: string): string[] {
  if (/[\s{<]/.test(form)) return [];
  return form.split("&", MOST_WORDS).map((pair) => pair.slice(pair.indexOf("=") + 1));
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
