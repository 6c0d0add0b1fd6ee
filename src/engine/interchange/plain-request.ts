import { hostOf } from "../model/endpoint.ts";
import type { HeaderField } from "../model/head.ts";
import { type Failure, failure } from "../model/result.ts";
import { decodeUtf8 } from "../quoting/utf8.ts";
import type { PlainRequest } from "./copied-request.ts";

/** Refuses a form, as a sentence says. curl can send every request. */
export function refused(problem: string): Failure {
  return failure(`${problem} Copy the request as cURL instead.`);
}

/** The most bytes of a body in a command line. Longer ones are piped in, since a command line's length is limited. */
const MOST_INLINE = 64 * 1024;

/** The body as text for a command line; `null` if it is too long, or not text. */
export function inlineText(body: Uint8Array): string | null {
  const text = body.length > MOST_INLINE ? null : decodeUtf8(body);
  return text?.includes("\0") === true ? null : text;
}

/** Headers that libraries set themselves or refuse. */
export const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The headers to set in a library, with a Host that does not follow from the URL. */
export function ownHeaders(request: PlainRequest): readonly HeaderField[] {
  return request.headers.filter(
    (field) =>
      !OF_THE_CONNECTION.has(field.name.toLowerCase()) || (/^host$/i.test(field.name) && !isOwnHost(field, request)),
  );
}

/** Targets that the URL Standard's serializer leaves unchanged. */
export const KEPT_BY_FETCH = /^\/[A-Za-z0-9\-._~!$&()*+,;=:@/%[\]]*(?:\?[A-Za-z0-9\-._~!$&()*+,;=:@/?%[\]]+)?$/;

/**
 * Targets that requests, urllib3 and .NET send unchanged. In other targets they decode escapes of unreserved
 * characters, or write escapes in capitals.
 */
export const KEPT_BY_REQUESTS =
  /^\/(?!\/)(?:[A-Za-z0-9\-._~!$&()*+,;=:@/]|%(?!2D|2E|5F|7E|[46][1-9A-F]|[57][0-9A]|3\d)[\dA-F]{2})*(?:\?(?:[A-Za-z0-9\-._~!$&()*+,;=:@/?]|%(?!2D|2E|5F|7E|[46][1-9A-F]|[57][0-9A]|3\d)[\dA-F]{2})+)?$/;

/** Whether the target has a segment `.` or `..`, which URL parsers resolve. */
export function hasDots(target: string): boolean {
  return /\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(target);
}

export function holdsControls({ headers }: PlainRequest): boolean {
  return headers.some(({ value }) => /[^\t -~\u0080-\u00ff]/.test(value));
}

/** Whether a header's value contains characters outside printable ASCII, which each library encodes in its own way. */
export function holdsOtherThanAscii({ headers }: PlainRequest): boolean {
  return headers.some(({ value }) => /[^\t -~]/.test(value));
}

/** Whether a header occurs more than once. */
export function holdsTwice({ headers }: PlainRequest): boolean {
  return new Set(headers.map(({ name }) => name.toLowerCase())).size < headers.length;
}

/** Whether the request has a header with this name. `name`: in lower case. */
export function has({ headers }: PlainRequest, name: string): boolean {
  return headers.some((field) => field.name.toLowerCase() === name);
}

/** Whether the field follows from the length and framing of the body. */
export function isFraming({ name }: HeaderField): boolean {
  return /^(?:content-length|transfer-encoding)$/i.test(name);
}

/** Whether the field is the Host that follows from the URL. */
export function isOwnHost({ name, value }: HeaderField, { origin }: PlainRequest): boolean {
  return name.toLowerCase() === "host" && value === hostOf(origin);
}
