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
  /** Indexes in the spans of the values of `code` and `state`, which are secrets if `isGrant`. */
  readonly codes: number[];
  hasCode: boolean;
  /** In a list of pairs `{"name": …, "value": …}`, the object's name; "" in any other object. */
  title: string;
  /** Indexes in the spans of the strings with the name `title`. */
  readonly titled: number[];
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
      open.push({
        isObject: character === "{",
        name: null,
        isGrant: false,
        codes: [],
        hasCode: false,
        title: "",
        titled: [],
      });
      at += 1;
    } else if (character === "}" || character === "]") {
      if (inner === null || inner.isObject !== (character === "}")) return null;
      close(inner, spans);
      open.pop();
      at += 1;
    } else if (character === ",") {
      if (inner?.isObject === true) inner.name = null;
      at += 1;
    } else if (inner?.isObject === true && inner.name === null) {
      const next = readMember(text, at, inner, spans, redact);
      if (next === null) return null;
      at = next;
    } else {
      const next = readScalar(text, at, inner, spans, redact);
      if (next === null) return null;
      at = next;
    }
    at = behindBlanks(text, at);
  }
  for (const one of open) close(one, spans);
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
  if (TITLES.has(name.toLowerCase()) && text[from] === '"') object.title = jsonStringOf(text.slice(from + 1, to - 1));
  spans.push({ from, to, text: secretFor(text, from) });
  return to;
}

/**
 * Names that accompany an OAuth `code`, but not the code of an error or a country. Also recognized in camel case, such
 * as `clientId`.
 */
const GRANT_NAMES: ReadonlySet<string> = new Set([
  "client_id",
  "code_verifier",
  "grant_type",
  "redirect_uri",
  "session_state",
  "state",
]);

/** Whether the value at `from`, whose name is `name`, is a secret. Empty values and booleans are none. */
export function isSecretValueAt(text: string, from: number, name: string): boolean {
  if (!isSecretName(name)) return false;
  const first = text[from];
  const isLiteral = first !== '"' && first !== "{" && first !== "[";
  const value = isLiteral ? literalAt(text, from) : text.slice(from, from + 2);
  return !NOTHING.has(value) && !(COUNTED.test(name) && COUNT.test(value));
}

/**
 * Default; not from a specification: a small number is a count below a plural name ("max_tokens": 512), and an index
 * below a name that ends with "key".
 */
const COUNTED = /(?:s|key)$/i;
const COUNT = /^\d{1,7}$/;

const NOTHING: ReadonlySet<string> = new Set(["", '""', "true", "false", "null"]);

/** The replacement of the value at `from`. It has no closing quote if the value is cut off. */
export function secretFor(text: string, from: number): string {
  const isCut = text[from] === '"' && endOfString(text, from) === text.length;
  return isCut ? `"${REDACTED}` : `"${REDACTED}"`;
}

/** Parses a string, a number or a word. Returns the next position; `null` if the text is invalid. */
function readScalar(text: string, at: number, inner: Open | null, spans: Span[], redact: Redact): number | null {
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
  const member = inner?.isObject === true ? (inner.name?.toLowerCase() ?? "") : "";
  if (inner !== null && TITLES.has(member)) inner.title = plain;
  const isTitled = member === "value" && raw !== "";
  if (isTitled) inner?.titled.push(spans.length);
  if (isCode || isTitled || redacted !== plain) {
    spans.push({ from: at + 1, to: end, text: redacted === plain ? raw : jsonQuoted(redacted) });
  }
  return end + 1;
}

/** Names of members that hold the name of the member "value", as in lists of headers, form fields and variables. */
const TITLES: ReadonlySet<string> = new Set(["name", "key", "header"]);

/** Numbers and words of JSON, and words that some programs write although JSON lacks them. */
const WORD = /^(?:-?\d[-+.\w]*|true|false|null|NaN|-?Infinity)$/;

/**
 * Redacts a value whose title is a secret name, an OAuth code beside names that accompany it, and the state beside that
 * code.
 */
function close({ isGrant, hasCode, codes, title, titled }: Open, spans: Span[]): void {
  if (titled.length > 0 && isSecretName(title)) {
    for (const place of titled) spans[place] = { ...(spans[place] as Span), text: REDACTED };
  }
  if (!isGrant || !hasCode) return;
  for (const place of codes) spans[place] = { ...(spans[place] as Span), text: REDACTED };
}
