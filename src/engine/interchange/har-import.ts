import {
  type BodyCaptured,
  type CaptureEvent,
  MESSAGE_KINDS,
  type MessageCaptured,
  type Side,
} from "../capture/event.ts";
import { ERROR_TYPES, type ErrorType, type Outcome, TAGS, type Tag } from "../model/exchange.ts";
import { programNamed } from "../model/program.ts";
import { type Remark, remarkOf } from "../model/remark.ts";
import type { Bytes, ExchangeId, Instant } from "../model/units.ts";
import { WAITED_FOR, type WaitedFor } from "../model/wait.ts";
import { encodeUtf8 } from "../quoting/utf8.ts";
import { decodeBase64 } from "./base64.ts";
import { instantOf } from "./date-time.ts";
import { OPCODES } from "./har-body.ts";
import { HarConnections } from "./har-connections.ts";
import { addressOf, headOf, methodOf, statusIn, statusLineOf } from "./har-heads.ts";
import { instantsOf, lengthOf } from "./har-timings.ts";
import { JsonValue } from "./json-value.ts";

/** The events of an entry's exchange, or a sentence why it is left out. */
export type Imported =
  | { readonly ok: true; readonly events: readonly CaptureEvent[]; readonly remark: Remark }
  | { readonly ok: false; readonly problem: string };

/**
 * One object of `log.entries` as the events of an exchange tagged `imported`. What is missing or of the wrong kind is taken
 * as absent. Bodies are as HAR holds them: decoded, whatever their Content-Encoding says; `body-decoded` tells their size.
 */
export function eventsOfEntry(entry: unknown, id: ExchangeId, connections = new HarConnections()): Imported {
  const value = new JsonValue(entry);
  const request = value.at("request");
  const response = value.at("response");
  const at = instantOf(value.at("startedDateTime").text ?? "");
  const address = addressOf(request.at("url").text ?? "");
  if (at === null) return { ok: false, problem: "An entry does not say when it began." };
  if (address === null) return { ok: false, problem: "An entry is no HTTP request." };

  const answer = statusLineOf(response);
  const outcome = outcomeOf(value);
  const instants = instantsOf(value, at, answer !== null, outcome.kind === "responded");
  // Where its `time` is absent or too short, nothing of it ends before it began.
  const latest = instants.responseStart ?? instants.requestEnd ?? instants.connectEnd ?? instants.domainLookupEnd ?? at;
  const endTime = (instants.responseEnd ?? Math.max(latest, at + (lengthOf(value.at("time")) ?? 0))) as Instant;
  const tags = tagsOf(value);
  const requestBody = requestBodyOf(request.at("postData"));
  const responseBody = bytesOf(response.at("content"));
  const sizes = sizesOf(response, responseBody);
  const server = serverOf(value, address.port);
  const connection = connections.numberOf(value.at("connection").text ?? "", server);
  const clientConnection = numberIn(value.at("_clientConnection"), 0);
  const program = programNamed(value.at("_program").text ?? "");
  const events: CaptureEvent[] = [];

  const { origin, target } = address;
  const method = methodOf(request.at("method").text);
  const head = headOf(`${method} ${target} HTTP/1.1`, request.at("headers"));
  const clientAddress = /^\S+/.exec(value.at("_client").text ?? "")?.[0] ?? "unknown";
  events.push({
    ...{ type: "request-started", id, at, method, origin, target, head, clientAddress, tags },
    protocol: protocolOf(request.at("httpVersion").text ?? ""),
    clientConnection,
    clientStream: numberIn(value.at("_clientStream"), 1),
  });
  if (connection !== null && server !== null)
    events.push({ type: "connection-opened", id: connection, at, address: server, tls: null });
  if (clientConnection !== null && program !== null && connections.isNew(clientConnection, program))
    events.push({ type: "client-named", connection: clientConnection, program });
  events.push(...captured(id, "request", requestBody));
  if (answer !== null) {
    const answered = headOf(answer.line, response.at("headers"));
    events.push({
      type: "response-started",
      id,
      at: instants.responseStart ?? endTime,
      status: answer.status,
      head: answered,
    });
  }
  events.push(...captured(id, "response", responseBody));
  for (const message of value.at("_webSocketMessages").items) events.push(messageOf(message, id, at));
  const remark = remarkOf(value.at("_mark").text, value.at("comment").text);
  // What we wrote of one in flight has no end, and is no failure for it.
  if (value.at("_inFlight").boolean === true) return { ok: true, events, remark };
  events.push({
    type: "exchange-ended",
    id,
    at: endTime,
    instants,
    outcome,
    requestBodySize: sizeOf(request.at("bodySize")) ?? requestBody?.length ?? 0,
    encodedBodySize: sizes.encoded,
    connection,
    reused: value.at("_reused").boolean ?? (answer === null ? null : instants.connectEnd === null),
    stream: connection === null ? null : numberIn(value.at("_stream"), 1),
    waitedFor: waitedForIn(value),
    tags,
  });
  if (sizes.decoded !== null) events.push({ type: "body-decoded", id, size: sizes.decoded });
  return { ok: true, events, remark };
}

