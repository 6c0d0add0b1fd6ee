import { CR, LF, SPACE, textEnd } from "./characters.ts";
import { type Refusal, refusal } from "./refusal.ts";

export interface StatusLine {
  readonly kind: "status-line";
  readonly version: "1.0" | "1.1";
  readonly status: number;
  readonly reason: string;
  /** The offset of the next line. */
  readonly end: number;
}

const STATUS_AT = "HTTP/1.1 ".length;
const REASON_AT = "HTTP/1.1 200".length;

/**
 * Parses `version SP status [SP reason] CRLF` at the start of a section (RFC 9112, 4). Some servers leave out the last
 * space.
 */
export function statusLineOf(bytes: Uint8Array, text: string): StatusLine | Refusal {
  const version = versionOf(text);
  if (typeof version !== "string") return version;
  const digits = text.slice(STATUS_AT, REASON_AT);
  if (!/^\d\d\d$/.test(digits)) return refusal(400, "the status line has no status of three digits");
  const status = Number(digits);
  if (status < 100 || status > 599) return refusal(400, `the status ${digits} is outside 100 to 599`); // RFC 9110, 15
  const end = bytes[REASON_AT] === SPACE ? textEnd(bytes, REASON_AT + 1) : REASON_AT;
  if (bytes[end] !== CR || bytes[end + 1] !== LF) {
    return refusal(400, "the status line does not end after its reason");
  }
  return { kind: "status-line", version, status, reason: text.slice(REASON_AT + 1, end), end: end + 2 };
}

function versionOf(text: string): "1.0" | "1.1" | Refusal {
  if (text.startsWith("HTTP/1.1 ")) return "1.1";
  if (text.startsWith("HTTP/1.0 ")) return "1.0";
  if (/^HTTP\/\d\.\d /.test(text)) return refusal(505, "an HTTP version that is neither 1.0 nor 1.1");
  return refusal(400, "the status line does not start with an HTTP version");
}
