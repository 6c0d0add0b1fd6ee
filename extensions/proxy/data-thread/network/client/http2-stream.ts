import type { ServerHttp2Stream } from "node:http2";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import type { Refusal, RequestHead } from "../http1/message.ts";
import { CODES } from "../http2/codes.ts";
import type { ConnectionMemory } from "../http2/connection-memory.ts";
import { type RawFields, requestHeadFrom } from "../http2/message-text.ts";
import type { ReadTime } from "../http2/read-time.ts";
import { NO_BODY, StreamBody } from "../http2/stream-body.ts";
import { watchEnd } from "../http2/stream-end.ts";
import type { StreamEvents } from "../http2/stream-events.ts";
import { UnreadInput } from "../http2/unread-input.ts";
import type { Client, ClientExchange, ClientPeer } from "../relay/client-exchange.ts";
import { errorResponse, writeResponse } from "../relay/generated-response.ts";
import {
  CLIENT_GONE,
  type Failure,
  http2BrokenByClient,
  isHttp2Violation,
  requestReset,
  TOO_MANY_FIELDS,
} from "../sockets/error-type.ts";
import type { OnSent } from "../sockets/slowed-socket.ts";
import { WriteBuffer } from "../sockets/write-buffer.ts";
import type { ClientNetwork } from "./client-network.ts";
import type { InnerRoute, ReverseRoute } from "./destination.ts";
import { recordMalformed, startExchange } from "./exchange-start.ts";
import type { OnReceipt } from "./half-close.ts";
import { StreamResponse } from "./http2-response.ts";

/** What all streams of a connection share. */
export interface StreamHost extends ClientPeer, Pick<Client, "slowed"> {
  readonly ingress: InnerRoute | ReverseRoute;
  readonly network: ClientNetwork;
  readonly readTime: ReadTime;
  readonly events: StreamEvents;
  readonly memory: ConnectionMemory;
  /** Called when a request was read to its end, and again when its exchange has finished. */
  requested(): void;
}

/** One HTTP/2 stream of a client (RFC 9113, 5), used like a connection with a single exchange. */
export class StreamClient implements Client {
  readonly stream: number;
  readonly out: WriteBuffer;
  readonly resent = null;
  readonly #host: StreamHost;
  readonly #stream: ServerHttp2Stream;
  readonly #response: StreamResponse;
  #exchange: ClientExchange | null = null;
  #body = NO_BODY;
  #trailers: RawFields | null = null;
  #isRequestRead = false;

  constructor(stream: ServerHttp2Stream, raw: RawFields, host: StreamHost) {
    this.#host = host;
    this.#stream = stream;
    this.stream = stream.id ?? 0;
    host.memory.opened();
    new UnreadInput(stream, host.memory);
    this.#response = new StreamResponse(stream, methodIn(raw), host.memory.unsent, () =>
      this.#exchange?.clientDrained(),
    );
    this.out = new WriteBuffer(this.#response);
  }

