import { Buffer } from "node:buffer";
import { fieldsOf, inField, linesOf } from "../http1/fields.ts";
import {
  type HeaderLine,
  LIMITS,
  type Refusal,
  type RequestHead,
  type ResponseHead,
  refusal,
} from "../http1/message.ts";
import { requestHeadOf } from "../http1/request-reader.ts";
import { responseHeadOf } from "../http1/response-reader.ts";
import type { Scheme } from "../origin.ts";
import { LONGEST_FIELD, MOST_FIELDS } from "./limits.ts";

/*
 * Converts HTTP/2 heads to HTTP/1.1 heads (RFC 9113, 8). Inside the proxy there are only HTTP/1.1 heads, so each rule
 * about heads and bodies exists once, in `http1/`. Each part is checked before it becomes text, so that no value can
 * add a line.
 */

/** Names and values in turn, as `node:http2` passes them. */
export type RawFields = readonly string[];

type Read<Head> = { readonly kind: "head"; readonly head: Head } | Refusal;

/** Lines that Weir appends to the text. HTTP/2 forbids these fields, so the received lines cannot contain them. */
const WANTS_TRAILERS = "connection: TE\r\n";
const CHUNKED = "transfer-encoding: chunked\r\n";
const VERSION = "HTTP/1.1";

