import {
  type BodyCaptured,
  type CaptureEvent,
  MESSAGE_KINDS,
  type MessageCaptured,
  type Side,
} from "../capture/event.ts";
import { type Annotation, annotationOf } from "../model/annotation.ts";
import { programNamed } from "../model/client-name.ts";
import { modelStreamFormOf } from "../model/endpoint.ts";
import { TAGS, type Tag, UNKNOWN_PROTOCOL } from "../model/exchange.ts";
import { KEPT_FROM_END, KEPT_FROM_START } from "../model/exchange-fields.ts";
import type { Slowed, WaitedFor } from "../model/phases.ts";
import { failure, type Result, success } from "../model/result.ts";
import type { ExchangeId, Instant, Milliseconds } from "../model/units.ts";
import { encodeUtf8 } from "../quoting/utf8.ts";
import { decodeBase64 } from "./base64.ts";
import { startOf } from "./date-time.ts";
import { type Attached, bytesOf, keptOf, OPCODES, requestBodyOf, sizeOf, sizesOf } from "./har-bodies.ts";
import { keptFieldsOf } from "./har-fields.ts";
import {
  type Address,
  addressOf,
  headOf,
  isStatusKnown,
  LONGEST_METHOD,
  methodIn,
  outcomeOf,
  statusLineOf,
} from "./har-heads.ts";
import { LONGEST_PAGE } from "./har-pages.ts";
import { recordIn } from "./har-record.ts";
import { browserQueueOf, instantsOf, isCacheHit, isConnectionKept, lengthOf } from "./har-timings.ts";
import { JsonValue } from "./json-value.ts";

/** The events and the annotation of an entry, or a reason for leaving it out. The reason quotes the wrong value. */
type Imported = Result<{ readonly events: readonly CaptureEvent[]; readonly annotation: Annotation }>;

/**
 * Converts one entry of `log.entries` to the events of an exchange with the tag `imported`. An entry is left out if it
 * has no valid start, URL, method, response or status; other invalid fields count as absent. The bodies in the events
 * are decoded, as in HAR, whatever Content-Encoding says, and cut as `keptOf` says. `run`: the run of a file with
 * several, which becomes the client's address and has connections of its own. `attached`: reads bodies in files of
 * their own.
 */
