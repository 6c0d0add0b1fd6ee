import type { HeaderField } from "../model/head.ts";
import { decodeUtf8, latin1Of, textOf } from "../quoting/utf8.ts";
import { decodeBase64 } from "./base64.ts";
import { REDACTED, withoutKnownSecrets } from "./redaction/known-secrets.ts";
import { redactedJson } from "./redaction/redacted-json.ts";
import { isSecretName } from "./redaction/secret-name.ts";

export { REDACTED };

/** Text nested more deeply is left out. */
const DEEPEST = 4;

/** How many characters may be read for each character of the text. Each level reads a text twice at most. */
const MOST_READ = 64;

/** Counts the characters read for a text of `length` characters, and bounds them. */
export class Reading {
  read = 0;
  readonly #most: number;

  constructor(length: number) {
    this.#most = MOST_READ * length + 1_000;
  }

  /** Counts a text; `false` if it is too much. */
  admits(text: string, level: number): boolean {
    this.read += text.length;
    return level <= DEEPEST && this.read <= this.#most;
  }
}

/**
 * Any captured text that leaves, without its secrets: a URL, a path, a value, a sentence. It is read as JSON, a form, a
 * URL or words, and so is each value within it, without its escapes. A text that is none of these is left out, and so
 * is one in which a name still has a secret. All else stays as it is.
 */
export function redactedText(text: string, reading = new Reading(text.length)): string {
  return textAt(text, 0, reading);
}

/** As `redactedText`, for an absolute or relative URL, of which only the parts that hold a secret are left out. */
export function redactedUrl(url: string): string {
  return urlAt(withoutKnownSecrets(url), 0, new Reading(url.length));
}

/** The text, or `redactedText` of it. */
export function shownText(text: string, redact: boolean): string {
  return redact ? redactedText(text) : text;
}

/** The URL, or `redactedUrl` of it. */
export function shownUrl(url: string, redact: boolean): string {
  return redact ? redactedUrl(url) : url;
}

/** A form (`name=value&…`) without secrets. */
export function redactedForm(form: string, reading = new Reading(form.length)): string {
  return formAt(form, 0, reading);
}

/** A shorter text holds no secret with its name. */
const SHORTEST = 4;