/** RFC 9113, 8.2.2: fields that HTTP/2 forbids. `http2-settings` belongs to an obsolete upgrade (RFC 7540, 3.2.1). */
const CONNECTION_FIELDS: ReadonlySet<string> = new Set([
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

/** RFC 9113, 8.2.1: a token without upper-case letters. */
const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
/** The characters of a value (RFC 9110, 5.5). */
const VALUE = /^[\t -~\x80-\xff]*$/;
const METHOD = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** A target as in HTTP/1.1 (`http1/fields.ts`). */
const PATH = /^\/[!-~\x80-\xff]*$|^\*$/;

/** The media type of gRPC in any letter case (RFC 9110, 8.3.1). Blanks before a value are not part of it. */
const GRPC = /^[\t ]*application\/grpc/i;

interface Fields {
  readonly kind: "parts";
  readonly pseudo: Readonly<Partial<Record<string, string>>>;
  /** The lines of the text, each with its CRLF. */
  readonly lines: string;
  readonly hosts: readonly string[];
  readonly length: string | null;
  readonly te: boolean;
  /** Whether trailers follow: the message announces some (RFC 9110, 6.6.2), or it is gRPC, which always has some. */
  readonly trailers: boolean;
}

/** The head of a stream's request. `ended`: no body follows; `scheme`: the scheme of the connection. */
export function requestHeadFrom(raw: RawFields, ended: boolean, scheme: Scheme): Read<RequestHead> {
  if (raw.length > 2 * MOST_FIELDS) return TOO_MANY;
  const fields = partsOf(raw);
  if (fields.kind === "refused") return fields;
  const { pseudo, hosts, length } = fields;
  const { ":method": method = "", ":path": path = "", ":authority": authority = hosts[0] } = pseudo;
  if (!METHOD.test(method)) return refusal(400, "a method with an invalid character");
  // A CONNECT stream is a tunnel (RFC 9113, 8.5). This connection is inside one already, and tunnels are not nested.
  if (method === "CONNECT" || pseudo[":protocol"] !== undefined) return refusal(400, "CONNECT inside a tunnel");
  if (!PATH.test(path)) return refusal(400, "a path that is neither absolute nor *");
  if (pseudo[":scheme"] !== scheme) return refusal(400, "another scheme than the connection's");
  // RFC 9113, 8.3.1: a request must name its authority.
  if (authority === undefined) return refusal(400, "neither :authority nor Host");
  if (hosts.some((host) => host.toLowerCase() !== authority.toLowerCase()))
    return refusal(400, "a Host that differs from :authority");
  if (ended && length !== null && !/^0+$/.test(length)) return refusal(400, "a Content-Length without a body");
  const start = `${method} ${path} HTTP/1.1\r\nhost: ${authority}\r\n`;
  const te = fields.te ? WANTS_TRAILERS : "";
  const text = `${start}${ended ? fields.lines + te : framed(fields, false, te)}\r\n`;
  return text.length > LIMITS.headSize ? TOO_LONG : requestHeadOf(Buffer.from(text, "latin1"), LIMITS);
}

/** The head of a stream's response to `method`. `ended`: no body follows. */
export function responseHeadFrom(raw: RawFields, ended: boolean, method: string): Read<ResponseHead> {
  const fields = partsOf(raw);
  if (fields.kind === "refused") return fields;
  const status = fields.pseudo[":status"] ?? "";
  if (!/^\d{3}$/.test(status)) return refusal(400, "no status of three digits");
  const isBodiless = status.startsWith("1") || status === "204" || status === "304" || method === "HEAD";
  if (ended && !isBodiless && fields.length !== null && !/^0+$/.test(fields.length))
    return refusal(400, "a Content-Length without a body");
  const hosts = fields.hosts.map((host) => `host: ${host}\r\n`).join("");
  const text = `HTTP/1.1 ${status} \r\n${hosts}${isBodiless ? fields.lines : framed(fields, ended)}\r\n`;
  return text.length > LIMITS.headSize ? TOO_LONG : responseHeadOf(Buffer.from(text, "latin1"), method, LIMITS);
}

const TOO_LONG = refusal(431, `more than ${LIMITS.headSize} bytes of header`);
const TOO_MANY = refusal(431, `more than ${MOST_FIELDS} header fields, each part of a divided Cookie counted`);

/**
 * Returns the header lines of a message that may have a body, then Weir's lines (`ours`) and the framing. If trailers
 * follow, chunked replaces Content-Length, because HTTP/1.1 allows trailers only after a chunked body. nghttp2 still
 * checks the length.
 */
function framed({ lines, length, trailers }: Fields, ended: boolean, ours = ""): string {
  if (length !== null && (ended || !trailers)) return lines + ours;
  return `${length === null ? lines : lines.replace(/^content-length:.*\r\n/m, "")}${ours}${CHUNKED}`;
}

/**
 * Whether a message may be sent over HTTP/2. A field above the peer's limit would end the connection with all its
 * streams.
 */
export function fitsHttp2(head: RequestHead | ResponseHead): boolean {
  // A shortcut for almost all heads: no line can be too long.
  if (head.text.length <= LONGEST_FIELD) return true;
  if ("target" in head && head.target.length > LONGEST_FIELD) return false;
  return head.headers.every(({ raw }) => raw.length <= LONGEST_FIELD);
}

/** Like `fitsHttp2`, for the end of a chunked body with its trailers. */
export function endFitsHttp2(wire: Buffer): boolean {
  if (wire.length <= LONGEST_FIELD) return true;
  const text = wire.toString("latin1");
  return linesOf(text, text.indexOf("\r\n") + 2).every(({ raw }) => raw.length <= LONGEST_FIELD);
}

/** The end of a chunked body with these trailers (RFC 9112, 7.1.2), or why they are refused. */
export function chunkedEndOf(trailers: RawFields): { readonly kind: "end"; readonly wire: Buffer } | Refusal {
  const fields = partsOf(trailers);
  if (fields.kind === "refused") return fields;
  if (Object.keys(fields.pseudo).length > 0 || fields.hosts.length > 0 || fields.length !== null || fields.te)
    return refusal(400, "a trailer field that is allowed only in a head");
  const wire = Buffer.from(`0\r\n${fields.lines}\r\n`, "latin1");
  const checked = fieldsOf(wire, wire.toString("latin1"), 3, LIMITS);
  return checked.kind === "refused" ? checked : { kind: "end", wire };
}

/**
 * The trailers at the end of a chunked body, as names and values in turn. Omits fields that HTTP/2 forbids. `isExact`:
 * as in `fieldsFrom`.
 */
export function trailersOf(wire: Buffer, isExact: boolean): string[] {
  const text = wire.toString("latin1");
  return fieldsFrom(linesOf(text, text.indexOf("\r\n") + 2), isExact);
}

/**
 * Returns `given`, then the names and values of `lines` in turn. Omits connection fields, on which Node throws.
 * `isExact`: the lines come from HTTP/2, so blanks around a value are kept; in HTTP/1.1 they are not part of it (RFC
 * 9110, 5.5).
 */
export function fieldsFrom(lines: readonly HeaderLine[], isExact: boolean, given: RawFields = []): string[] {
  const fields = [...given];
  for (const { name, value, raw } of lines) {
    if (!isOfConnection(name, value))
      fields.push(name, isExact ? raw.slice(name.length + LINE_SEPARATOR.length) : value);
  }
  return fields;
}

const LINE_SEPARATOR = ": ";

function isOfConnection(name: string, value: string): boolean {
  return CONNECTION_FIELDS.has(name) || (name === "te" && value !== "trailers");
}

/** The fields as an object, since some functions of Node accept no lists. */
export function objectOf(fields: RawFields): Record<string, string[]> {
  const object: Record<string, string[]> = Object.create(null);
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at] ?? "";
    object[name] = [...(object[name] ?? []), fields[at + 1] ?? ""];
  }
  return object;
}

