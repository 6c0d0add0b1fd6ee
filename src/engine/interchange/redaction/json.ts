import { isNamed } from "./code.ts";
import { isTitle, isValue, type Pairs, titleOf } from "./json-pairs.ts";
import { behindBlanks, endOfString, endOfValue, jsonQuoted, jsonStringOf, literalAt } from "./json-strings.ts";
import { REDACTED, type Redact } from "./nested.ts";
import { isCredentialHeader, isSecretName } from "./secret-name.ts";

/** Default; not from a specification: text that is nested more deeply is not treated as JSON. */
const DEEPEST = 1_000;

/** A list or object that is not yet closed. */
interface Open {
  readonly isObject: boolean;
  /**
   * In an object, the latest member's name; in a list, the latest string, which may be a header's name; `null` if there
   * is none.
   */
  name: string | null;
  /** Whether the object has a name that accompanies an OAuth code (RFC 6749, 4.1). */
  isGrant: boolean;
  /**
   * The indexes of the replacements for the values of `code` and `state`. These values are secret only if `isGrant`
   * and `hasCode`.
   */
  readonly codes: number[];
  hasCode: boolean;
  /** The object's members that may belong together as a name and a value. */
  readonly pairs: Pairs;
  /** The number of values that have started. */
  items: number;
}

/** A range of the text, and its replacement. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Redacts JSON, several JSON texts, or the beginning of one: values of secret names, and secrets in strings. Everything
 * else is unchanged byte by byte. `null` for other text.
 */
export function redactedJsonBy(text: string, redact: Redact): string | null {
  const spans = spansOf(text, redact);
  if (spans === null) return null;
  const pieces: string[] = [];
  let kept = 0;
  for (const { from, to, text: written } of spans) {
    // Skips spans within a redacted value.
    if (from < kept) continue;
    pieces.push(text.slice(kept, from), written);
    kept = to;
  }
  return pieces.join("") + text.slice(kept);
}

/** The replacements by position; `null` if the text is not JSON. */
function spansOf(text: string, redact: Redact): readonly Span[] | null {
  const spans: Span[] = [];
  const open: Open[] = [];
  let at = behindBlanks(text, GUARD.exec(text)?.[0].length ?? 0);
  while (at < text.length) {
    const inner = open.at(-1) ?? null;
    const character = text[at] as string;
    if (character === "{" || character === "[") {
      if (open.length === DEEPEST) return null;
      beginValue(inner, at, spans);
      open.push({
        isObject: character === "{",
        name: null,
        isGrant: false,
        codes: [],
        hasCode: false,
        pairs: { titles: [], values: [] },
        items: 0,
      });
      at += 1;
    } else if (character === "}" || character === "]") {
      if (inner === null || inner.isObject !== (character === "}")) return null;
      close(text, inner, spans);
      open.pop();
      at += 1;
      endValue(open.at(-1) ?? null, at);
    } else if (character === ",") {
      if (inner?.isObject === true) inner.name = null;
      at += 1;
    } else if (inner?.isObject === true && inner.name === null) {
      const next = readMember(text, at, inner, spans, redact);
      if (next === null) return null;
      at = next;
    } else {
      const next = readEntry(text, at, open, spans) ?? readScalar(text, at, inner, spans, redact);
      if (next === null) return null;
      endValue(inner, next);
      at = next;
    }
    at = behindBlanks(text, at);
  }
  for (const one of open) close(text, one, spans);
  return spans;
}

/** Prefixes with which servers keep JSON from being run as a script. */
const GUARD = /^(?:\ufeff?\)\]\}',?|(?:for\(;;\)|while\(1\));)/;

/**
 * Parses a name, its colon, and its value if that is a secret. Returns the next position; `null` if the text is
 * invalid.
 */
