import { isAuthority, isConnectTarget } from "./authority.ts";
import { SPACE, targetEnd, tokenEnd } from "./characters.ts";
import { type Refusal, refusal } from "./refusal.ts";

export interface RequestLine {
  readonly kind: "request-line";
  readonly method: string;
  readonly target: string;
  readonly version: "1.0" | "1.1";
  /** The offset of the next line. */
  readonly end: number;
}

const VERSION_LENGTH = "HTTP/1.1\r\n".length;

/**
 * Parses `method SP target SP version CRLF` at the start of a section (RFC 9112, 3): single spaces, any token as
 * method.
 */
export function requestLineOf(bytes: Uint8Array, text: string): RequestLine | Refusal {
  const methodEnd = tokenEnd(bytes, 0);
  if (methodEnd === 0 || bytes[methodEnd] !== SPACE) {
    return refusal(400, "the request line does not start with a method and one space");
  }
  const from = methodEnd + 1;
  const end = targetEnd(bytes, from);
  if (bytes[end] !== SPACE) {
    return refusal(400, "the request line has no target or no version, or its target has an invalid character");
  }
  const version = versionAt(text, end + 1);
  if (typeof version !== "string") return version;
  const method = text.slice(0, methodEnd);
  const target = text.slice(from, end);
  if (!isTarget(method, target)) return refusal(400, `${method} does not allow this form of target`);
  return { kind: "request-line", method, target, version, end: end + 1 + VERSION_LENGTH };
}

function versionAt(text: string, at: number): "1.0" | "1.1" | Refusal {
  if (text.startsWith("HTTP/1.1\r\n", at)) return "1.1";
  if (text.startsWith("HTTP/1.0\r\n", at)) return "1.0";
  const isOther = /^HTTP\/\d\.\d\r\n$/.test(text.slice(at, at + VERSION_LENGTH));
  if (isOther) return refusal(505, "an HTTP version that is neither 1.0 nor 1.1");
  return refusal(400, "the request line does not end with an HTTP version");
}

/** Whether the target has one of the four forms of RFC 9112, 3.2. Path, query and scheme are not interpreted here. */
function isTarget(method: string, target: string): boolean {
  if (method === "CONNECT") return isConnectTarget(target);
  if (target.startsWith("/")) return true;
  if (target === "*") return method === "OPTIONS";
  const absolute = /^[A-Za-z]+:\/\/([^/?]*)/.exec(target);
  return isAuthority(absolute?.[1] ?? "");
}
