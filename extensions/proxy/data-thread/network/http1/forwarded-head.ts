import { membersOf } from "./fields.ts";
import type { Head, HeaderLine, RequestHead, ResponseHead } from "./message.ts";
import { upgradesIn } from "./upgrades.ts";

/*
 * Builds heads to forward: byte for byte as received, but always as HTTP/1.1 (RFC 9112, 2.3). Hop-by-hop fields (RFC
 * 9110, 7.6.1) and credentials for proxies (11.7) are left out. Only `notable` lines change; the text between them is
 * copied whole. Length and coding are written as they were parsed.
 */

export interface RequestEdits {
  /** The target in the request line: origin-form for a server, absolute-form for an upstream proxy. */
  readonly target: string;
  /** The value of Host. Replaces the received one, or is added as the first field; `null` leaves Host as received. */
  readonly host: string | null;
  /**
   * The value of our Proxy-Authorization for an upstream proxy; `null` for none. The client's own is never forwarded.
   */
  readonly authorization: string | null;
}

export interface ResponseEdits {
  /** The client's version. An HTTP/1.0 client does not know chunks, so it gets the body without them. */
  readonly client: "1.0" | "1.1";
  /** Whether the client's connection closes after this response. It also closes if `endsConnection` returns true. */
  readonly close: boolean;
}

/** Returns the line to write in place of a received one; `null` leaves it out. */
type Edit = (line: HeaderLine) => string | null;

/** The request's head for the next hop, latin1. Without a Connection field, the connection to that hop stays open. */
export function forwardedRequestHead(head: RequestHead, edits: RequestEdits): string {
  const isOneOne = head.version === "1.1";
  const upgrades = head.upgrade !== null;
  const wantsTrailers = isOneOne && head.options.includes("te") && head.notable.some(asksForTrailers);
  const words = [...(upgrades ? ["Upgrade"] : []), ...(wantsTrailers ? ["TE"] : [])];
  const startsSame = isOneOne && edits.target === head.target;
  const addedHost = edits.host !== null && head.host === null ? `Host: ${edits.host}\r\n` : "";
  const credentials = edits.authorization === null ? "" : `Proxy-Authorization: ${edits.authorization}\r\n`;
  const added = addedHost + credentials;
  const start = startsSame && added === "" ? null : `${head.method} ${edits.target} HTTP/1.1\r\n${added}`;
  return edited(head, start, words.join(", "), (line) => {
    switch (line.name) {
      case "content-length":
      case "transfer-encoding":
        return framingLine(line, head);
      case "host":
        return edits.host === null ? line.raw : withValue(line, edits.host);
      case "expect":
        // An HTTP/1.0 client cannot wait for a 100, so the forwarded HTTP/1.1 request must not expect one (RFC 9110,
        // 10.1.1).
        return isOneOne && !head.options.includes("expect") ? line.raw : null;
      case "max-forwards":
        return head.options.includes(line.name) ? null : withOneLess(line, head.method);
      case "upgrade":
        return upgrades ? upgradeLine(line) : null;
      case "te":
        return wantsTrailers && asksForTrailers(line) ? withValue(line, "trailers") : null;
      default:
        return null;
    }
  });
}

/** The response's head for the client, latin1. */
export function forwardedResponseHead(head: ResponseHead, edits: ResponseEdits): string {
  // 101 and 426 need Upgrade, which in a 426 names the required protocol.
  const upgrades = head.status === 101 || head.status === 426;
  const lineEnd = head.text.indexOf("\r\n");
  const start = head.version === "1.1" ? null : `HTTP/1.1${head.text.slice("HTTP/1.0".length, lineEnd)}\r\n`;
  const words = [...(upgrades ? ["Upgrade"] : []), ...persistence(head, edits)];
  return edited(head, start, words.join(", "), (line) => {
    switch (line.name) {
      case "content-length":
        return isNeverBodied(head) ? null : framingLine(line, head);
      case "transfer-encoding":
        return isNeverBodied(head) || edits.client === "1.0" ? null : framingLine(line, head);
      case "upgrade":
        return upgrades ? line.raw : null;
      case "host":
      case "expect":
      case "max-forwards":
        return line.raw;
      default:
        return null;
    }
  });
}