  /**
   * Starts the exchange, in this turn or a later one. `raw`: the head of the request; `ended`: no body follows. The
   * stream's listeners are made elsewhere, because each function made here would keep `raw` in memory.
   */
  start(raw: RawFields, ended: boolean): void {
    const stream = this.#stream;
    const { events, readTime, slowed } = this.#host;
    const at = readTime.read();
    const arrivedAt = slowed?.arrivedAt ?? at;
    // Ignored: `#failure` reads the cause when the stream closes.
    stream.on("error", ignored);
    // At once, so that no work is begun for a stream that was reset.
    stream.on("aborted", this.#onGone);
    stream.on("close", this.#onGone);
    stream.on("trailers", this.#onTrailers);
    events.emitted(() => {
      if (readTime.isOfThisTurn(at)) return this.#headArrived(raw, ended, arrivedAt, at);
      if (this.peer.socket.destroyed) return;
      this.#headArrived(raw, ended, arrivedAt, at);
      if (stream.closed) this.#onGone();
    });
  }

  get peer(): ClientPeer {
    return this.#host;
  }

  get slowed(): Client["slowed"] {
    return this.#host.slowed;
  }

  whenSent(done: OnSent): void {
    const { slowed } = this.#host;
    if (slowed === null) return done(true);
    const onSent = (): void => slowed.whenSent(done);
    // Deferred, because Node writes the frames of a turn after it.
    if (this.#stream.closed || this.#stream.destroyed) setImmediate(onSent);
    else this.#stream.once("close", () => setImmediate(onSent));
  }

  get isInFlight(): boolean {
    return this.#exchange !== null;
  }

  /** The number of response bytes that the client has not read. */
  get pendingBytes(): number {
    return this.#stream.bufferSize;
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  answeredOver(protocol: "http/1.1" | "h2"): void {
    this.#response.isExact = protocol === "h2";
  }

  awaitReceipt(done: OnReceipt): void {
    done(null);
  }

  /** Ends the response, and drops the unread rest of the request (RFC 9113, 8.1). */
  finished(): void {
    this.#host.requested();
    this.#exchange = null;
    this.#response.finish();
    if (this.#isRequestRead) return;
    const stream = this.#stream;
    // A request may be refused only after its stream was reset. Unread input would keep the stream alive.
    if (stream.closed) return void stream.resume();
    stream.pause();
    const close = (): void => {
      stream.close(CODES.noError);
      // Node frees a stream only after its input was read, so the dropped bytes are read here.
      stream.resume();
    };
    // Waits until the response was sent. Otherwise Node would defer the reset, and drop it if the session ended first.
    // Node could then send empty frames of the stream forever (Http2Stream::Provider::Stream::OnRead).
    this.#response.whenSent(() => {
      if (stream.writableFinished) close();
      else stream.once("finish", close);
    });
  }

  destroy(_reset: boolean, code: number | null = null): void {
    this.#exchange = null;
    this.#stream.close(code ?? CODES.internalError);
  }

  handOver(): Buffer {
    throw new Error("a stream has no socket of its own to hand over");
  }

  expire(now: Instant): void {
    this.#exchange?.expire(now);
  }

  stop(): void {
    this.#exchange?.stop();
  }

  #headArrived(raw: RawFields, ended: boolean, arrivedAt: Instant, at: Instant): void {
    const { events, ingress } = this.#host;
    // Clients reach a reverse port without TLS, even if its origin is https.
    const scheme = ingress.kind === "reverse" ? "http" : ingress.origin.scheme;
    const read = requestHeadFrom(raw, ended, scheme);
    if (read.kind === "head") return this.#begin(read.head, ended, arrivedAt, at);
    const { status, reason } = read.problem;
    // Deferred: if trailers above Node's limit came with this head, a pending response would keep them in memory.
    // Node 26 aborts if such trailers outlive the session (Http2Session::~Http2Session).
    setImmediate(() => events.emitted(() => this.#refuse(status, reason, raw, at)));
  }

  #begin(head: RequestHead, ended: boolean, at: Instant, headReceived: Instant): void {
    const { events, network, ingress } = this.#host;
    const stream = this.#stream;
    this.#body = new StreamBody(head.framing);
    this.#exchange = startExchange({ head, at, headReceived }, ingress, this, network);
    if (ended) {
      this.#end();
      stream.resume();
      return;
    }
    stream.on("data", (bytes: Buffer) => events.emitted(() => this.#received(bytes)));
    // Needed besides `aborted`. Once the response is complete, Node reports a reset with NO_ERROR or CANCEL only after
    // all input was read.
    const endedInOrder = watchEnd(stream, this.#onGone);
    stream.on("end", () => {
      if (endedInOrder()) events.emitted(() => this.#end());
    });
    this.#exchange.inputRead();
  }

  #received(bytes: Buffer): void {
    const exchange = this.#exchange;
    if (exchange === null) return;
    const refused = this.#body.add(bytes, (wire, data) => exchange.requestBody(wire, data));
    if (refused !== null) return broken(exchange, refused);
    exchange.inputRead();
  }

  #end(): void {
    const exchange = this.#exchange;
    if (this.#isRequestRead) return;
    this.#isRequestRead = true;
    this.#host.requested();
    if (exchange === null) return;
    const end = this.#body.endWith(this.#trailers);
    if (end.kind === "end") exchange.requestEnd(end.wire);
    else broken(exchange, end);
  }

  #refuse(status: number, reason: string, raw: RawFields, at: Instant): void {
    const { network, ingress } = this.#host;
    recordMalformed({ seen: Buffer.from(seenIn(raw), "latin1"), at, status, reason }, ingress, this, network);
    const answer = errorResponse(status, `The request could not be read: ${reason}.`);
    writeResponse(this.out, answer, methodIn(raw), false);
    this.finished();
  }

  readonly #onTrailers = (_headers: unknown, _flags: unknown, trailers: RawFields): void => {
    this.#trailers = trailers;
  };

  readonly #onGone = (): void => {
    const exchange = this.#exchange;
    this.#exchange = null;
    exchange?.clientGone(this.#stream.rstCode ?? null, this.#failure(), null);
    // Unread input would keep the stream alive.
    this.#stream.resume();
  };

  /**
   * Returns why the stream closed early. PROTOCOL_ERROR means a malformed request only while the request is incomplete
   * and no response has begun; later it may concern the response.
   */
  #failure(): Failure {
    const { errored, rstCode, headersSent, sentInfoHeaders = [] } = this.#stream;
    if (isHttp2Violation(errored)) return http2BrokenByClient(this.#isRequestRead);
    if (rstCode === CODES.enhanceYourCalm && !this.#isRequestRead) return TOO_MANY_FIELDS;
    const isAnswered = headersSent || sentInfoHeaders.length > 0;
    if (rstCode !== CODES.protocolError || this.#isRequestRead || isAnswered) return CLIENT_GONE;
    return requestReset(this.#body.length, this.#body.missing);
  }
}

function ignored(): void {}

function broken(exchange: ClientExchange, { problem }: Refusal): void {
  exchange.requestBroken("request-malformed", 400, `The request could not be read: ${problem.reason}.`);
}

function methodIn(raw: RawFields): string {
  return fieldIn(raw, ":method") ?? "GET";
}

/** The received fields as text, in the form of an HTTP/1.1 head. */
function seenIn(raw: RawFields): string {
  const lines = raw.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${raw[at + 1] ?? ""}`] : []));
  return [`${methodIn(raw)} ${fieldIn(raw, ":path") ?? "/"} HTTP/2`, ...lines, "", ""].join("\r\n");
}

function fieldIn(raw: RawFields, name: string): string | undefined {
  const at = raw.indexOf(name);
  return at < 0 || at % 2 === 1 ? undefined : raw[at + 1];
}