/** Text that holds none of these marks, and no base64, has no nested text. */
const MARKS = /[=:@%<&{["`]|--\w|[\w+/-]{12}/;

function textAt(text: string, level: number, reading: Reading): string {
  if (text.length < SHORTEST) return text;
  if (!MARKS.test(text)) return withoutKnownSecrets(text);
  if (!reading.admits(text, level)) return REDACTED;
  const inner = (part: string) => textAt(part, level + 1, reading);
  if (/^\s*["[{]/.test(text)) {
    try {
      return redactedJson(text, inner);
    } catch {
      if (!GRAPHQL.test(text) && /^\s*[[{].*[":=]/s.test(text)) return REDACTED;
    }
  }
  const hasLines = /[\r\n]./s.test(text);
  if (hasLines && (PART.test(text) || holdsNamedSecret(text, true))) return REDACTED;
  // The strings and comments of GraphQL may hold anything.
  if (MARKUP.test(text) || (GRAPHQL.test(text) && /["#]/.test(text)) || hidesSecret(text, inner)) return REDACTED;
  const open = withoutKnownSecrets(text).replaceAll(/[\w+/-]{12,}={0,2}/g, (run: string, from: number) =>
    // A run that an escape continues is decoded with it.
    text[from + run.length] !== "%" && isSecretBase64(run, inner) ? REDACTED : run,
  );
  if (FORM.test(open)) return formAt(open, level, reading);
  if (JSON_WITHIN.test(text)) return REDACTED;
  const shown = open.replaceAll(/[^\s"<>`]+/g, (word) => urlAt(word, level, reading));
  return !hasLines && holdsNamedSecret(shown, false) ? REDACTED : shown;
}

/** The head of a part (RFC 2046, 5.1), and JSON within other text. */
const PART = /^content-[\w-]{1,64}:/im;
const JSON_WITHIN = /[[{]\s{0,8}\\?["']/;

/** A tag, a comment or a declaration, whole or cut; no URL in angle brackets. */
const MARKUP = /<(?!https?:)[A-Za-z!?/](?:[^<>]*>|[^<>\s]*$)/;

/** A line that begins with a name and `=`. Its values may hold any character, since some clients escape little. */
const FORM = /^[\w.%+~[\]*$!&()'-]+=[^\r\n]*[\r\n]*$/;

/** A GraphQL document (GraphQL, 2.2). */
const GRAPHQL = /^\s*(?:(?:query|mutation|subscription|fragment)\b[^"{}]{0,1000})?\{\s*(?:[A-Za-z_]|\.\.\.|#)/;

/** Whether the entities of markup, or base64 in lines, hide a secret. */
function hidesSecret(text: string, inner: (text: string) => string): boolean {
  const plain = text.replaceAll(/&(?:#\d{1,7}|#x[\da-f]{1,6}|quot|amp|lt|gt|apos);/gi, characterOf);
  if (plain !== text && inner(plain) !== plain) return true;
  if (!/\s/.test(text)) return false;
  // Decoding a form turns pluses into spaces.
  const base64 = text
    .trim()
    .replaceAll(/[\r\n\t]+/g, "")
    .replaceAll(" ", "+");
  const runs = /[\r\n]/.test(text) ? base64.matchAll(/[\w+/-]{12,}={0,2}/g) : base64.matchAll(/^[\w+/-]{12,}={0,2}$/g);
  return [...runs].some(([run]) => isSecretBase64(run, inner));
}

const CHARACTERS: Readonly<Record<string, string>> = { "&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">" };

function characterOf(entity: string): string {
  const code = Number(entity.slice(2, -1).replace(/^x/i, "0x"));
  return CHARACTERS[entity.toLowerCase()] ?? (code <= 0x10_ff_ff ? String.fromCodePoint(code) : "'");
}

/** Whether base64 (RFC 4648, 4 and 5) holds text with secrets, or compressed data, which is not searched. */
function isSecretBase64(base64: string, inner: (text: string) => string): boolean {
  const plain = base64
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/={1,2}$/, "");
  // Base64 that is cut off may end with a character that gives no byte.
  const bytes = decodeBase64(plain.length % 4 === 1 ? plain.slice(0, -1) : plain);
  if (bytes === null) return false;
  if ((bytes[0] === 0x1f && bytes[1] === 0x8b) || (bytes[0] === 0x28 && bytes[1] === 0xb5)) return true;
  const isWide = bytes[0] === 0 || bytes[1] === 0 || bytes[3] === 0;
  const text = isWide ? latin1Of(bytes).replaceAll(/\0|^(?:\xff\xfe|\xfe\xff)/g, "") : decodeUtf8(bytes);
  if (text !== null && !/(?![\t-\r])\p{Cc}/u.test(text)) return inner(text) !== text;
  // A plus may also be a space of a form.
  return base64.includes("+") && base64.split("+").some((part) => part.length > 11 && isSecretBase64(part, inner));
}

/**
 * Whether a secret name still has a value: `name = value`, `"name": value`, `("name", "value")`, `--name value`, or a
 * line such as `name: value`. Of several lines, a value may also be on another line than its name.
 */
function holdsNamedSecret(text: string, hasLines: boolean): boolean {
  for (const { index, 0: name } of text.matchAll(/[\w.$%-]+/g)) {
    SEPARATOR.lastIndex = index + name.length;
    const [whole, quote, mark, value = ""] = SEPARATOR.exec(text) ?? [];
    const isSecret = hasLines ? isSecretName(name) || isSecretName(value) : value !== "" && isSecretName(name);
    if (whole === undefined || value.startsWith(REDACTED) || !isSecret) continue;
    // A colon within a line may be prose, and so may a comma and a blank.
    const isQuoted =
      quote !== "" || hasLines || /(?:^|[{(,"'`])\s{0,8}$/.test(text.slice(Math.max(0, index - 8), index));
    if (mark === "=" || (mark === undefined ? name.startsWith("-") : isQuoted)) return true;
  }
  return false;
}

/** What may be between a name and its value, and the value's beginning. */
const SEPARATOR =
  /(\\?["'`]?)[ \t]{0,8}(?:([:=]|,(?=[ \t]{0,8}["'`]))>?|(?<=[ \t]))\s{0,8}\\?["'`]{0,3}([^\s"'`&;]{0,64})/y;

/** A URL, absolute or relative, or a form: `scheme://host/path;name=value/…?name=value&…#name=value&…`. */
function urlAt(word: string, level: number, reading: Reading): string {
  const url = word.replace(DATA_URL, `$1${REDACTED}`);
  if (!/[=;?&#/]|%[\da-f]{2}/i.test(url)) return url;
  if (/^[^=/?#;:@]*=/.test(url)) return formAt(url, level, reading);
  const parts = url.split("#").map((part) => {
    const query = part.indexOf("?");
    const path = (query < 0 ? part : part.slice(0, query)).split(/([/;])/);
    const shown = path.map((piece) => formAt(piece, level, reading)).join("");
    return query < 0 ? shown : `${shown}?${formAt(part.slice(query + 1), level, reading)}`;
  });
  return parts.join("#");
}

/** A data URL (RFC 2397) without an image, a font, a sound or a film. */
const DATA_URL = /(data:(?!image\/(?!svg)|font\/|audio\/|video\/)[^,\s]{0,200},).*/is;

function formAt(form: string, level: number, reading: Reading): string {
  if (form.length < SHORTEST) return form;
  const nested = (raw: string) => nestedAt(raw, level + 1, reading);
  const pairs = form.split("&").map((raw) => {
    const equals = raw.indexOf("=");
    const begin = equals < 0 ? "" : raw.slice(0, equals);
    return { begin, name: nameOf(begin), value: raw.slice(equals + 1), mark: equals < 0 ? "" : "=" };
  });
  // Beside one of these, `state` is a secret (RFC 6749, 4.1.2 and 4.2.2).
  const isGrant = pairs.some(({ name }) => /^(?:code|access_token|id_token)$/i.test(name));
  const secret = isGrant ? /^(?:code|state)$/i : /^code$/i;
  const shown = pairs.map(({ begin, name, value, mark }) => {
    if (begin.length + value.length < SHORTEST - 1) return begin + mark + value;
    const isSecret = value !== "" && (isSecretName(name) || secret.test(name));
    return nested(begin) + mark + (isSecret ? REDACTED : nested(value));
  });
  return shown.join("&");
}

/** The name of a pair, whose letters may be escaped twice, behind any part of a URL. */
function nameOf(raw: string): string {
  return withoutPercents(withoutPercents(raw.slice(-512).replaceAll("+", " "))).replace(/^.*[?#;/]/s, "");
}

/** Percent-encoded text without secrets; the same text if there are none. */
function nestedAt(raw: string, level: number, reading: Reading): string {
  // An escaped value holds no plain "#", so another one begins there.
  if (raw.includes("%") && raw.includes("#"))
    return raw
      .split("#")
      .map((part) => nestedAt(part, level, reading))
      .join("#");
  const plain = withoutPercents(raw);
  const shown = textAt(plain, level, reading);
  if (shown === plain) return raw;
  return plain === raw ? shown : encodeURIComponent(shown.replaceAll(/\p{Surrogate}/gu, "\ufffd"));
}

/** Decodes percent-encoding (RFC 3986, 2.1). Escapes that are not UTF-8 count as latin1. */
export function withoutPercents(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) =>
    textOf(escapes.replaceAll(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))),
  );
}

/**
 * The fields of a head without secrets. Credentials keep their scheme. A field whose name is no token (RFC 9110,
 * 5.6.2), such as a folded line, and a value with a bare CR are not understood and lose all.
 */
export function redactedFields(fields: readonly HeaderField[]): readonly HeaderField[] {
  return fields.map(({ name, value }) => {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) return { name: REDACTED, value: value === "" ? "" : REDACTED };
    return { name: redactedText(name), value: value.includes("\r") ? REDACTED : redactedValue(name, value) };
  });
}

function redactedValue(name: string, value: string): string {
  const lower = name.toLowerCase();
  if (SECRET_HEADERS.test(lower) || isSecretName(name) || isSecretName(lower))
    return value === "" ? "" : (SCHEME.exec(value)?.[0] ?? "") + REDACTED;
  if (lower === "host") return value.replace(/^.*@/s, `${REDACTED}@`);
  if (lower === "link") return value.replaceAll(/(?<=<)[^<>\s]+(?=>)/g, (url) => redactedText(url));
  if (lower === "sec-websocket-protocol")
    return value.replaceAll(/[^,\s]+/g, (one) => (KNOWN_PROTOCOL.test(one) ? one : REDACTED));
  return redactedText(value);
}

/** Headers that are secrets though their names are ordinary words outside a head; `DPoP`: RFC 9449, 4.1. */
const SECRET_HEADERS = /^dpop$|(?:^|-)authentication(?:-info)?$/;

/** The scheme of credentials (RFC 9110, 11.4), which reveals only their kind. */
const SCHEME = /^(?:basic|bearer|digest|dpop|negotiate|ntlm) /i;

/**
 * Subprotocols of the WebSocket Subprotocol Name Registry (IANA), and others that are widely used. Some pages send a
 * token as a subprotocol, since they can set no other header of a WebSocket.
 */
const KNOWN_PROTOCOL =
  /^(?:(?:wamp|ocpp|mqtt|stomp|soap|sip|xmpp|amqp|msrp|bfcp|coap|rfb|wss|ws|json|binary|base64|chat)(?:v?[\d.]{1,8})?(?:\.json|\.msgpack)?|mqttv[\d.]{1,8}|v\d{1,2}\.stomp|graphql(?:-transport)?-ws|(?:base64\.)?(?:binary|channel|v\d\.channel|v\d\.base64\.channel)?\.?k8s\.io|actioncable-(?:v\d-json|unsupported)|vite-(?:hmr|ping)|janus-protocol|json-?rpc|access_token|bearer)$/i;
