import type { HeaderField } from "../model/head.ts";
import { mayHoldBase64, redactedBase64By, redactedBase64Within } from "./redaction/base64-text.ts";
import { withoutNamedValues, withoutPrivateKeys } from "./redaction/code.ts";
import { redactedEscapedBy } from "./redaction/entities.ts";
import { redactedFormBy } from "./redaction/form.ts";
import { redactedFieldsBy, redactedHeaderBy } from "./redaction/header.ts";
import { redactedJsonBy } from "./redaction/json.ts";
import { redactedIslandsBy } from "./redaction/json-islands.ts";
import { redactedMembersBy } from "./redaction/json-members.ts";
import { withoutWebTokens } from "./redaction/json-web-token.ts";
import { hasTag, redactedMarkupBy } from "./redaction/markup.ts";
import { redactedPartsBy } from "./redaction/multipart.ts";
import { REDACTED, type Redact, redactedWithin } from "./redaction/nested.ts";
import { mentionsSecret } from "./redaction/secret-mention.ts";
import { isSecretName } from "./redaction/secret-name.ts";
import { redactedSettingsBy } from "./redaction/settings-text.ts";
import { redactedUrlBy } from "./redaction/url.ts";

/*
 * Finds secrets by parsing nested formats, such as a URL in a form's value in a JSON string. Each parser handles its
 * own part of the text and forwards the rest. The total time is therefore linear in the length.
 */

/**
 * Default; not from a specification: the deepest nesting that is parsed. Deeper text is redacted whole if it contains a
 * secret name.
 */
const DEEPEST = 10;

/** Removes user-info and the values of secret names from an absolute or relative URL. */
export function redactedUrl(url: string): string {
  return withoutWebTokens(redactedUrlBy(url, within(0)));
}

/** The form (`name=value&…`) without values of secret names. All else is unchanged byte by byte. */
export function redactedForm(form: string): string {
  return withoutWebTokens(redactedFormBy(form, within(0)));
}

/**
 * Removes secrets from a body or a message: a URL-encoded or multipart form, JSON, or other text. Also removes secrets
 * from URLs in it.
 */
export function redactedText(text: string): string {
  return redactedAt(text, 0);
}

/** As `redactedText`, for JSON, several JSON texts or the beginning of one; `null` for any other text. */
export function redactedJson(text: string): string | null {
  const redacted = redactedJsonBy(text, within(0));
  return redacted === null ? null : withoutWebTokens(redacted);
}

/** As `redactedText`, for multipart text with the boundary of its Content-Type; `null` if the boundary is not found. */
export function redactedParts(text: string, boundary: string): string | null {
  const redacted = redactedPartsBy(text, boundary, within(0));
  return redacted === null ? null : withoutWebTokens(redacted);
}

/**
 * A header's value as exported. URLs in it (Location, Referer) lose their secrets; credentials keep only their scheme.
 */
export function redactedHeader(name: string, value: string): string {
  return withoutWebTokens(redactedHeaderBy(name, value, redactedText, redactedUrl));
}

/**
 * As `redactedHeader`, for all fields of a head. Also redacts values with a bare CR, which lenient peers take for a
 * line end.
 */
export function redactedFields(fields: readonly HeaderField[]): readonly HeaderField[] {
  return redactedFieldsBy(fields, redactedHeader);
}

function redactedAt(text: string, depth: number): string {
  if (text.length < SHORTEST || !(MARKS.test(text) || mayHoldBase64(text))) return text;
  if (depth > DEEPEST) return mentionsSecret(text) ? REDACTED : text;
  if (text.startsWith(BYTE_ORDER_MARK)) return BYTE_ORDER_MARK + redactedAt(text.slice(1), depth);
  const redact = within(depth);
  const redacted = redactedKnown(text, redact) ?? redactedIslandsBy(text, redact, membersText(redact));
  return withoutPrivateKeys(withoutWebTokens(redacted));
}

const BYTE_ORDER_MARK = "\ufeff";

/** Redacts text nested in other text, one level deeper. */
function within(depth: number): Redact {
  return (text) => redactedAt(text, depth + 1);
}

/**
 * Quick tests. A text shorter than `SHORTEST` cannot contain a name, a separator and a value. A text with a secret
 * contains one of `MARKS`, or base64.
 */
