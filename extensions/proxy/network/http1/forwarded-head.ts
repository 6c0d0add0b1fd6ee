import { membersOf } from "./fields.ts";
import { forwardsLeft } from "./max-forwards.ts";
import type { Head, HeaderLine, RequestHead, ResponseHead } from "./message.ts";
import { upgradesIn } from "./upgrades.ts";

/*
 * The heads that are sent on: what was received, byte for byte, less what was meant for this hop (RFC 9110, 7.6.1) or
 * for a proxy (11.7), and always HTTP/1.1 (RFC 9112, 2.3). Only `notable` lines are ever touched, so text between them
 * is sliced, not rebuilt. Length and coding are written from what was parsed.
 */

export interface RequestEdits {
  /** For the request line: origin-form for a server, absolute-form for a further proxy. */
  readonly target: string;
  /** For Host: in the place of the one received, or before all other lines; `null` leaves it alone. */
  readonly host: string | null;
  /** Value of a Proxy-Authorization of our own, for a further proxy; `null`: none. What the client sent is not for it. */
  readonly authorization: string | null;
}

export interface ResponseEdits {
  /** What the client speaks. One of HTTP/1.0 knows no chunks and is to be given the payload alone. */
  readonly client: "1.0" | "1.1";
  /** Whether the connection to the client ends after this response; also told where `endsConnection` says it must. */
  readonly close: boolean;
}

/** The line to write in the place of one received; `null` for none. */
type Edit = (line: HeaderLine) => string | null;

/** The request head for the next hop, latin1. No Connection is needed to keep that connection open. */
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
        // RFC 9110, 10.1.1: an HTTP/1.0 client cannot wait for 100, so it must not become an HTTP/1.1 one that does.
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

/** The response head for the client, latin1. */
export function forwardedResponseHead(head: ResponseHead, edits: ResponseEdits): string {
  // 426 says with Upgrade what it would take.
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

/** Whether the body's end can only be told to this client by the connection's end. */
export function endsConnection(head: ResponseHead, client: "1.0" | "1.1"): boolean {
  return head.framing.kind === "until-close" || (client === "1.0" && head.framing.kind === "chunked");
}

/** RFC 9112, 9.3: an HTTP/1.1 client takes silence for keep-alive, an HTTP/1.0 one for close. Interim heads say nothing. */
function persistence(head: ResponseHead, { client, close }: ResponseEdits): string[] {
  if (head.status < 200) return [];
  if (close || endsConnection(head, client)) return ["close"];
  return client === "1.0" ? ["keep-alive"] : [];
}

/** RFC 9112, 6.3: no body, so no word of its length may travel (RFC 9110, 8.6). HEAD and 304 do tell a length. */
function isNeverBodied(head: ResponseHead): boolean {
  return head.status < 200 || head.status === 204;
}

function framingLine(line: HeaderLine, head: Head): string {
  if (line.name === "transfer-encoding") return withValue(line, "chunked");
  return withValue(line, String(head.framing.kind === "length" ? head.framing.length : Number(line.value)));
}

function upgradeLine(line: HeaderLine): string | null {
  const asked = upgradesIn(line.value);
  return asked === "" ? null : withValue(line, asked);
}

function asksForTrailers(line: HeaderLine): boolean {
  return line.name === "te" && membersOf(line.value).includes("trailers");
}

function withOneLess(line: HeaderLine, method: string): string {
  const left = forwardsLeft(method, line);
  return left === null ? line.raw : withValue(line, left);
}

/** As received where it says just that; name and case stay in any case. */
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
