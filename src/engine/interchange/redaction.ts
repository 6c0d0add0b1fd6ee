import type { HeaderField } from "../model/head.ts";
import { latin1Of, textOf } from "../quoting/utf8.ts";
import { decodeBase64 } from "./base64.ts";
import { redactedFormBy } from "./redaction/form.ts";
import { redactedFieldsBy, redactedHeaderBy } from "./redaction/header.ts";
import { redactedJsonBy } from "./redaction/json.ts";
import { redactedMembersBy } from "./redaction/json-members.ts";
import { withoutWebTokens } from "./redaction/json-web-token.ts";
import { withoutNamedValues, withoutPrivateKeys } from "./redaction/markup-and-code.ts";
import { redactedPartsBy } from "./redaction/multipart.ts";
import { REDACTED, type Redact, redactedWithin } from "./redaction/nested.ts";
import { mentionsSecret } from "./redaction/secret-mention.ts";
import { isSecretName } from "./redaction/secret-name.ts";
import { redactedUrlBy } from "./redaction/url.ts";

/*
 * Finds secrets by parsing nested formats: a URL in a form's value in a JSON string. Each parser handles its own part
 * of the text and forwards the rest, so the total time is linear in the length.
 */

/**
 * The deepest nesting that is parsed; deeper text is redacted whole if it names a secret. Default; not from a
 * specification.
 */
const DEEPEST = 10;

/** An absolute or relative URL, without user-info and values of secret names. */
export function redactedUrl(url: string): string {
  return withoutWebTokens(redactedUrlBy(url, within(0)));
}

/** `name=value&…` text without values of secret names; all else is unchanged byte by byte. */
export function redactedForm(form: string): string {
  return withoutWebTokens(redactedFormBy(form, within(0)));
}

/** The text of a body or message without secrets, as a form (of either kind) or JSON, and without those in its URLs. */
export function redactedText(text: string): string {
  return redactedAt(text, 0);
}

/** `redactedText` for JSON, several JSON texts, or the beginning of one; `null` for any other text. */
export function redactedJson(text: string): string | null {
  const redacted = redactedJsonBy(text, within(0));
  return redacted === null ? null : withoutWebTokens(redacted);
}

/** `redactedText` for multipart text with the boundary of its Content-Type; `null` where the boundary is not found. */
export function redactedParts(text: string, boundary: string): string | null {
  const redacted = redactedPartsBy(text, boundary, within(0));
  return redacted === null ? null : withoutWebTokens(redacted);
}

/** A header's value as exported. URLs in it (Location, Referer) lose their secrets; a credential keeps its scheme. */
export function redactedHeader(name: string, value: string): string {
  return withoutWebTokens(redactedHeaderBy(name, value, redactedText, redactedUrl));
}

/** `redactedHeader` for the fields of a head, including values with line ends that a lenient peer accepts. */
export function redactedFields(fields: readonly HeaderField[]): readonly HeaderField[] {
  return redactedFieldsBy(fields, redactedHeader);
}

function redactedAt(text: string, depth: number): string {
  if (text.length < SHORTEST || !MARKS.test(text)) return text;
  if (depth > DEEPEST) return mentionsSecret(text) ? REDACTED : text;
  const redact = within(depth);
  const redacted = redactedKnown(text, redact) ?? redactedMembersBy(text, redact, otherText(redact));
  return withoutPrivateKeys(withoutWebTokens(redacted));
}

/** Redacts nested text, one level deeper. */
function within(depth: number): Redact {
  return (text) => redactedAt(text, depth + 1);
}

/** Shorter text has no room for a name, a separator and a value; nor does text without one of these characters. */
const SHORTEST = 4;
const MARKS = /[=:@%<]|[eW][wyz13]|-----/;

/** `null` for text that is neither JSON, in base64 or not, nor a form of either kind. */
function redactedKnown(text: string, redact: Redact): string | null {
  if (BASE64.test(text)) return redactedBase64(text, redact);
  const json = /^[\s\ufeff]*["[{)fw]/.test(text) ? redactedJsonBy(text, redact) : null;
  if (json !== null) return json;
  const parts = text.includes("--") ? redactedPartsBy(text, null, redact) : null;
  if (parts !== null) return parts;
  return FORM.test(text) ? redactedFormBy(text, redact) : null;
}

/** One line that begins with names, flags, and a `=`: some clients do not escape values in forms, such as JSON. */
const FORM = /^[\w.%+~[\]*$!&()'-]+=[^\r\n]*[\r\n]*$/;

/** Redacts text between known formats: markup, code, header lines, URLs, pairs of names and values. */
function otherText(redact: Redact): Redact {
  const redactedIn = (word: string) => (word.length < SHORTEST ? word : redactedWord(word, redact));
  return (text) => {
    if (text.length < SHORTEST || !OTHER_MARKS.test(text)) return text;
    return withoutNamedValues(text).replaceAll(FIELD_LINE, redactedLine).replaceAll(WORD, redactedIn);
  };
}

/** Text without one of these has nothing to redact. */
const OTHER_MARKS = /[=@%<]|[eW][wyz13]|[a-z][' \t]*:/i;

/** A line as in an echoed head, or in a settings file. */
const FIELD_LINE = /^([ \t]{0,8})([A-Za-z][\w-]{0,63})([ \t]{0,8}:[ \t]{0,8})(\S[^\r\n]*)/gm;

/** A one-word name may be ordinary text ("Key: the door is open"), so only names of credentials count. */
function redactedLine(line: string, blanks: string, name: string, colon: string): string {
  const isField = /[-_]/.test(name) ? isSecretName(name) : CREDENTIAL.test(name);
  return isField ? blanks + name + colon + REDACTED : line;
}

const CREDENTIAL = /^(?:authorization|cookie|passcode|passphrase|passwd|password|secret|token)$/i;

const WORD = /[^\s"'<>`]+/g;

function redactedWord(word: string, redact: Redact): string {
  if (BASE64.test(word)) return redactedBase64(word, redact);
  const data = DATA_URL.exec(word)?.[0] ?? "";
  if (data !== "") return data + redactedWord(word.slice(data.length), redact);
  if (/[=@]/.test(word) && /[?&;#=]|[/\\]{2}/.test(word)) return redactedUrlBy(word, redact);
  if (/%[0-9a-f]{2}/i.test(word)) return redactedWithin(word, redact);
  return word;
}

/** The part of a data URL before its base64 (RFC 2397). */
const DATA_URL = /^data:[^,]{0,200};base64,/i;

/** JSON in base64 of either alphabet, beginning with a brace or a bracket. */
const BASE64 = /^[eW][wyz13][\w+/-]{10,}={0,2}$/;

function redactedBase64(word: string, redact: Redact): string {
  const bytes = decodeBase64(word.replaceAll("-", "+").replaceAll("_", "/"));
  const text = bytes === null ? "" : textOf(latin1Of(bytes));
  return redact(text) === text ? word : REDACTED;
}