const SHORTEST = 4;
const MARKS = /[=:@%<&]|-----|--?[A-Za-z]|\[\s*["[]|\(\s*["'`]|(?:basic|bearer|negotiate|ntlm)[ \t]/i;

/**
 * The text, redacted by its format; `null` if the text as a whole is in no known format, although parts of it may be.
 */
function redactedKnown(text: string, redact: Redact): string | null {
  const base64 = redactedBase64By(text, redact);
  if (base64 !== null) return base64;
  const json = /^[\s\ufeff]*["[{)fw]/.test(text) ? redactedJsonBy(text, redact) : null;
  if (json !== null) return json;
  if (MARKUP.test(text)) return redactedMarkupBy(text, { value: redact, text: nodeText(redact) }, true);
  const parts = text.includes("--") ? redactedPartsBy(text, null, redact) : null;
  if (parts !== null) return parts;
  const escaped = redactedEscapedBy(text, redact);
  if (escaped !== null) return escaped;
  if (FORM.test(text)) return redactedFormBy(text, redact);
  return URL.test(text) ? redactedUrlBy(text, redact) : redactedSettingsBy(text, redact);
}

/** A single URL with a scheme or a path. URLs may contain quotes (RFC 3986, 2.2). */
const URL = /^(?:[a-z][a-z\d+.-]{0,32}:\/)?\/[^\s"<>`]+$/i;

/** Matches text that starts with a tag, a declaration or a comment. */
const MARKUP = /^[\s\ufeff]*<[A-Za-z_!?]/;

/**
 * Redacts text in markup. In markup, a line with a label and a text is not a setting ("Password: at least 8
 * characters").
 */
function nodeText(redact: Redact): Redact {
  const plain = plainText(redact);
  return (text) => (LABELLED.test(text.trim()) ? plain(text) : redact(text));
}

const LABELLED = /^[A-Za-z][\w -]{0,63}:[ \t][^\r\n]*$/;

/**
 * Matches one line that begins with a name and `=`; names without values may come before (`a&b=x`). The value may
 * contain any character, since some clients leave values such as JSON unescaped.
 */
const FORM = /^[\w.%+~[\]*$!&()'-]+=[^\r\n]*[\r\n]*$/;

/** Redacts the text around JSON. This text may contain members of further JSON that is cut off or not valid. */
function membersText(redact: Redact): Redact {
  const other = otherText(redact);
  return (text) => redactedMembersBy(text, redact, other);
}

/** Redacts text between known formats: markup, code, header lines, URLs, and pairs of names and values. */
function otherText(redact: Redact): Redact {
  const plain = plainText(redact);
  const lines: Redact = (text) => plain(text.replaceAll(FIELD_LINE, redactedLine));
  return (text) => (hasTag(text) ? redactedMarkupBy(text, { value: redact, text: lines }, false) : lines(text));
}

function plainText(redact: Redact): Redact {
  const redactedIn = (word: string) => (word.length < SHORTEST ? word : redactedWord(word, redact));
  return (text) => {
    if (text.length < SHORTEST || !(OTHER_MARKS.test(text) || mayHoldBase64(text))) return text;
    return withoutNamedValues(text).replaceAll(WORD, redactedIn);
  };
}

/** Text that contains none of these marks, and no base64, has nothing to redact. */
const OTHER_MARKS = /[=@%<]|[a-z][' \t]*:|--?[a-z]|\(\s*["'`]|(?:basic|bearer|negotiate|ntlm)[ \t]/i;

/** A header line, as in an echoed head or in a file of settings. */
const FIELD_LINE = /^([ \t]{0,8})([A-Za-z][\w-]{0,63})([ \t]{0,8}:[ \t]{0,8})(\S[^\r\n]*)/gm;

/**
 * Redacts a header line with a secret name. A name of one word may be prose ("Key: the door is open"), so a single word
 * counts only if it is in `CREDENTIAL`.
 */
function redactedLine(line: string, blanks: string, name: string, colon: string): string {
  const isField = /[-_]/.test(name) ? isSecretName(name) : CREDENTIAL.test(name);
  return isField ? blanks + name + colon + REDACTED : line;
}

const CREDENTIAL = /^(?:authorization|cookie|passcode|passphrase|passwd|password|secret|token)$/i;

const WORD = /[^\s"'<>`]+/g;

function redactedWord(word: string, redact: Redact): string {
  const data = DATA_URL.exec(word)?.[0] ?? "";
  if (data !== "") return data + redactedWord(word.slice(data.length), redact);
  const shown = redactedBase64Within(word, redact);
  if (/[=@]/.test(shown) && /[?&;#=]|[/\\]{2}/.test(shown)) return redactedUrlBy(shown, redact);
  return /%[0-9a-f]{2}/i.test(shown) ? redactedWithin(shown, redact) : shown;
}

/** The part of a data URL before its base64 (RFC 2397). */
const DATA_URL = /^data:[^,]{0,200};base64,/i;
