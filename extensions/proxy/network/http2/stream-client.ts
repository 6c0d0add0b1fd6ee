import type { ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { troubleAnswer, writeAnswer } from "../answer.ts";
import type { Client, ClientExchange } from "../client-exchange.ts";
import { beginExchange, recordMalformed } from "../exchange-beginning.ts";
import type { RequestHead } from "../http1/message.ts";
import type { Network } from "../network.ts";
import type { Origin } from "../origin.ts";
import { Outflow } from "../outflow.ts";
import type { UpstreamConnection } from "../upstream-connection.ts";
import { LAST_CHUNK, tellChunk } from "./chunk-framing.ts";
import { CODES } from "./codes.ts";
import { chunkedEndOf, type RawFields, requestHeadFrom } from "./message-text.ts";
import type { ReadTime } from "./read-time.ts";
import { StreamAnswer } from "./stream-answer.ts";
import { watchEnd } from "./stream-end.ts";

/** What the streams of one connection share. */
export interface StreamHost
  extends Pick<Client, "socket" | "connection" | "address" | "isRemote" | "bound" | "draining"> {
  readonly origin: Origin;
  readonly network: Network;
  readonly readTime: ReadTime;
}

/** One stream of a client (RFC 9113, 5): a client with one exchange. */
export class StreamClient implements Client {
  readonly stream: number;
  readonly out: Outflow;
  readonly resent = false;
  readonly #host: StreamHost;
  readonly #stream: ServerHttp2Stream;
  readonly #answer: StreamAnswer;
  #exchange: ClientExchange | null = null;
  #isChunked = false;
  /** Of a body with a length: bytes still to come. */
  #left = 0;
  #trailers: RawFields | null = null;
  /** Whether the request has been read to its end. */
  #heard = false;

  constructor(stream: ServerHttp2Stream, raw: RawFields, ended: boolean, host: StreamHost) {
    this.#host = host;
    this.#stream = stream;
    this.stream = stream.id ?? 0;
    const { origin } = host;
    const { at } = host.readTime;
    const read = requestHeadFrom(raw, ended, origin.scheme);
    this.#answer = new StreamAnswer(stream, read.kind === "head" ? read.head.method : methodIn(raw));
    this.out = new Outflow(this.#answer);
    // What it was is in its code.
    stream.on("error", () => {});
    stream.on("aborted", this.#gone);
    stream.on("close", this.#gone);
    stream.on("drain", () => this.#exchange?.clientDrained());
    if (read.kind === "head") this.#begin(read.head, ended, at);
    else {
      const { status, reason } = read.problem;
      // Not at once: an answer on its way to a stream whose trailers, read in the same go, are too many for Node holds them
      // longer than their session lives, and Node 26 aborts (Http2Session::~Http2Session).
      setImmediate(() => this.#refuse(status, reason, raw, at));
    }
  }

  get socket(): Socket {
    return this.#host.socket;
  }

  get connection(): number {
    return this.#host.connection;
  }

  get address(): string {
    return this.#host.address;
  }

  get isRemote(): boolean {
    return this.#host.isRemote;
  }

  get bound(): Map<string, UpstreamConnection> {
    return this.#host.bound;
  }

  get draining(): boolean {
    return this.#host.draining;
  }

  get isInFlight(): boolean {
    return this.#exchange !== null;
  }

  /** Bytes of its answer that the client has not taken. */
  get owed(): number {
    return this.#stream.bufferSize;
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  /** The rest of a request that has its answer is not wanted (RFC 9113, 8.1). */
  finished(): void {
    this.#exchange = null;
    this.#answer.finish();
    if (this.#heard) return;
    const stream = this.#stream;
    stream.pause();
    const close = (): void => {
      stream.close(CODES.noError);
      // Node lets go of a stream once all that came of it was read, and that is for nobody now.
      stream.resume();
    };
    // Node would wait with the reset until the answer is out, and forget it where the session ends before: asked for data of a
    // stream that is gone, it gives empty frames for ever (Http2Stream::Provider::Stream::OnRead).
    this.#answer.whenSaid(() => {
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

  #begin(head: RequestHead, ended: boolean, at: Instant): void {
    const { network, origin } = this.#host;
    const stream = this.#stream;
    this.#isChunked = head.framing.kind === "chunked";
    this.#left = head.framing.kind === "length" ? head.framing.length : 0;
    this.#exchange = beginExchange({ head, at, headReceived: at }, { kind: "origin", origin }, this, network);
    if (ended) {
      this.#end();
      stream.resume();
      return;
    }
    stream.on("data", this.#received);
    stream.on("trailers", (_headers: unknown, _flags: unknown, raw: RawFields) => {
      this.#trailers = raw;
    });
    // Of a reset without an error behind a whole answer Node tells nothing else before all was read.
    const endedInOrder = watchEnd(stream, this.#gone);
    stream.on("end", () => {
      if (endedInOrder()) this.#end();
    });
    this.#exchange.inputRead();
  }

  readonly #received = (bytes: Buffer): void => {
    const exchange = this.#exchange;
    if (exchange === null) return;
    this.#host.network.memory.read(bytes.length);
    if (this.#isChunked) tellChunk(bytes, (wire, data) => exchange.requestBody(wire, data));
    else if (bytes.length > this.#left) return this.#broken(exchange, "a body longer than its length");
    else {
      this.#left -= bytes.length;
      exchange.requestBody(bytes, [bytes]);
    }
    exchange.inputRead();
  };

  #end(): void {
    const exchange = this.#exchange;
    if (this.#heard) return;
    this.#heard = true;
    if (exchange === null) return;
    if (this.#left > 0) return this.#broken(exchange, "a body shorter than its length");
    if (!this.#isChunked) return exchange.requestEnd(NOTHING);
    const end = this.#trailers === null ? { kind: "end" as const, wire: LAST_CHUNK } : chunkedEndOf(this.#trailers);
    if (end.kind === "end") return exchange.requestEnd(end.wire);
    this.#broken(exchange, end.problem.reason);
  }

  /** nghttp2 finds most of it first (RFC 9113, 8.1.1); what is forwarded is framed by what we have counted. */
  #broken(exchange: ClientExchange, reason: string): void {
    this.#exchange = exchange;
    exchange.requestBroken("request-malformed", 400, `The request could not be read: ${reason}.`);
  }

  #refuse(status: number, reason: string, raw: RawFields, at: Instant): void {
    const { network, origin } = this.#host;
    const route = { kind: "origin", origin } as const;
    recordMalformed({ seen: Buffer.from(seenIn(raw), "latin1"), at, status, reason }, route, this, network);
    const answer = troubleAnswer(status, `The request could not be read: ${reason}.`);
    writeAnswer(this.out, answer, methodIn(raw), false);
    this.finished();
  }

  readonly #gone = (): void => {
    const exchange = this.#exchange;
    this.#exchange = null;
    exchange?.clientGone(this.#stream.rstCode ?? null);
    // What came of it and was not read would keep it.
    this.#stream.resume();
  };
}

const NOTHING = Buffer.alloc(0);

function methodIn(raw: RawFields): string {
  return fieldIn(raw, ":method") ?? "GET";
}

/** What came, in a form that can be shown. */
function seenIn(raw: RawFields): string {
  const lines = raw.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${raw[at + 1] ?? ""}`] : []));
  return [`${methodIn(raw)} ${fieldIn(raw, ":path") ?? "/"} HTTP/2`, ...lines, "", ""].join("\r\n");
}

function fieldIn(raw: RawFields, name: string): string | undefined {
  const at = raw.indexOf(name);
  return at < 0 || at % 2 === 1 ? undefined : raw[at + 1];
}
