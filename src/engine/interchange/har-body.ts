import type { MessageCaptured, MessageKind } from "../capture/event.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Bytes } from "../model/units.ts";
import { bytesOfLatin1, decodeUtf8, encodeUtf8, holdsRawBytes } from "../quoting/utf8.ts";
import { encodeBase64 } from "./base64.ts";
import { redactedText } from "./redaction.ts";

/** What is stored of a body. */
export interface HarBody {
  readonly bytes: Uint8Array;
  /** Whether that is all of it. */
  readonly whole: boolean;
}

/** HAR's `postData`, where there is a body. HAR has no base64 here, so bytes that are no text say so with `_encoding`. */
export function bodyOf(body: HarBody, size: Bytes, contentType: string | null, redact: boolean): object {
  // Of one in flight the size is told with its end.
  if (size === 0 && body.bytes.length === 0) return {};
  const { encoding, ...text } = textOrBase64(body.bytes, redact);
  return {
    postData: {
      mimeType: textOf(contentType ?? ""),
      ...text,
      ...(encoding === undefined ? {} : { _encoding: encoding }),
      ...cutOf(body),
    },
  };
}

/** HAR's `content`: the body decoded, its decoded size, and what the coding saved. */
export function contentOf(
  { decodedBodySize, encodedBodySize, contentEncoding }: Exchange,
  body: HarBody | null,
  contentType: string | null,
  redact: boolean,
): object {
  const isCoded = contentEncoding !== null;
  // HAR asks for a size: where the decoded one is not known, it is the coded one, and says so.
  const size = decodedBodySize ?? encodedBodySize;
  const isUnknown = body === null || (isCoded && decodedBodySize === null && encodedBodySize > 0);
  return {
    size,
    ...(isCoded && decodedBodySize !== null ? { compression: size - encodedBodySize } : {}),
    mimeType: contentType === null ? "x-unknown" : textOf(contentType),
    ...(body === null || (encodedBodySize === 0 && body.bytes.length === 0)
      ? {}
      : { ...textOrBase64(body.bytes, redact), ...cutOf(body) }),
    ...(body === null ? { comment: "The body could not be decoded." } : {}),
    ...(isUnknown ? { _undecoded: true } : {}),
  };
}

/** As Chrome writes them: `time` in epoch seconds, `opcode` of RFC 6455, 5.2, binary data in base64. */
export function messageOf(
  { at, side, kind, bytes, cut }: Pick<MessageCaptured, "at" | "side" | "kind" | "bytes" | "cut">,
  redact: boolean,
): object {
  return {
    type: side === "request" ? "send" : "receive",
    time: at / 1_000,
    opcode: OPCODES[kind],
    data: textOrBase64(bytes, redact, kind === "text").text,
    ...(cut ? { _cut: true } : {}),
  };
}

/** RFC 6455, 5.2; an event stream's events are never written as messages. */
export const OPCODES: Readonly<Record<MessageKind, number>> = {
  text: 1,
  binary: 2,
  close: 8,
  ping: 9,
  pong: 10,
  event: 1,
};

/** Bytes of a head, latin1 text, as the text they mean; bytes that are no UTF-8 stay latin1. */
export function textOf(latin1: string): string {
  const text = decodeUtf8(bytesOfLatin1(latin1));
  return holdsRawBytes(text) ? latin1 : text;
}

/** A form with a file in it, text of another charset, and text that was cut within a sign are no UTF-8, and hold secrets. */
function textOrBase64(bytes: Uint8Array, redact: boolean, mayBeText = true): { text: string; encoding?: "base64" } {
  const text = decodeUtf8(bytes);
  const shown = redact ? redactedText(text) : text;
  if (mayBeText && !holdsRawBytes(text)) return { text: shown };
  return { text: encodeBase64(shown === text ? bytes : encodeUtf8(shown)), encoding: "base64" };
}

function cutOf({ bytes, whole }: HarBody): object {
  return whole ? {} : { comment: `Only the first ${bytes.length} bytes were kept.`, _cut: true };
}
