import type { MessageCaptured, MessageKind } from "../capture/event.ts";
import type { Exchange } from "../model/exchange.ts";
import { DEFAULT_SETTINGS } from "../model/settings.ts";
import type { Bytes } from "../model/units.ts";
import { decodeUtf8, encodeUtf8, textOf } from "../quoting/utf8.ts";
import { decodeBase64 } from "./base64.ts";
import type { JsonValue } from "./json-value.ts";
import { redactedBody } from "./redacted-body.ts";
import { shownText } from "./redaction.ts";

/** How an export redacts: whether at all, and how many bodies and messages it left out so far. */
export interface Redaction {
  readonly redact: boolean;
  leftOut: number;
}

export interface HarBody {
  readonly bytes: Uint8Array;
  /** The number of transferred bytes after which storing ended; `null` if the whole body was stored. */
  readonly cutAt: Bytes | null;
  /** Why the body is not decoded, or not completely, in words; `null` if it is completely decoded. */
  readonly problem: string | null;
}

/**
 * HAR's `postData`, if there is a body. HAR has no base64 for request bodies, so `_encoding` marks bytes that are not
 * text.
 */
export function bodyOf(
  body: HarBody,
  size: Bytes,
  target: string,
  contentType: string | null,
  redaction: Redaction,
): object {
  // While the exchange is in flight, its body size is 0, because the size is not known yet.
  if (size === 0 && body.bytes.length === 0) return {};
  const { encoding, ...text } = shownOf(body, target, contentType, redaction);
  return {
    postData: {
      mimeType: typeOf(contentType ?? "", redaction),
      ...text,
      ...(encoding === undefined ? {} : { _encoding: encoding }),
    },
  };
}

/** HAR's `content`: the body as shown, its decoded size, and the number of bytes that the coding saved. */
export function contentOf(
  { decodedBodySize, encodedBodySize, contentEncoding, target }: Exchange,
  body: HarBody,
  contentType: string | null,
  redaction: Redaction,
): object {
  const isCoded = contentEncoding !== null;
  // HAR requires a size. If the decoded size is unknown, the encoded size is written, and `_undecoded` marks it.
  const size = decodedBodySize ?? encodedBodySize;
  const isUnknown = isCoded && decodedBodySize === null && encodedBodySize > 0;
  return {
    size,
    ...(isCoded && decodedBodySize !== null ? { compression: size - encodedBodySize } : {}),
    mimeType: contentType === null ? "x-unknown" : typeOf(contentType, redaction),
    ...(encodedBodySize === 0 && body.bytes.length === 0 ? {} : shownOf(body, target, contentType, redaction)),
    ...(isUnknown ? { _undecoded: true } : {}),
  };
}

/** A message as Chrome writes it: `time` in epoch seconds, `opcode` as in RFC 6455, 5.2, binary data in base64. */
export function messageOf(
  { at, side, kind, bytes, cut }: Pick<MessageCaptured, "at" | "side" | "kind" | "bytes" | "cut">,
  target: string,
  redaction: Redaction,
): object {
  const { text, encoding: _, ...more } = textOrBase64(bytes, target, null, redaction, kind === "text");
  return {
    type: side === "request" ? "send" : "receive",
    time: at / 1_000,
    opcode: OPCODES[kind],
    data: text,
    ...more,
    ...(cut ? { _cut: true } : {}),
  };
}

/** The opcode of each kind of message (RFC 6455, 5.2). Events of an event stream are never written as messages. */
export const OPCODES: Readonly<Record<MessageKind, number>> = {
  text: 1,
  binary: 2,
  close: 8,
  ping: 9,
  pong: 10,
  event: 1,
};

/**
 * A body as text for HAR. Bytes that are not UTF-8 become base64: binary bodies, text in another charset, or text cut
 * within a character.
 */
interface Shown {
  readonly text: string;
  readonly encoding?: "base64";
  readonly comment?: string;
  readonly _cut?: true;
  readonly _leftOut?: true;
}

/**
 * The body as text for HAR, with why it is incomplete or not decoded. A redacted export leaves out bytes that could not
 * be decoded.
 */
function shownOf(body: HarBody, target: string, contentType: string | null, redaction: Redaction): Shown {
  const { bytes, cutAt, problem } = body;
  const cut = cutAt === null ? [] : [`Only the first ${cutAt} bytes were kept.`];
  const undecoded = problem === null ? [] : [`The body could not be decoded completely: ${problem}.`];
  const isCoded = problem !== null && redaction.redact && decodeUtf8(bytes) === null;
  const { comment = "", ...shown } = isCoded
    ? withoutBody(bytes, contentType, "It could not be decoded.", redaction)
    : textOrBase64(bytes, target, contentType, redaction);
  const comments = [...cut, ...undecoded, comment].filter((sentence) => sentence !== "");
  const told = comments.length === 0 ? {} : { comment: comments.join(" ") };
  return { ...told, ...(cutAt === null ? {} : { _cut: true }), ...shown };
}