export function eventsOfEntry(
  entry: unknown,
  id: ExchangeId,
  connections = new HarConnections(),
  run: string | null = null,
  attached: Attached = () => null,
): Imported {
  const value = new JsonValue(entry);
  const request = value.at("request");
  const response = value.at("response");
  const at = startOf(value.at("startedDateTime"));
  const address = addressOf(request.at("url").text ?? "");
  if (at === null) return leftOut("startedDateTime is not a date", value.at("startedDateTime"));
  if (address === null) return leftOut("request.url is not an HTTP or WebSocket URL", request.at("url"));
  const method = methodIn(value);
  if (method === null)
    return leftOut(`request.method is not a method of 1 to ${LONGEST_METHOD} characters`, request.at("method"));
  const isInFlight = value.at("_inFlight").boolean === true;
  if (!response.isObject && !isInFlight) return leftOut("response is not an object", response);
  if (response.isObject && !isStatusKnown(response))
    return leftOut("response.status is neither an HTTP status nor 0", response.at("status"));

  const answer = statusLineOf(response);
  const outcome = outcomeOf(value);
  const isSecure = address.origin.startsWith("https:");
  const instants = instantsOf(value, at, answer !== null, outcome.kind === "responded", isSecure);
  // If `time` is absent or too short, the exchange must still not end before its last known instant.
  const latest = instants.responseStart ?? instants.requestEnd ?? instants.connectEnd ?? instants.domainLookupEnd ?? at;
  const endTime = (instants.responseEnd ?? Math.max(latest, at + (lengthOf(value.at("time")) ?? 0))) as Instant;
  const tags = tagsOf(value, outcome.kind === "responded");
  const requestBody = requestBodyOf(request.at("postData"), attached);
  const responseBody = bytesOf(response.at("content"), attached);
  const sizes = sizesOf(response, responseBody);
  const server = serverOf(value, address.port);
  const protocol = protocolIn(value);
  const connection = connectionOf(value.at("connection"), connections, protocol, { ...address, server, run });
  const recordAtStart = recordIn(value, KEPT_FROM_START);
  const recordAtEnd = recordIn(value, KEPT_FROM_END);
  const { clientConnection } = recordAtStart;
  const program = programNamed(value.at("_program").text ?? "");
  const events: CaptureEvent[] = [];

  const { origin, target } = address;
  const head = headOf(`${method} ${target} HTTP/1.1`, request.at("headers"));
  const page = (value.at("pageref").text ?? "").slice(0, LONGEST_PAGE);
  const fields = value.isObject ? keptFieldsOf(entry as object) : null;
  const clientAddress = /^\S+/.exec(value.at("_client").text ?? "")?.[0] ?? run ?? "unknown";
  events.push({
    type: "request-started",
    id,
    at,
    method,
    origin,
    target,
    head,
    clientAddress,
    tags,
    protocol,
    ...recordAtStart,
    ...(page === "" ? {} : { page }),
    ...(fields === null ? {} : { fields }),
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
  events.push(...eventsOfStream(value, id, at, endTime));
  const annotation = annotationOf(value.at("_mark").text, value.at("comment").text);
  // An exchange that was in flight during Weir's export has not failed, so it gets no end.
  if (isInFlight) return success({ events, annotation });
  events.push({
    type: "exchange-ended",
    id,
    at: endTime,
    instants,
    outcome,
    requestBodySize: sizeOf(request.at("bodySize")) ?? requestBody?.length ?? 0,
    encodedBodySize: sizes.encoded,
    ...recordAtEnd,
    connection,
    reused: recordAtEnd.reused ?? (answer === null ? null : isReusedIn(value)),
    stream: connection === null ? null : recordAtEnd.stream,
    waitedFor: waitedForIn(value, protocol, recordAtEnd.waitedFor),
    uncertainty: 0,
    tags,
    ...slowedIn(value.at("_slowed")),
  });
  if (sizes.decoded !== null) events.push({ type: "body-decoded", id, size: sizes.decoded });
  return success({ events, annotation });
}

function isReusedIn(entry: JsonValue): boolean {
  return isConnectionKept(entry) || lengthOf(entry.at("timings").at("connect")) === null;
}

function leftOut(reason: string, value: JsonValue): Imported {
  return failure(`${reason}: ${value.excerpt}`);
}

/**
 * The connection's number. Firefox names a connection only by the server's port. Over HTTP/1, the port does not
 * distinguish connections, so each request gets a number of its own. Over HTTP/2, requests to the same server and port
 * share a number; if the server is unknown, requests to the same origin do.
 */
function connectionOf(
  named: JsonValue,
  connections: HarConnections,
  protocol: string,
  { port, origin, server, run }: Address & { readonly server: string | null; readonly run: string | null },
): number | null {
  const name = named.text ?? String(named.number ?? "");
  const within = (pageId: string | null) => (run === null ? pageId : `${run} ${pageId ?? ""}`);
  if (name !== String(port)) return connections.numberOf(name, within(server));
  const isShared = !/^http\/1/.test(protocol) && protocol !== UNKNOWN_PROTOCOL;
  return !isShared ? connections.another() : connections.numberOf(name, within(server ?? origin));
}

function tagsOf(entry: JsonValue, isAnswered: boolean): readonly Tag[] {
  const tags = new Set<Tag>(["imported"]);
  for (const { text } of entry.at("_tags").items) for (const known of TAGS) if (known === text) tags.add(known);
  // Other proxies write an entry for the tunnel itself, with the same connection as the requests inside it.
  if (entry.at("request").at("method").text === "CONNECT") tags.add("tunnel");
  if (entry.at("_resourceType").text === "websocket") tags.add("websocket");
  const type = entry.at("response").at("content").at("mimeType").text ?? "";
  if (/^text\/event-stream\b/i.test(type)) tags.add("event-stream");
  const target = entry.at("request").at("url").text ?? "";
  if (entry.at("response").at("status").number === 200 && modelStreamFormOf(target, type) !== null) tags.add("stream");
  if (isAnswered && isCacheHit(entry)) tags.add("browser-cache");
  if (entry.at("_wasFulfilled").boolean === true) tags.add("mocked");
  return Object.freeze([...tags]);
}

/** The server as `address:port`, IPv6 in brackets. */
function serverOf(entry: JsonValue, port: number): string | null {
  const server = entry.at("serverIPAddress").text ?? "";
  if (server === "") return null;
  return `${server.includes(":") && !server.startsWith("[") ? `[${server}]` : server}:${port}`;
}

/**
 * What the request waited for; `null` if it did not wait. HAR's `blocked` is the wait for a connection, except in
 * Chrome's own queue (`_blocked_queueing`) and over HTTP/2 and HTTP/3. Only files of Weir give the reason.
 */
function waitedForIn(entry: JsonValue, protocol: string, written: WaitedFor | null): WaitedFor | null {
  if (entry.at("_client").text !== null) return written;
  const timings = entry.at("timings");
  if (browserQueueOf(timings) > 0) return "browser";
  const isOwnQueue = lengthOf(timings.at("_blocked_queueing")) !== null || !/^http\/[01]/.test(protocol);
  return !isOwnQueue && (lengthOf(timings.at("blocked")) ?? 0) > 0 ? "unsaid" : null;
}

/** The times that Weir wrote; absent if one is missing or invalid. */
function slowedIn(value: JsonValue): { readonly slowed?: Slowed } {
  const [request, upload, response] = (["request", "upload", "response"] as const).map((name) =>
    lengthOf(value.at(name)),
  );
  if (request == null || upload == null || response == null) return {};
  return { slowed: Object.freeze({ request, upload, response }) };
}

/**
 * The ALPN name of the version of the request, else of the response; "unknown" if neither has one. For HTTP/2, tools
 * write "h2", "HTTP/2" and "http/2.0"; WebPageTest has `_protocol` for it.
 */
function protocolIn(entry: JsonValue): string {
  const versions = [
    entry.at("request").at("httpVersion"),
    entry.at("_protocol"),
    entry.at("response").at("httpVersion"),
  ];
  const version = versions
    .map(({ text }) => text ?? "")
    .find((text) => /^(?:http\/|h[23]\b|spdy|quic|wss?$)/i.test(text));
  const name = (version ?? UNKNOWN_PROTOCOL).slice(0, 16).toLowerCase();
  return /^http\/2(?:\.0)?$/.test(name) ? "h2" : name;
}

function captured(id: ExchangeId, side: Side, bytes: Uint8Array | null): BodyCaptured[] {
  return bytes === null || bytes.length === 0 ? [] : [{ type: "body-captured", id, side, bytes: keptOf(bytes) }];
}

/** By how many ms Chrome's clock for events may differ from its clock for requests. */
const CLOCKS_APART: Milliseconds = 1_000;

/**
 * The events of an event stream, as Chrome writes them (`time` in epoch seconds). None if one is further than
 * `CLOCKS_APART` from the time of the exchange: its two clocks then differ too much.
 */
function eventsOfStream(entry: JsonValue, id: ExchangeId, start: Instant, end: Instant): readonly MessageCaptured[] {
  const events: MessageCaptured[] = [];
  for (const event of entry.at("_eventSourceMessages").items) {
    const time = event.at("time").number;
    if (time === null) continue;
    const at = (time * 1_000) as Instant;
    if (at < start - CLOCKS_APART || at > end + CLOCKS_APART) return [];
    const data = encodeUtf8(event.at("data").text ?? "");
    const rest = { side: "response", kind: "event", ...keptPart(data, false) } as const;
    events.push({ type: "message-captured", id, at, ...rest });
  }
  return events;
}

/** The latest valid date, in epoch milliseconds (ECMA-262, 21.4.1.1). */
const LATEST = 8.64e15;

/** Parses a message as Chrome writes it: data that is not text is in base64. */
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
    ...keptPart(bytes, message.at("_cut").boolean ?? false),
  };
}

