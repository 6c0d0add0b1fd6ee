import type { Bytes } from "../model/units.ts";
import { encodeUtf8 } from "../quoting/utf8.ts";
import { decodeBase64 } from "./base64.ts";
import type { JsonValue } from "./json-value.ts";

/* Parses the bodies of a HAR entry and their sizes. */

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

/** The bytes of the body's text, or of the form's fields if a browser stored only those. */
export function requestBodyOf(postData: JsonValue): Uint8Array | null {
  const fields = postData.at("params").items;
  if (postData.at("text").text || fields.length === 0) return bytesOf(postData);
  const pairs = fields.map((field) =>
    [field.at("name").text, field.at("value").text].map((part) =>
      encodeURIComponent((part ?? "").replaceAll(/\p{Cs}/gu, "\ufffd")),
    ),
  );
  return encodeUtf8(pairs.map((pair) => pair.join("=")).join("&"));
}

export function bytesOf(holder: JsonValue): Uint8Array | null {
  const text = holder.at("text").text;
  if (text === null) return null;
  const encoding = holder.at("encoding").text ?? holder.at("_encoding").text;
  return (encoding?.trim().toLowerCase() === "base64" ? decodeBase64(text) : null) ?? encodeUtf8(text);
}
