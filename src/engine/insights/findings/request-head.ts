import type { HeaderField } from "../../model/head.ts";
import type { Bytes } from "../../model/units.ts";

/** Facts from a request's header fields that several kinds use, computed in one pass. */
export interface RequestHead {
  /** Bytes of the header lines as HTTP/1.1 writes them. */
  readonly size: Bytes;
  /** The values of Range and Accept as one text. */
  readonly variant: string;
  /** Whether there is a Range or Content-Range (RFC 9110, 14). */
  readonly hasRange: boolean;
  /** Whether there is an If-None-Match or If-Modified-Since (RFC 9110, 13.1). */
  readonly isConditional: boolean;
  /** Whether there is an Access-Control-Request-Method (Fetch, 3.3.2). */
  readonly isPreflight: boolean;
  /** Whether Sec-Purpose (Fetch) or Purpose contains `prefetch`. */
  readonly isPrefetch: boolean;
  /** Whether the client forced its caches to ask again, as with a reload that bypasses them (RFC 9111, 5.2.1). */
  readonly isForced: boolean;
}

/** Bytes of header lines as HTTP/1.1 writes them. */
export function linesSizeOf(fields: readonly HeaderField[]): Bytes {
  let size = 0;
  for (const { name, value } of fields) size += name.length + value.length + 4;
  return size;
}

export function requestHeadOf(fields: readonly HeaderField[]): RequestHead {
  let variant = "";
  let [hasRange, isConditional, isPreflight, isPrefetch, isForced] = [false, false, false, false, false];
  for (const { name, value } of fields) {
    switch (name) {
      case "range":
        hasRange = true;
        variant += `range:${value}\n`;
        break;
      case "accept":
        variant += `${name}:${value}\n`;
        break;
      case "content-range":
        hasRange = true;
        break;
      case "if-none-match":
      case "if-modified-since":
        isConditional = true;
        break;
      case "access-control-request-method":
        isPreflight = true;
        break;
      case "cache-control":
      case "pragma":
        isForced ||= FORCED.test(value);
        break;
      case "sec-purpose":
      case "purpose":
        isPrefetch ||= value.includes("prefetch");
        break;
    }
  }
  return { size: linesSizeOf(fields), variant, hasRange, isConditional, isPreflight, isPrefetch, isForced };
}

const FORCED = /\bno-(?:cache|store)\b|\bmax-age=0\b/i;