/** Whether, for this client, the body can end only with the connection. */
export function endsConnection(head: ResponseHead, client: "1.0" | "1.1"): boolean {
  return head.framing.kind === "until-close" || (client === "1.0" && head.framing.kind === "chunked");
}

/**
 * Returns what Connection says about persistence; nothing in interim heads. Without Connection, an HTTP/1.1 client
 * assumes `keep-alive`, and an HTTP/1.0 client `close` (RFC 9112, 9.3).
 */
function persistence(head: ResponseHead, { client, close }: ResponseEdits): string[] {
  if (head.status < 200) return [];
  if (close || endsConnection(head, client)) return ["close"];
  return client === "1.0" ? ["keep-alive"] : [];
}

/**
 * Whether the status forbids a body (RFC 9112, 6.3) and so a length (RFC 9110, 8.6). Responses to HEAD and 304s have no
 * body but may have a length.
 */
function isNeverBodied(head: ResponseHead): boolean {
  return head.status < 200 || head.status === 204;
}

function framingLine(line: HeaderLine, head: Head): string {
  if (line.name === "transfer-encoding") return withValue(line, "chunked");
  return withValue(line, String(head.framing.kind === "length" ? head.framing.length : Number(line.value)));
}

function upgradeLine(line: HeaderLine): string | null {
  const upgrades = upgradesIn(line.value);
  return upgrades === "" ? null : withValue(line, upgrades);
}

function asksForTrailers(line: HeaderLine): boolean {
  return line.name === "te" && membersOf(line.value).includes("trailers");
}

/** Max-Forwards for the next hop: one less, but at most the largest safe integer. */
function withOneLess(line: HeaderLine, method: string): string {
  if (!COUNTED.has(method) || !/^\d+$/.test(line.value)) return line.raw;
  return withValue(line, String(Math.min(Number(line.value), Number.MAX_SAFE_INTEGER) - 1));
}

/** The received line if it already has this value; else a line with the same name, in the same case. */
function withValue(line: HeaderLine, value: string): string {
  const name = line.raw.slice(0, line.name.length);
  return line.raw === `${name}:${value}` ? line.raw : `${name}: ${value}`;
}

function edited(head: Head, start: string | null, connection: string, edit: Edit): string {
  const { text } = head;
  let out = start ?? "";
  let at = start === null ? 0 : text.indexOf("\r\n") + 2;
  let isSaid = connection === "";
  for (const line of head.notable) {
    let kept: string | null;
    if (line.name === "connection") {
      kept = isSaid ? null : connectionLine(line, connection);
      isSaid = true;
    } else {
      kept = edit(line);
    }
    if (kept === line.raw) continue;
    out += text.slice(at, line.at);
    if (kept !== null) out += `${kept}\r\n`;
    at = line.at + line.raw.length + 2;
  }
  if (isSaid) return out + text.slice(at);
  return `${out}${text.slice(at, -2)}Connection: ${connection}\r\n\r\n`;
}

function connectionLine(line: HeaderLine, connection: string): string {
  return line.value.toLowerCase() === connection.toLowerCase() ? line.raw : withValue(line, connection);
}

/** The methods for which Max-Forwards has a meaning (RFC 9110, 7.6.2). */
const COUNTED: ReadonlySet<string> = new Set(["OPTIONS", "TRACE"]);

/** Whether Max-Forwards forbids forwarding the request, so that Weir itself must respond. */
export function isAtItsEnd({ method, notable }: RequestHead): boolean {
  return COUNTED.has(method) && notable.some((line) => line.name === "max-forwards" && /^0+$/.test(line.value));
}