/** What Weir wrote, else what Chrome calls the failure (also after a status: a body that was cut), else the status. */
function outcomeOf(entry: JsonValue): Outcome {
  const status = statusIn(entry.at("response"));
  const written = entry.at("_errorType").text;
  const errorType = ERROR_TYPES.find((known) => known === written) ?? null;
  const error = entry.at("_error").text ?? entry.at("response").at("_error").text ?? "";
  const named = errorType ?? errorTypeOf(error);
  if (status !== null && named === null) return { kind: "responded", status };
  const detail = error === "" ? "The file holds no response." : error;
  // Without a status and a name the browser gave up.
  return { kind: "failed", errorType: named ?? "client-aborted", detail, status };
}

/** Chromium's names of network errors, as far as ours have a counterpart. */
function errorTypeOf(error: string): ErrorType | null {
  for (const [name, errorType] of NETWORK_ERRORS) if (error.includes(name)) return errorType;
  return null;
}

const NETWORK_ERRORS: readonly (readonly [string, ErrorType])[] = [
  ["NAME_NOT_RESOLVED", "name-not-resolved"],
  ["CONNECTION_REFUSED", "connection-refused"],
  ["CONNECTION_RESET", "server-reset"],
  ["CONNECTION_CLOSED", "server-closed"],
  ["EMPTY_RESPONSE", "server-closed"],
  ["TIMED_OUT", "connection-timeout"],
  ["ADDRESS_UNREACHABLE", "host-unreachable"],
  ["CERT_COMMON_NAME_INVALID", "tls-wrong-host"],
  ["CERT_DATE_INVALID", "tls-expired"],
  ["CERT_", "tls-untrusted"],
  ["SSL_", "tls-failed"],
  ["CONTENT_LENGTH_MISMATCH", "response-truncated"],
];

function tagsOf(entry: JsonValue): readonly Tag[] {
  const tags = new Set<Tag>(["imported"]);
  for (const { text } of entry.at("_tags").items) for (const known of TAGS) if (known === text) tags.add(known);
  // Other proxies have an entry for each, which is the connection of those that came through it.
  if (entry.at("request").at("method").text === "CONNECT") tags.add("tunnel");
  if (entry.at("_resourceType").text === "websocket") tags.add("websocket");
  const type = entry.at("response").at("content").at("mimeType").text ?? "";
  if (/^text\/event-stream\b/i.test(type)) tags.add("event-stream");
  return Object.freeze([...tags]);
}

/** `address:port`, IPv6 in brackets. */
function serverOf(entry: JsonValue, port: number): string | null {
  const server = entry.at("serverIPAddress").text ?? "";
  if (server === "") return null;
  return `${server.includes(":") && !server.startsWith("[") ? `[${server}]` : server}:${port}`;
}