function textOrBase64(
  bytes: Uint8Array,
  target: string,
  contentType: string | null,
  redaction: Redaction,
  mayBeText = true,
): Shown {
  const shown = redaction.redact ? redactedBody(bytes, contentType, target) : bytes;
  if ("leftOut" in shown) return withoutBody(bytes, contentType, shown.leftOut, redaction);
  const text = mayBeText ? decodeUtf8(shown) : null;
  return text === null ? { text: shown.toBase64(), encoding: "base64" } : { text };
}

/** A body that is left out: its type, its size and the reason. */
function withoutBody(bytes: Uint8Array, contentType: string | null, reason: string, redaction: Redaction): Shown {
  redaction.leftOut += 1;
  const type = contentType === null ? "" : ` of type ${typeOf(contentType, redaction)}`;
  return { text: "", comment: `Left out: ${bytes.length} bytes${type}. ${reason}`, _leftOut: true };
}

function typeOf(contentType: string, { redact }: Redaction): string {
  return textOf(shownText(contentType, redact));
}

/* What follows parses the bodies of an entry and their sizes. */

/** A size; `null` if it is unknown, which HAR writes as -1. */
export function sizeOf(value: JsonValue): Bytes | null {
  const size = value.numeric;
  return size === null || size < 0 || size > Number.MAX_SAFE_INTEGER ? null : Math.floor(size);
}

/**
 * The sizes of a response's body; browsers omit unknown sizes. In HAR, `content.size` is the decoded size, and
 * `compression` the number of bytes that the coding saved.
 */
export function sizesOf(response: JsonValue, body: Uint8Array | null): { encoded: Bytes; decoded: Bytes | null } {
  const content = response.at("content");
  const size = sizeOf(content.at("size")) ?? body?.length ?? null;
  const saved = content.at("compression").numeric;
  const plain = Math.max(0, (size ?? 0) - (saved ?? 0));
  const coded = isCoded(response);
  // Over HTTP/2, Chrome knows only the size of head and body together.
  const transferred = coded && saved === null ? transferredOf(response) : null;
  const transferredBody = sizeOf(response.at("bodySize"));
  const encoded = transferredBody ?? transferred ?? plain;
  if (content.at("_undecoded").boolean === true) return { encoded, decoded: null };
  const told = size === 0 && encoded > 0 ? null : size;
  return { encoded, decoded: told ?? (coded ? null : transferredBody) };
}

function transferredOf(response: JsonValue): Bytes | null {
  const both = sizeOf(response.at("_transferSize"));
  return both === null || both === 0 ? null : Math.max(0, both - (sizeOf(response.at("headersSize")) ?? 0));
}

function isCoded(response: JsonValue): boolean {
  const fields = response.at("headers").items;
  const coding = fields.find((field) => /^content-encoding$/i.test(field.at("name").text ?? ""))?.at("value").text;
  return !/^\s*(?:identity\s*)?$/i.test(coding ?? "");
}

/** Reads a body that is in a file beside the HAR file, by the file's name; `null` if it cannot be read. */
export type Attached = (name: string) => Uint8Array | null;

/** The bytes of the body's text, or of the form's fields if a browser stored only those. */
export function requestBodyOf(postData: JsonValue, attached: Attached): Uint8Array | null {
  const fields = postData.at("params").items;
  if (postData.at("text").text || postData.at("_file").text || fields.length === 0) return bytesOf(postData, attached);
  const pairs = fields.map((field) =>
    [field.at("name").text, field.at("value").text].map((part) =>
      encodeURIComponent((part ?? "").replaceAll(/\p{Cs}/gu, "\ufffd")),
    ),
  );
  return encodeUtf8(pairs.map((pair) => pair.join("=")).join("&"));
}

/** The most bytes that are kept of a body or message of a file (docs/security.md, L1). */
const MOST_KEPT: Bytes = DEFAULT_SETTINGS.bodyCap;

/** The bytes of a body or message that are kept; a copy if it is cut, so that the rest can be freed. */
export function keptOf(bytes: Uint8Array): Uint8Array {
  return bytes.length > MOST_KEPT ? bytes.slice(0, MOST_KEPT) : bytes;
}

/** The bytes of a body, which Playwright may keep in a file of its own (`_file`); `null` if there are none. */
export function bytesOf(holder: JsonValue, attached: Attached): Uint8Array | null {
  const text = holder.at("text").text;
  const file = holder.at("_file").text;
  // For a request, Playwright writes an empty text beside the file.
  if ((text === null || text === "") && file !== null) return attached(file);
  if (text === null) return null;
  const encoding = holder.at("encoding").text ?? holder.at("_encoding").text;
  return (encoding?.trim().toLowerCase() === "base64" ? decodeBase64(text) : null) ?? encodeUtf8(text);
}
