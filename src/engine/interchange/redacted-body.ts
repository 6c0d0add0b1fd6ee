import { bytesOfLatin1, decodeUtf8, encodeUtf8, latin1Of, latin1OfText } from "../quoting/utf8.ts";
import { isCompressed } from "./redaction/compressed.ts";
import { redactedEvents } from "./redaction/event-text.ts";
import { mentionsSecret } from "./redaction/secret-mention.ts";
import { type ByteOrder, decodeUtf16, encodeUtf16, utf16OrderOf } from "./redaction/utf16.ts";
import { redactedForm, redactedJson, redactedParts, redactedText } from "./redaction.ts";

/** The reason, as a sentence, why an export leaves a body out. */
export interface LeftOut {
  readonly leftOut: string;
}

/**
 * Removes secrets from a decoded body, which is parsed by its Content-Type or by what it looks like. Returns the same
 * bytes if there are no secrets. Leaves the body out if it cannot be read. Also leaves it out if it looks like JSON, is
 * not valid, and still contains a secret name with a value.
 */
export function redactedBody(bytes: Uint8Array, contentType: string | null): Uint8Array | LeftOut {
  if (bytes.length === 0) return bytes;
  const charset = parameterOf(contentType, "charset");
  if (charset !== null && UNREADABLE.test(charset)) return leftOut(`The body's charset, ${charset}, cannot be read.`);
  if (isCompressed(bytes) && !ARCHIVE_TYPE.test(contentType ?? ""))
    return leftOut("The body is compressed, and no header says so.");
  const order = utf16OrderOf(bytes, charset);
  if (order === null && isNoText(bytes) && TEXT_TYPE.test(contentType ?? "")) return leftOut("The body is not text.");
  const { text, encoded } = textIn(bytes, order);
  const redacted = redactedAs(text, contentType);
  if (typeof redacted !== "string") return redacted;
  return redacted === text ? bytes : encoded(redacted);
}

/** The text of a body, and how to encode it again: as UTF-16, as UTF-8, or byte by byte. */
function textIn(
  bytes: Uint8Array,
  order: ByteOrder | null,
): { readonly text: string; encoded(text: string): Uint8Array } {
  if (order !== null) return { text: decodeUtf16(bytes, order), encoded: (text) => encodeUtf16(text, order) };
  const text = decodeUtf8(bytes);
  if (text !== null) return { text, encoded: encodeUtf8 };
  const withinByte = (other: string) => other.replaceAll(/[^\0-\xff]+/g, latin1OfText);
  return { text: latin1Of(bytes), encoded: (other) => bytesOfLatin1(withinByte(other)) };
}

/** The reason why a body is left out, with the beginning that all such reasons share. */
export function leftOut(reason: string): LeftOut {
  return Object.freeze({ leftOut: `Left out, because it may contain secrets. ${reason}` });
}

/** Whether the body has control characters and is not UTF-8, as is typical of data compressed by brotli or zlib. */
function isNoText(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte < 0x09) && decodeUtf8(bytes) === null;
}

/**
 * Content types of text. A body with such a type is left out if its bytes are not text. A body with another type may
 * be an image, for example.
 */
const TEXT_TYPE =
  /^\s*(?:text\/|application\/(?:[\w.+-]{0,80}(?:json|xml|yaml)[\w.-]{0,40}|(?:x-)?(?:www-form-urlencoded|graphql|javascript|toml|sql|properties|sh))\s*(?:;|$))/i;

/** Content types whose content is compressed without a Content-Encoding. */
const ARCHIVE_TYPE =
  /^\s*(?:(?:image|audio|video|font)\/|application\/(?:x-)?(?:g?zip|zstd|zlib|tar|gtar|tgz|compressed|java-archive|pdf|gzip-compressed|apple-diskimage|vnd\.))/i;

/** Charsets that encode ASCII letters neither as single bytes nor as UTF-16. */
const UNREADABLE = /^(?:utf-?(?:7|32(?:le|be)?)|ucs-?4|ebcdic.*|ibm-?\d+|cp-?037)$/i;

function redactedAs(text: string, contentType: string | null): string | LeftOut {
  const type = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const looksLikeJson = /^[\s\ufeff]*[[{]/.test(text) || /[/+-]json$/.test(type);
  const json = looksLikeJson ? redactedJson(text) : null;
  if (json !== null) return json;
  if (type === "application/x-www-form-urlencoded") return redactedForm(text);
  if (type.startsWith("multipart/")) {
    const boundary = parameterOf(contentType, "boundary");
    return (
      (boundary === null ? null : redactedParts(text, boundary)) ?? leftOut("The body's parts cannot be separated.")
    );
  }
  const redacted = type === "text/event-stream" ? redactedEvents(text, redactedText) : redactedText(text);
  return looksLikeJson && mentionsSecret(redacted) ? leftOut("The body looks like JSON but is not valid.") : redacted;
}

/** A parameter of a media type (RFC 9110, 5.6.6); `null` if there is none. */
function parameterOf(contentType: string | null, name: "boundary" | "charset"): string | null {
  const [, quoted, plain] = PARAMETERS[name].exec(contentType ?? "") ?? [];
  return quoted ?? plain ?? null;
}

const PARAMETERS = {
  boundary: /;[ \t]*boundary=(?:"([^"]{1,200})"|([^;\s"]{1,200}))/i,
  charset: /;[ \t]*charset=(?:"([^"]{1,40})"|([^;\s"]{1,40}))/i,
} as const;
