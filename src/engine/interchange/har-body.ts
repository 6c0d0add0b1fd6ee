import type { MessageCaptured, MessageKind } from "../capture/event.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Bytes } from "../model/units.ts";
import { decodeUtf8, textOf } from "../quoting/utf8.ts";
import { leftOut, redactedBody } from "./redacted-body.ts";

/** The stored bytes of a body. */
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
export function bodyOf(body: HarBody, size: Bytes, contentType: string | null, redact: boolean): object {
  // While the exchange is in flight, its body size is 0, because the size is not known yet.
  if (size === 0 && body.bytes.length === 0) return {};
  const { encoding, ...text } = shownOf(body, contentType, redact);
  return {
    postData: {
      mimeType: textOf(contentType ?? ""),
      ...commentOf(body),
      ...text,
      ...(encoding === undefined ? {} : { _encoding: encoding }),
    },
  };
}

/** HAR's `content`: the body as shown, its decoded size, and the number of bytes that the coding saved. */
export function contentOf(
  { decodedBodySize, encodedBodySize, contentEncoding }: Exchange,
  body: HarBody,
  contentType: string | null,
  redact: boolean,
): object {
  const isCoded = contentEncoding !== null;
  // HAR requires a size. If the decoded size is unknown, the encoded size is written, and `_undecoded` marks it.
  const size = decodedBodySize ?? encodedBodySize;
  const isUnknown = isCoded && decodedBodySize === null && encodedBodySize > 0;
  return {
    size,
    ...(isCoded && decodedBodySize !== null ? { compression: size - encodedBodySize } : {}),
    mimeType: contentType === null ? "x-unknown" : textOf(contentType),
    ...(encodedBodySize === 0 && body.bytes.length === 0
      ? {}
      : { ...commentOf(body), ...shownOf(body, contentType, redact) }),
    ...(isUnknown ? { _undecoded: true } : {}),
  };
}

/** A message as Chrome writes it: `time` in epoch seconds, `opcode` as in RFC 6455, 5.2, binary data in base64. */
export function messageOf(
  { at, side, kind, bytes, cut }: Pick<MessageCaptured, "at" | "side" | "kind" | "bytes" | "cut">,
  redact: boolean,
): object {
  const { text, comment } = textOrBase64(bytes, null, redact, kind === "text");
  return {
    type: side === "request" ? "send" : "receive",
    time: at / 1_000,
    opcode: OPCODES[kind],
    data: text,
    ...(comment === undefined ? {} : { comment }),
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
  /** Why the text was left out. */
  readonly comment?: string;
}

/**
 * The body as text for HAR. With `redact`, bytes that could not be decoded are left out, since redaction might miss
 * secrets in them.
 */
function shownOf({ bytes, problem }: HarBody, contentType: string | null, redact: boolean): Shown {
  if (redact && problem !== null && decodeUtf8(bytes) === null)
    return { text: "", comment: leftOut(`The body could not be decoded: ${problem}.`).leftOut };
  return textOrBase64(bytes, contentType, redact);
}

function textOrBase64(bytes: Uint8Array, contentType: string | null, redact: boolean, mayBeText = true): Shown {
  const shown = redact ? redactedBody(bytes, contentType) : bytes;
  if ("leftOut" in shown) return { text: "", comment: shown.leftOut };
  const text = mayBeText ? decodeUtf8(shown) : null;
  return text === null ? { text: shown.toBase64(), encoding: "base64" } : { text };
}

/** The fields that tell why the body is incomplete or not decoded, if it is. */
function commentOf({ cutAt, problem }: HarBody): object {
  const cut = cutAt === null ? [] : [`Only the first ${cutAt} bytes were kept.`];
  const undecoded = problem === null ? [] : [`The body could not be decoded completely: ${problem}.`];
  if (cut.length + undecoded.length === 0) return {};
  return { comment: [...cut, ...undecoded].join(" "), ...(cutAt === null ? {} : { _cut: true }) };
}