function readMember(text: string, at: number, object: Open, spans: Span[], redact: Redact): number | null {
  if (text[at] !== '"') return null;
  const end = endOfString(text, at);
  const name = jsonStringOf(text.slice(at + 1, end));
  const colon = behindBlanks(text, end + 1);
  if (colon >= text.length) return text.length;
  if (text[colon] !== ":") return null;
  const shown = redact(name);
  if (shown !== name) spans.push({ from: at + 1, to: end, text: jsonQuoted(shown) });
  object.name = name;
  object.isGrant ||= GRANT_NAMES.has(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const from = behindBlanks(text, colon + 1);
  if (!isSecretValueAt(text, from, name)) return from;
  const to = endOfValue(text, from);
  // "key" gives the name of the value beside it, and may itself be a secret.
  if (isTitle(name) && text[from] === '"')
    object.pairs.titles.push({ member: name, title: jsonStringOf(text.slice(from + 1, to - 1)) });
  spans.push({ from, to, text: secretFor(text, from) });
  return to;
}

/**
 * Names that accompany an OAuth `code`, but never the code of an error or of a country. Also recognized in camel case,
 * such as `clientId`.
 */
const GRANT_NAMES: ReadonlySet<string> = new Set([
  "client_id",
  "code_verifier",
  "grant_type",
  "redirect_uri",
  "session_state",
  "state",
]);

/** Whether the value at `from`, whose name is `name`, is a secret. Empty values and booleans are no secrets. */
export function isSecretValueAt(text: string, from: number, name: string): boolean {
  if (!isSecretName(name)) return false;
  const first = text[from];
  const isLiteral = first !== '"' && first !== "{" && first !== "[";
  const value = isLiteral ? literalAt(text, from) : text.slice(from, from + 2);
  if (PIN.test(name) && (isLiteral ? SHORT.test(value) : first !== '"')) return false;
  return !NOTHING.has(value) && !(COUNTED.test(name) && COUNT.test(value));
}

/**
 * Names of numbers that are no secrets: a small number is a count if its name is a plural ("max_tokens": 512), and an
 * index if its name ends with "key". Weir's own rule; not from a specification.
 */
const COUNTED = /(?:s|key)$/i;
const COUNT = /^\d{1,7}$/;

/**
 * Names of a PIN, which has at least 4 digits (ISO 9564-1). An object, a list or a smaller number with such a name is
 * something else.
 */
const PIN = /pin$/i;
const SHORT = /^\d{1,3}$/;

const NOTHING: ReadonlySet<string> = new Set(["", '""', "[]", "{}", "true", "false", "null"]);

/** The replacement of the value at `from`. The replacement has no closing quote if the value is cut off. */
export function secretFor(text: string, from: number): string {
  const isCut = text[from] === '"' && endOfString(text, from) === text.length;
  return isCut ? `"${REDACTED}` : `"${REDACTED}"`;
}

/** Counts a value, and stores it if another member may name it. */
function beginValue(inner: Open | null, at: number, spans: Span[]): void {
  if (inner === null) return;
  inner.items += 1;
  const { isObject, name, pairs } = inner;
  if (!isObject || name === null || !isValue(name)) return;
  pairs.values.push({ member: name, span: spans.length, from: at, to: null });
  spans.push({ from: at, to: at, text: "" });
}

function endValue(inner: Open | null, at: number): void {
  const latest = inner?.isObject === true ? inner.pairs.values.at(-1) : undefined;
  if (latest !== undefined) latest.to ??= at;
}

/**
 * Redacts the second value of a list such as `["password", "x"]`, in which the first value is a secret name. The list
 * must be the whole text or be in another list. If the list is the whole text, its second value must be a string that
 * is no secret name. Returns `null` for all other values.
 */
function readEntry(text: string, at: number, open: readonly Open[], spans: Span[]): number | null {
  const pair = open.at(-1);
  const list = open.at(-2);
  if (pair?.isObject !== false || pair.items !== 1 || !isNamed(pair.name ?? "")) return null;
  if (list === undefined ? !isOtherString(text, at) : list.isObject) return null;
  const to = endOfValue(text, at);
  const isLast = (text[behindBlanks(text, to)] ?? "]") === "]";
  if (!isLast || !isSecretValueAt(text, at, pair.name ?? "")) return null;
  spans.push({ from: at, to, text: secretFor(text, at) });
  pair.items += 1;
  return to;
}

/**
 * Whether a string that is no secret name starts at `at`. Two secret names are a list of names, not a name and its
 * value.
 */
function isOtherString(text: string, at: number): boolean {
  return text[at] === '"' && !isNamed(jsonStringOf(text.slice(at + 1, endOfString(text, at))));
}

/** Parses a string, a number or a word. Returns the next position; `null` if the text is invalid. */
function readScalar(text: string, at: number, inner: Open | null, spans: Span[], redact: Redact): number | null {
  beginValue(inner, at, spans);
  if (text[at] !== '"') {
    if (inner?.isObject === false) inner.name = null;
    const literal = literalAt(text, at);
    return WORD.test(literal) || (literal !== "" && at + literal.length === text.length) ? at + literal.length : null;
  }
  const end = endOfString(text, at);
  const raw = text.slice(at + 1, end);
  const plain = jsonStringOf(raw);
  const isCredential = inner?.isObject === false && plain !== "" && isCredentialHeader(inner.name ?? "");
  const redacted = isCredential ? REDACTED : redact(plain);
  if (inner?.isObject === false) inner.name = isCredential ? null : plain;
  const isCode = inner?.isObject === true && (inner.name === "code" || inner.name === "state");
  if (isCode && raw !== "") {
    inner.codes.push(spans.length);
    inner.hasCode ||= inner.name === "code";
  }
  if (inner?.isObject === true && inner.name !== null && isTitle(inner.name))
    inner.pairs.titles.push({ member: inner.name, title: plain });
  if (isCode || redacted !== plain) {
    spans.push({ from: at + 1, to: end, text: redacted === plain ? raw : jsonQuoted(redacted) });
  }
  return end + 1;
}

/** Numbers and words of JSON, and words that some programs write although JSON lacks them. */
const WORD = /^(?:-?\d[-+.\w]*|true|false|null|NaN|-?Infinity)$/;

/**
 * Redacts the values of a list or object that has ended: values that another member gives a secret name, and `code`
 * and `state` of an OAuth grant.
 */
function close(text: string, { isGrant, hasCode, codes, pairs }: Open, spans: Span[]): void {
  for (const { member, span, from, to } of pairs.values) {
    const title = titleOf(pairs, member);
    if (title === null || !isSecretValueAt(text, from, title)) continue;
    spans[span] = { from, to: to ?? text.length, text: secretFor(text, from) };
  }
  if (!isGrant || !hasCode) return;
  for (const place of codes) spans[place] = { ...(spans[place] as Span), text: REDACTED };
}