/** `wasCut`: whether the file has only the message's beginning. */
function keptPart(bytes: Uint8Array, wasCut: boolean): Pick<MessageCaptured, "size" | "bytes" | "cut"> {
  const kept = keptOf(bytes);
  return { size: bytes.length, bytes: kept, cut: wasCut || kept.length < bytes.length };
}

/** The most characters of a connection's name. Longer names are ignored. */
const LONGEST = 256;

/**
 * Gives numbers to the connections of one file. HAR 1.2 (entries, `connection`) allows ports as names, so the server is
 * part of a connection's identity. A numeric name becomes the number if that number is free.
 */
export class HarConnections {
  readonly #numbers = new Map<string, number>();
  readonly #taken = new Set<number>();
  /** The program of each client connection, by the connection's number. */
  readonly #programs = new Map<number, string>();
  #next = 1;

  /**
   * The number of the connection with this name, assigned at its first use; `null` if the name is empty or too long.
   * `server`: `address:port`; `null` if not known.
   */
  numberOf(name: string, server: string | null): number | null {
    if (name === "" || name.length > LONGEST) return null;
    const key = `${server ?? ""} ${name}`;
    const number = this.#numbers.get(key) ?? this.#newNumber(name);
    this.#numbers.set(key, number);
    return number;
  }

  /** A new number, for a connection without a name. */
  another(): number {
    return this.#newNumber("");
  }

  /** Records the program of a client connection. Returns `false` if the same program was already recorded. */
  isNew(clientConnection: number, program: string): boolean {
    if (this.#programs.get(clientConnection) === program) return false;
    this.#programs.set(clientConnection, program);
    return true;
  }

  #newNumber(name: string): number {
    let number = /^\d{1,9}$/.test(name) ? Number(name) : 0;
    if (number === 0 || this.#taken.has(number)) {
      while (this.#taken.has(this.#next)) this.#next += 1;
      number = this.#next;
    }
    this.#taken.add(number);
    return number;
  }
}
