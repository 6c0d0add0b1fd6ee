import { REDACTED } from "./nested.ts";
import { isCredentialHeader, isSecretName } from "./secret-name.ts";

/** Removes the values of secret names from code, commands, settings and GraphQL within text. */
export function withoutNamedValues(text: string): string {
  return text
    .replaceAll(ASSIGNED, redactedAssignment)
    .replaceAll(SPACED, redactedSpaced)
    .replaceAll(STORED, redactedAssignment)
    .replaceAll(CREDENTIALS, `$1${REDACTED}`)
    .replaceAll(SCHEME, redactedScheme)
    .replaceAll(QUOTED_FIELD, redactedField)
    .replaceAll(USER_OPTION, redactedValue)
    .replaceAll(OPTION, redactedOption);
}

/** Removes private keys in PEM (RFC 7468, 2), whole or cut off. */
export function withoutPrivateKeys(text: string): string {
  return text.includes("PRIVATE KEY") ? text.replaceAll(PRIVATE_KEY, `$1${REDACTED}`) : text;
}

/** Matches the BEGIN line and what follows: base64, fields of an encrypted key, and line breaks, escaped or not. */
const PRIVATE_KEY = /(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)(?:[\w+/=:,. \t\r\n\\]|-(?!-))+/g;

/**
 * A header with credentials within a line, as in a command (RFC 9110, 11.6.2). Captures the part before the
 * credentials.
 */
const CREDENTIALS =
  /(\bauthorization["']?[ \t]{0,8}:[ \t]{0,8}["']?(?:basic|bearer|digest|negotiate|token)[ \t]{1,8})(?!REDACTED)[^\s"'<>]+/gi;

/**
 * A scheme and credentials, without a header's name. Credentials count only if they have a digit or an inner capital,
 * since words of prose have neither.
 */
const SCHEME = /(\b(?:basic|bearer|negotiate|ntlm)[ \t]{1,4})([\w+/~.-]{12,}={0,2})/gi;

function redactedScheme(whole: string, scheme: string, credentials: string): string {
  return /[\d=]|[a-z][A-Z]/.test(credentials) ? scheme + REDACTED : whole;
}

/** A quoted header line, as an argument of a command: the quote, the name, the colon, the value. */
const QUOTED_FIELD = /(["'])([A-Za-z][\w-]{0,63})(:[ \t]{0,8})([^"'\r\n]+)(?=["'])/g;

/** curl's option for a user's name and password. Captures what is before the value, and the value with its quote. */
const USER_OPTION =
  /(\s(?:-u|--user|--proxy-user)[ =])("[^"\\:\r\n]+:(?:[^"\\\r\n]|\\.)+|'[^'\\:\r\n]+:(?:[^'\\\r\n]|\\.)+|\\["'][^"'\\:\r\n]+:[^"'\\\r\n]+|[^\s"':]+:[^\s"']+)/g;

function redactedField(whole: string, quote: string, name: string, colon: string, value: string): string {
  return isCredentialHeader(name) && !value.includes(REDACTED) ? quote + name + colon + REDACTED : whole;
}

/**
 * `name: "value"` or `name = 'value'`, with the name in quotes or not. Captures what is before the value, the name, and
 * the value with its opening quote.
 */
const ASSIGNED =
  /((?<![\w$-])([A-Za-z_$][\w$-]{0,63})["']?[ \t]{0,8}[:=][ \t]{0,8})("(?:[^"\\\r\n]|\\.)+|'(?:[^'\\\r\n]|\\.)+)/g;

/** `name = value` without quotes; neither a comparison nor a call. */
const SPACED =
  /((?<![\w$-])([A-Za-z_$][\w$.-]{0,63})(?:[ \t]{1,8}=(?![=>])[ \t]{0,8}|=(?![=>])[ \t]{1,8}))([^\s"'`<>(){}[\];,&=]+)(?=[\s"'`<>)}\];,&]|$)/g;

/**
 * A call that stores a quoted value under a quoted name: `setItem("token", "x")`. Captures what is before the value,
 * the name, and the value with its opening quote.
 */
const STORED =
  /((?<!\w)(?:add|append|header|put|save|set|store|write)\w{0,63}[ \t]{0,8}\(\s{0,64}["'`]([A-Za-z_$][\w$.-]{0,63})["'`]\s{0,64},\s{0,64})("(?:[^"\\\r\n]|\\.)+|'(?:[^'\\\r\n]|\\.)+|`(?:[^`\\]|\\.)+)/gi;

/**
 * `--password value` or `-token="value"` in a command. Captures what is before the value, the name, and the value with
 * its opening quote. A value that begins with a dash and has no quotes is the next option.
 */
const OPTION =
  /((?<![\w-])--?([A-Za-z][\w-]{0,63})(?:[ \t]{1,8}|=))("(?:[^"\\\r\n]|\\.)+|'(?:[^'\\\r\n]|\\.)+|\\["'][^"'\\\r\n]+|(?!REDACTED)[^\s"'<>-][^\s"'<>]{0,4000})/g;

/**
 * Values that are no secrets: words of code, text that ends with a dot, and small numbers (as in lists of constants).
 */
const CODE = /^(?:true|false|null|undefined|nil|none|new|await|function|async|typeof|void|this|.*\.|\d{1,3})$/i;

/**
 * Secret names that do not count in code and markup, where they are ordinary words. Weir's own list; not from a
 * specification.
 */
const BROAD = /^(?:auth|keys?|otp|pin|session|sid|sig)$/i;

function redactedAssignment(whole: string, before: string, name: string, value: string): string {
  return isNamed(name) ? before + value.charAt(0) + REDACTED : whole;
}

function redactedSpaced(whole: string, before: string, name: string, value: string): string {
  return isNamed(name) && !CODE.test(value) ? before + REDACTED : whole;
}

function redactedOption(whole: string, before: string, name: string, value: string): string {
  return isSecretOption(name) ? redactedValue(whole, before, value) : whole;
}

/** Keeps the value's opening quote, which may be escaped. */
function redactedValue(_whole: string, before: string, value: string): string {
  return before + (/^\\?["']/.exec(value)?.[0] ?? "") + REDACTED;
}

/** Whether an option's value is a secret. The last word must be secret, too: `--token-file` names where a secret is. */
function isSecretOption(name: string): boolean {
  const last = /[A-Z]?[a-z0-9]{1,64}$|[A-Z0-9]{1,64}$/.exec(name)?.[0] ?? name;
  return isNamed(name) && isSecretName(last);
}

/** Whether a name is secret in text where names may be ordinary words. */
export function isNamed(name: string): boolean {
  return !BROAD.test(name) && isSecretName(name);
}