/** A count of ours, from `least` on. */
function numberIn(value: JsonValue, least: number): number | null {
  const number = value.number;
  return number !== null && Number.isInteger(number) && number >= least && number < 2 ** 31 ? number : null;
}

/** HAR's `blocked` is waiting for a connection. We say for what, if at all; of other files nobody knows. */
function waitedForIn(entry: JsonValue): WaitedFor | null {
  const written = entry.at("_waitedFor").text;
  if (entry.at("_client").text !== null) return WAITED_FOR.find((one) => one === written) ?? null;
  return (lengthOf(entry.at("timings").at("blocked")) ?? 0) > 0 ? "unsaid" : null;
}

/** A size that is known; HAR writes -1 where it is not. */
function sizeOf(value: JsonValue): Bytes | null {
  const size = value.number;
  return size === null || size < 0 || size > Number.MAX_SAFE_INTEGER ? null : Math.floor(size);
}

/** Browsers leave out what they do not know. `content.size` is the decoded body, `compression` what the coding saved. */
function sizesOf(response: JsonValue, body: Uint8Array | null): { encoded: Bytes; decoded: Bytes | null } {
  const content = response.at("content");
  const size = sizeOf(content.at("size")) ?? body?.length ?? null;
  const saved = content.at("compression").number;
  const plain = Math.max(0, (size ?? 0) - (saved ?? 0));
  const coded = isCoded(response);
  // Of HTTP/2 Chrome knows only what head and body took together.
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

/** Text, or the fields of a form where a browser kept only those. */
function requestBodyOf(postData: JsonValue): Uint8Array | null {
  const fields = postData.at("params").items;
  if (postData.at("text").text || fields.length === 0) return bytesOf(postData);
  const pairs = fields.map((field) =>
    [field.at("name").text, field.at("value").text].map((part) =>
      encodeURIComponent((part ?? "").replaceAll(/\p{Cs}/gu, "\ufffd")),
    ),
  );
  return encodeUtf8(pairs.map((pair) => pair.join("=")).join("&"));
}

function bytesOf(holder: JsonValue): Uint8Array | null {
  const text = holder.at("text").text;
  if (text === null) return null;
  const encoding = holder.at("encoding").text ?? holder.at("_encoding").text;
  return (encoding === "base64" ? decodeBase64(text) : null) ?? encodeUtf8(text);
}

/** Tools write HTTP/2 as "h2", "HTTP/2" and "http/2.0". */
function protocolOf(version: string): string {
  const name = (version || "HTTP/1.1").slice(0, 16).toLowerCase();
  return /^http\/2(?:\.0)?$/.test(name) ? "h2" : name;
}

function captured(id: ExchangeId, side: Side, bytes: Uint8Array | null): BodyCaptured[] {
  return bytes === null || bytes.length === 0 ? [] : [{ type: "body-captured", id, side, bytes }];
}

/** What a date can be, in epoch milliseconds (ECMA-262, 21.4.1.1). */
const LATEST = 8.64e15;

/** As Chrome writes them; what is no text is in base64. */
function messageOf(message: JsonValue, id: ExchangeId, start: Instant): MessageCaptured {
  const opcode = message.at("opcode").number;
  const kind = MESSAGE_KINDS.find((known) => OPCODES[known] === opcode) ?? "text";
  const data = message.at("data").text ?? "";
  const bytes = (kind === "text" ? null : decodeBase64(data)) ?? encodeUtf8(data);
  const time = (message.at("time").number ?? Number.NaN) * 1_000;
  return {
    type: "message-captured",
    id,
    at: (Math.abs(time) <= LATEST ? time : start) as Instant,
    side: message.at("type").text === "receive" ? "response" : "request",
    kind,
    size: bytes.length,
    bytes,
    cut: message.at("_cut").boolean ?? false,
  };
}
