import type { ClientHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import type { TlsFacts } from "../../../../src/engine/capture/event.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import type { DialTimes } from "../dial.ts";
import type { Framing, ResponseEvent } from "../http1/message.ts";
import { refusal } from "../http1/refusal.ts";
import type { ConnectionUser, ResponseSource, ServerConnection } from "../server-connection.ts";
import { LAST_CHUNK, tellChunk } from "./chunk-framing.ts";
import { CODES, codeForClient, codeForServer, END_STREAM } from "./codes.ts";
import { chunkedEndOf, type RawFields, responseHeadFrom } from "./message-text.ts";
import { RequestSink } from "./request-sink.ts";
import { watchEnd } from "./stream-end.ts";
import type { UpstreamSession } from "./upstream-session.ts";

/** One exchange's stream to its server: takes an HTTP/1.1 request and gives an HTTP/1.1 answer, as a connection would. */
export class UpstreamStream implements ServerConnection, ResponseSource {
  readonly protocol = "h2";
  /** A stream carries one exchange. */
  readonly isOpen = false;
  readonly times: DialTimes | null;
  readonly used: boolean;
  readonly socket: RequestSink;
  readonly #session: UpstreamSession;
  readonly #now: () => Instant;
  #stream: ClientHttp2Stream | null = null;
  #user: ConnectionUser | null = null;
  #method = "GET";
  #events: ResponseEvent[] = [];
  #framing: Framing = NO_BODY;
  /** Of a body with a length: bytes still to come. */
  #left = 0;
  #trailers: RawFields | null = null;
  /** When the last head came. */
  #headAt: Instant | null = null;
  #ended = false;
  #error: Error | null = null;
  #refused = false;
  #resetCode: number | null = null;
  #isHeld = true;

  /** `times`: what of the session's making was waited for. */
  constructor(session: UpstreamSession, times: DialTimes | null, now: () => Instant) {
    this.#session = session;
    this.#now = now;
    this.times = times;
    this.used = session.used;
    session.used = true;
    session.hold();
    this.socket = new RequestSink(session.tls === null ? "http" : "https", (head, endStream) =>
      this.#open(head, endStream),
    );
  }

  get id(): number {
    return this.#session.id;
  }

  get stream(): number | null {
    return this.#stream?.id ?? null;
  }

  get tls(): TlsFacts | null {
    return this.#session.tls;
  }

  get addressAndPort(): string {
    return this.#session.addressAndPort;
  }

  get openedAt(): Instant {
    return this.#session.openedAt;
  }

  get excepted(): boolean {
    return this.#session.excepted;
  }

  get announced(): boolean {
    return this.#session.announced;
  }

  set announced(announced: boolean) {
    this.#session.announced = announced;
  }

  get reader(): ResponseSource {
    return this;
  }

  get refused(): boolean {
    return this.#refused;
  }

  get resetCode(): number | null {
    return this.#resetCode;
  }

  set user(user: ConnectionUser | null) {
    this.#user = user;
  }

  expect(method: string): void {
    this.#method = method;
  }

  feed(): void {}

  next(): ResponseEvent | null {
    return this.#events.shift() ?? null;
  }

  /** The end of a stream that ended in order is among the events. */
  finish(): "truncated" {
    return "truncated";
  }

  get hasRest(): boolean {
    return false;
  }

  rest(): Buffer {
    return NOTHING;
  }

  /** A stream that is not listened to any more says so, and is read to its end. */
  outliveSending(): void {}

  handOver(): Socket {
    throw new Error("a stream has no socket of its own to hand over");
  }

  destroy(code: number | null = null): void {
    this.#user = null;
    const stream = this.#stream;
    if (stream === null) this.#letGo();
    // What came and was not read would keep it, also where the server has reset it.
    stream?.resume();
    if (stream === null || stream.closed) return;
    if (this.#ended && this.socket.ended) return this.#session.linger(stream);
    // Not at once: where this is about an answer that is just being read, whose end is among it, Node 26 aborts the process.
    setImmediate(() => stream.close(codeForServer(code)));
    // Its reset may stand behind what a server does not read: nobody waits for it.
    this.#letGo();
  }

  #open(fields: RawFields, endStream: boolean): ClientHttp2Stream {
    const stream = this.#session.request(fields, endStream, !endStream);
    this.#stream = stream;
    // Node says frames in an immediate of its own, which comes before this one, and all of a turn together.
    setImmediate(() => this.#user?.sent(this.#now()));
    stream.on("headers", this.#interim);
    stream.on("response", this.#answered);
    stream.on("data", this.#received);
    stream.on("trailers", (_headers: unknown, _flags: unknown, raw: RawFields) => {
      this.#trailers = raw;
    });
    const endedInOrder = watchEnd(stream);
    stream.on("end", () => {
      const isWhole = this.#framing.kind === "length" && this.#left === 0;
      if (isWhole || endedInOrder()) this.#end();
    });
    stream.on("drain", () => this.#user?.serverDrained());
    stream.on("error", (error: Error) => {
      this.#error ??= error;
    });
    stream.on("close", () => this.#closed(stream));
    return stream;
  }

  readonly #interim = (_headers: unknown, _flags: unknown, raw: RawFields): void => {
    this.#headAt = this.#session.readTime.at;
    const read = responseHeadFrom(raw, false, this.#method);
    if (read.kind === "head") this.#tell(read, { kind: "end", wire: NOTHING });
    else this.#tell(read);
  };

  readonly #answered = (_headers: unknown, flags: number, raw: RawFields): void => {
    this.#headAt = this.#session.readTime.at;
    const ended = (flags & END_STREAM) !== 0;
    const read = responseHeadFrom(raw, ended, this.#method);
    if (read.kind === "refused") return this.#tell(read);
    this.#framing = read.head.framing;
    this.#left = this.#framing.kind === "length" ? this.#framing.length : 0;
    this.#events.push(read);
    if (ended) return this.#end();
    this.#user?.received(NOTHING, this.#headAt);
    if (this.#framing.kind !== "chunked" && this.#left === 0) setImmediate(this.#fulfilled);
  };

  readonly #received = (bytes: Buffer): void => {
    if (this.#user === null || this.#ended || bytes.length === 0) return;
    if (this.#framing.kind === "chunked")
      tellChunk(bytes, (wire, data) => this.#events.push({ kind: "body", wire, data }));
    else if (bytes.length > this.#left) return this.#tell(refusal(400, "more bytes than its length"));
    else {
      this.#left -= bytes.length;
      this.#events.push({ kind: "body", wire: bytes, data: [bytes] });
    }
    this.#user.received(bytes);
    if (this.#framing.kind === "length" && this.#left === 0) setImmediate(this.#fulfilled);
  };

  /** It is whole: a client of HTTP/1.1 asks the next thing now, whenever the stream's end comes. Mostly that has come too. */
  readonly #fulfilled = (): void => {
    if (this.#user !== null) this.#end();
  };

  #end(): void {
    if (this.#ended) return;
    if (this.#left > 0) return this.#tell(refusal(400, "fewer bytes than its length"));
    this.#ended = true;
    if (this.#framing.kind !== "chunked") return this.#tell({ kind: "end", wire: NOTHING });
    this.#tell(this.#trailers === null ? { kind: "end", wire: LAST_CHUNK } : chunkedEndOf(this.#trailers));
  }

  #tell(...events: readonly ResponseEvent[]): void {
    this.#events.push(...events);
    this.#user?.received(NOTHING, this.#headAt);
  }

  #letGo(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#session.letGo(this.#now());
  }

  #closed(stream: ClientHttp2Stream): void {
    const code = stream.rstCode;
    const isBefore = this.#session.neverSaw(stream) || code === CODES.refusedStream;
    this.#refused = isBefore || code === CODES.http11Required;
    if (code === CODES.http11Required) this.#session.whenUnwanted();
    if (this.#session.isThere) this.#resetCode = codeForClient(code);
    // Node sees no error in a CANCEL.
    if (this.#resetCode === CODES.cancel) this.#error ??= CANCELLED;
    this.#letGo();
    this.#user?.serverEnded(this.#error);
  }
}

const CANCELLED = Object.freeze(
  Object.assign(new Error("Stream closed with error code NGHTTP2_CANCEL"), { code: "ERR_HTTP2_STREAM_ERROR" }),
);
const NO_BODY: Framing = Object.freeze({ kind: "none" });
const NOTHING = Buffer.alloc(0);
