import type { Buffer } from "node:buffer";
import { type Fields, fieldsOf, isAuthority, isConnectTarget, SPACE, targetEnd, tokenEnd } from "./fields.ts";
import {
  type Framing,
  type HeadEvent,
  type HeaderLine,
  type Limits,
  type Refusal,
  type RequestHead,
  refusal,
} from "./message.ts";
import { MessageReader, requestFraming } from "./message-reader.ts";
import { ParsedHead } from "./parsed-head.ts";
import { upgradesIn } from "./upgrades.ts";

/** The most empty lines that are ignored before a request. Old clients send one (RFC 9112, 2.2). */
const EMPTY_LINES = 4;

/**
 * Parses the requests of one connection. After the `end` of CONNECT or an upgrade, `rest` returns the other protocol's
 * bytes.
 */
export class RequestReader extends MessageReader<RequestHead> {
  constructor(limits: Limits) {
    super(limits, EMPTY_LINES, {
      startLineFault: (startLine) => {
        const line = requestLineOf(startLine, startLine.toString("latin1"));
        return line.kind === "refused" ? line : null;
      },
      read: (section) => requestHeadOf(section, limits),
      loose: null,
    });
  }
}

class ParsedRequest extends ParsedHead implements RequestHead {
  readonly method: string;
  readonly target: string;
  readonly host: string | null;

  constructor(text: string, line: RequestLine, fields: Fields, framing: Framing, host: string | null) {
    super(text, line.version, fields, framing);
    this.method = line.method;
    this.target = line.target;
    this.host = host;
  }

  /** Whether the client expects 100 Continue. In HTTP/1.0, Expect has no meaning (RFC 9110, 10.1.1). */
  get expectContinue(): boolean {
    return this.version === "1.1" && valueNamed(this.notable, "expect")?.toLowerCase() === "100-continue";
  }

  /**
   * The protocols of a requested upgrade, in lower case; else `null`. Upgrade is valid only if Connection names it, and
   * not in HTTP/1.0 (RFC 9110, 7.8).
   */
  get upgrade(): string | null {
    if (this.version === "1.0" || !this.options.includes("upgrade")) return null;
    const upgrades = this.notable
      .map((line) => (line.name === "upgrade" ? upgradesIn(line.value) : ""))
      .filter(Boolean);
    return upgrades.length === 0 ? null : upgrades.join(", ").toLowerCase();
  }
}

/** Parses a whole request head, with its final empty line. */
export function requestHeadOf(bytes: Buffer, limits: Limits): HeadEvent<RequestHead> | Refusal {
  const text = bytes.toString("latin1");
  const line = requestLineOf(bytes, text);
  if (line.kind === "refused") return line;
  const fields = fieldsOf(bytes, text, line.end, limits);
  if (fields.kind === "refused") return fields;
  const framing = requestFraming(line.method, line.version, fields.notable);
  if (framing.kind === "refused") return framing;
  const host = hostOf(line.version, fields.notable);
  if (typeof host === "object" && host !== null) return host;
  return { kind: "head", head: new ParsedRequest(text, line, fields, framing, host) };
}

/**
 * The value of Host. RFC 9112, 3.2, requires exactly one valid Host in HTTP/1.1, and allows at most one in HTTP/1.0.
 */
function hostOf(version: "1.0" | "1.1", notable: readonly HeaderLine[]): string | null | Refusal {
  let host: string | null = null;
  for (const line of notable) {
    if (line.name !== "host") continue;
    if (host !== null) return refusal(400, "more than one Host");
    host = line.value;
  }
  if (host === null) return version === "1.0" ? null : refusal(400, "no Host");
  return isAuthority(host) ? host : refusal(400, "a Host that is not one host with an optional port");
}

function valueNamed(notable: readonly HeaderLine[], name: string): string | null {
  return notable.find((line) => line.name === name)?.value ?? null;
}

interface RequestLine {
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
function requestLineOf(bytes: Uint8Array, text: string): RequestLine | Refusal {
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
