import type { ClientHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import type { Repair } from "../../../../../src/engine/model/exchange.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import type { ResponseEvent } from "../http1/message.ts";
import { CODES, codeForClient, codeForServer, END_STREAM } from "../http2/codes.ts";
import { type RawFields, responseHeadFrom } from "../http2/message-text.ts";
import { NO_BODY, StreamBody } from "../http2/stream-body.ts";
import { watchEnd } from "../http2/stream-end.ts";
import type { DialTimes, PooledSocket } from "./dial.ts";
import type { Http2ServerConnection } from "./http2-connection.ts";
import { RequestSink } from "./http2-request.ts";
import type { ConnectionUser, ResponseSource, ServerConnection } from "./server-connection.ts";

/**
 * The stream of one exchange to its server, with the interface of a connection. Accepts an HTTP/1.1 request, and emits
 * an HTTP/1.1 response.
 */
export class UpstreamStream implements ServerConnection, ResponseSource {
  readonly protocol = "h2";
  /** False, since a stream carries only one exchange. */
  readonly isOpen = false;
  readonly times: DialTimes | null;
  readonly used: boolean;
  refused = false;
  resetCode: number | null = null;
  readonly socket: RequestSink;
  readonly #connection: Http2ServerConnection;
  readonly #now: () => Instant;
  #stream: ClientHttp2Stream | null = null;
  #user: ConnectionUser | null = null;
  #method = "GET";
  #events: ResponseEvent[] = [];
  #body = NO_BODY;
  #trailers: RawFields | null = null;
  /** When the latest head arrived. */
  #headAt: Instant | null = null;
  #ended = false;
  #error: Error | null = null;
  #isReserved = true;

  /** `times`: the connection set-up for which this exchange waited. */
  constructor(connection: Http2ServerConnection, times: DialTimes | null, now: () => Instant) {
    this.#connection = connection;
    this.#now = now;
    this.times = times;
    this.used = connection.used;
    connection.used = true;
    connection.reserve();
    this.socket = new RequestSink(
      connection.opened.tls === null ? "http" : "https",
      (head, endStream) => this.#open(head, endStream),
      () => this.#user?.speaksHttp2 === true,
      connection.memory.unsent,
      () => this.#user?.serverDrained(),
    );
  }

  get opened(): PooledSocket {
    return this.#connection.opened;
  }

  get stream(): number | null {
    return this.#stream?.id ?? null;
  }

  get reader(): ResponseSource {
    return this;
  }

  set user(user: ConnectionUser | null) {
    this.#user = user;
  }

  expect(method: string): void {
    this.#method = method;
  }

  next(): ResponseEvent | null {
    return this.#events.shift() ?? null;
  }

  /** Always `truncated`, since a stream that ended in order has already emitted its end. */
  finish(): "truncated" {
    return "truncated";
  }

  get hasRest(): boolean {
    return false;
  }

  /** Always empty, since nghttp2 accepts nothing that would need repairs. */
  get repairs(): ReadonlySet<Repair> {
    return NO_REPAIRS;
  }

  rest(): Buffer {
    return NOTHING;
  }

  /** Does nothing: a server that stops reading resets the stream, and what it sent before the reset is still read. */
  surviveWriteErrors(): void {}

  handOver(): Socket {
    throw new Error("a stream has no socket of its own to hand over");
  }

  destroy(code: number | null = null): void {
    this.#user = null;
    const stream = this.#stream;
    if (stream === null) this.#release();
    // Unread input would keep the stream alive, even after a reset by the server.
    stream?.resume();
    if (stream === null || stream.closed) return;
    if (this.#ended && this.socket.ended) return this.#connection.linger(stream);
    // Deferred: while Node 26 is reading a response together with its end, closing the stream aborts the process.
    setImmediate(() => stream.close(codeForServer(code)));
    this.#connection.resetting();
    // The reservation ends before the reset, because the reset may wait behind data that the server does not read.
    this.#release();
  }

  #open(fields: RawFields, endStream: boolean): ClientHttp2Stream {
    const { events, readTime } = this.#connection;
    const stream = this.#connection.request(fields, endStream, !endStream);
    this.#stream = stream;
    // Node sends the frames of one turn together, in an immediate. That immediate is queued already, so it runs before
    // this one.
    setImmediate(() => this.#user?.sent(this.#now()));
    stream.on("headers", (_headers: unknown, _flags: unknown, raw: RawFields) => {
      const at = readTime.read();
      events.emitted(() => this.#interim(raw, at));
    });
    stream.on("response", (_headers: unknown, flags: number, raw: RawFields) => {
      const at = readTime.read();
      events.emitted(() => this.#responded(raw, (flags & END_STREAM) !== 0, at));
    });
    stream.on("data", (bytes: Buffer) => events.emitted(() => this.#received(bytes)));
    stream.on("trailers", (_headers: unknown, _flags: unknown, raw: RawFields) => {
      this.#trailers = raw;
    });
    const endedInOrder = watchEnd(stream);
    stream.on("end", () => {
      if (endedInOrder()) events.emitted(() => this.#end());
    });
    stream.on("error", (error: Error) => {
      this.#error ??= error;
    });
    stream.on("close", () => {
      const { isConnected } = this.#connection;
      events.emitted(() => this.#closed(stream, isConnected));
    });
    return stream;
  }

  #interim(raw: RawFields, at: Instant): void {
    this.#headAt = at;
    const read = responseHeadFrom(raw, false, this.#method);
    if (read.kind === "head") this.#push(read, { kind: "end", wire: NOTHING });
    else this.#push(read);
  }

  #responded(raw: RawFields, ended: boolean, at: Instant): void {
    this.#headAt = at;
    const read = responseHeadFrom(raw, ended, this.#method);
    if (read.kind === "refused") return this.#push(read);
    this.#body = new StreamBody(read.head.framing);
    this.#events.push(read);
    // The exchange does not wait for the stream's end, which may arrive only after the client has disconnected.
    if (ended || this.#body.isWhole) return this.#end();
    this.#user?.received(this.#headAt);
  }

  #received(bytes: Buffer): void {
    if (this.#user === null || this.#ended || bytes.length === 0) return;
    const refused = this.#body.add(bytes, (wire, data) => this.#events.push({ kind: "body", wire, data }));
    if (refused !== null) this.#push(refused);
    else if (this.#body.isWhole) this.#end();
    else this.#user.received();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = this.#body.missing === 0;
    this.#push(this.#body.endWith(this.#trailers));
  }

  #push(...events: readonly ResponseEvent[]): void {
    this.#events.push(...events);
    this.#user?.received(this.#headAt);
  }

  #release(): void {
    if (!this.#isReserved) return;
    this.#isReserved = false;
    this.#connection.release(this.#now());
  }

  #isUnspoken(): boolean {
    const { opened, limit } = this.#connection;
    const code = this.#error !== null && "code" in this.#error ? this.#error.code : null;
    return opened.tls === null && limit === null && code === "ERR_HTTP2_ERROR";
  }

  /** `wasConnected`: whether the connection had not ended before the stream. */
  #closed(stream: ClientHttp2Stream, wasConnected: boolean): void {
    const code = stream.rstCode;
    const isBefore = this.#connection.isUnprocessed(stream) || code === CODES.refusedStream;
    this.refused = isBefore || code === CODES.http11Required;
    if (code === CODES.http11Required) this.#connection.whenUnwanted();
    if (wasConnected) this.resetCode = codeForClient(code);
    // Node does not report CANCEL as an error.
    if (this.resetCode === CODES.cancel) this.#error ??= CANCELLED;
    this.#release();
    this.#user?.serverEnded(this.#isUnspoken() ? UNSPOKEN : this.#error);
  }
}

/** The error for a server that supports only HTTP/1.1, on a connection where TLS did not choose the protocol. */
const UNSPOKEN = Object.freeze(Object.assign(new Error("no SETTINGS"), { code: "ERR_HTTP2_NO_SETTINGS" }));

const CANCELLED = Object.freeze(
  Object.assign(new Error("Stream closed with error code NGHTTP2_CANCEL"), { code: "ERR_HTTP2_STREAM_ERROR" }),
);
const NOTHING = Buffer.alloc(0);
const NO_REPAIRS: ReadonlySet<Repair> = new Set();
