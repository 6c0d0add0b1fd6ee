import { REDACTED } from "./nested.ts";
import { isCredentialHeader, isSecretName } from "./secret-name.ts";

/** Removes values of secret names from elements of markup and from quoted values in code, settings and GraphQL. */
export function withoutNamedValues(text: string): string {
  return text
    .replaceAll(PAIR, redactedPair)
    .replaceAll(ELEMENT, redactedElement)
    .replaceAll(ASSIGNED, redactedAssignment)
    .replaceAll(CREDENTIALS, `$1${REDACTED}`)
    .replaceAll(QUOTED_FIELD, redactedField)
    .replaceAll(USER_OPTION, `$1${REDACTED}`);
}

/** Removes private keys in PEM (RFC 7468, 2), whole or cut off. */
export function withoutPrivateKeys(text: string): string {
  return text.includes("PRIVATE KEY") ? text.replaceAll(PRIVATE_KEY, `$1${REDACTED}`) : text;
}

/** The first line, then base64, the fields of an encrypted key, and line breaks, escaped or not. */
const PRIVATE_KEY = /(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)(?:[\w+/=:,. \t\r\n\\]|-(?!-))+/g;

/** An element with attributes for a name and a value: a form field, or a setting of a page or program. */
const PAIR = /<(?:input|meta|add|param|property)\s[^<>]{0,4000}>/gi;
const PAIR_NAME = /\s(?:name|key|id)=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
const PAIR_VALUE = /(\s(?:value|content)=)(?:"[^"]+"|'[^']+'|[^\s"'>]+)/gi;

function redactedPair(whole: string): string {
  const [, quoted, single, plain] = PAIR_NAME.exec(whole) ?? [];
  return isSecretName(quoted ?? single ?? plain ?? "") ? whole.replaceAll(PAIR_VALUE, `$1"${REDACTED}"`) : whole;
}

/**
 * A header with credentials within a line, as in a command (RFC 9110, 11.6.2). Captures the part before the
 * credentials.
 */
const CREDENTIALS =
  /(\bauthorization["']?[ \t]{0,8}:[ \t]{0,8}["']?(?:basic|bearer|digest|negotiate|token)[ \t]{1,8})(?!REDACTED)[^\s"'<>]+/gi;

/** A header line in quotes, as an argument of a command. Captures quote, name, colon and value. */
const QUOTED_FIELD = /(["'])([A-Za-z][\w-]{0,63})(:[ \t]{0,8})([^"'\r\n]+)(?=["'])/g;

/** curl's option for a user's name and password. */
const USER_OPTION = /(\s(?:-u|--user|--proxy-user)[ =]["']?)[^\s"':]+:[^\s"']+/g;

function redactedField(whole: string, quote: string, name: string, colon: string, value: string): string {
  return isCredentialHeader(name) && !value.includes(REDACTED) ? quote + name + colon + REDACTED : whole;
}

/** An element that contains only text or one CDATA section. Captures tag, name and text. */
const ELEMENT =
  /(<(?:[A-Za-z_][\w.-]{0,63}:)?([A-Za-z_][\w.-]{0,63})(?:\s[^<>]{0,400})?>)(?:[^<]+|\s{0,8}<!\[CDATA\[(?:[^\]]|\](?!\]>)){0,400}\]\]>\s{0,8})(?=<\/)/g;

/**
 * `name: "value"` or `name = 'value'`, with the name in quotes or not. Captures what is before the value, the name, and
 * the value with its opening quote.
 */
const ASSIGNED =
  /((?<![\w$-])([A-Za-z_$][\w$-]{0,63})["']?[ \t]{0,8}[:=][ \t]{0,8})("(?:[^"\\\r\n]|\\.)+|'(?:[^'\\\r\n]|\\.)+)/g;

/** Default; not from a specification: names that are ordinary words in code and markup, and so no secrets there. */
const BROAD = /^(?:auth|keys?|otp|session|sid|sig)$/i;

function redactedElement(whole: string, tag: string, name: string): string {
  return isNamed(name) ? tag + REDACTED : whole;
}

function redactedAssignment(whole: string, before: string, name: string, value: string): string {
  return isNamed(name) ? before + value.charAt(0) + REDACTED : whole;
}

function isNamed(name: string): boolean {
  return !BROAD.test(name) && isSecretName(name);
}