/**
 * A head as the row shows it: in the usual notation for HTTP/2, without the lines that Weir added. Slices the text
 * instead of matching it, because this runs for both heads of every exchange.
 */
export function shownHead(text: string): string {
  let end = text.length - 2;
  for (const line of [CHUNKED, WANTS_TRAILERS]) if (text.endsWith(`\n${line}`, end)) end -= line.length;
  const firstEnd = text.indexOf("\r\n");
  const lines = text.slice(firstEnd, end);
  // Only a response begins with this, since a method contains no slash.
  if (text.startsWith(VERSION)) return `HTTP/2${text.slice(VERSION.length, firstEnd).trimEnd()}${lines}\r\n`;
  return `${text.slice(0, firstEnd - VERSION.length)}HTTP/2${lines}\r\n`;
}

function partsOf(raw: RawFields): Fields | Refusal {
  const pseudo: Partial<Record<string, string>> = Object.create(null);
  const hosts: string[] = [];
  const cookies: string[] = [];
  let lines = "";
  let cookiesAt = 0;
  let length: string | null = null;
  let te = false;
  let trailers = false;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? "";
    const value = raw[at + 1] ?? "";
    if (!VALUE.test(value)) return refusal(400, `a control character${inField(`${name}:`)}`);
    if (name.startsWith(":")) {
      if (pseudo[name] !== undefined) return refusal(400, `more than one ${name}`);
      pseudo[name] = value;
      continue;
    }
    if (!NAME.test(name)) return refusal(400, "a header name that HTTP/2 does not allow");
    if (CONNECTION_FIELDS.has(name)) return refusal(400, `${name}, which HTTP/2 does not allow`);
    if (name === "te" && value !== "trailers") return refusal(400, "a TE header with another value than trailers");
    if (name === "te") te = true;
    if (name === "trailer" || (name === "content-type" && GRPC.test(value))) trailers = true;
    if (name === "content-length") length = value;
    if (name === "host") hosts.push(value);
    else if (name === "cookie") {
      if (cookies.length === 0) cookiesAt = lines.length;
      cookies.push(value);
    } else lines += `${name}${LINE_SEPARATOR}${value}\r\n`;
  }
  if (cookies.length > 0) {
    // RFC 9113, 8.2.3: HTTP/1.1 allows only one Cookie line. It is inserted where the first Cookie field was received.
    const cookie = `cookie${LINE_SEPARATOR}${cookies.join("; ")}\r\n`;
    lines = lines.slice(0, cookiesAt) + cookie + lines.slice(cookiesAt);
  }
  return { kind: "parts", pseudo, lines, hosts, length, te, trailers };
}
