import { Buffer } from "node:buffer";
import type { ClientHttp2Stream } from "node:http2";
import type { RequestHead } from "../http1/message.ts";
import { isEmpty } from "../http1/message-reader.ts";
import { RequestReader } from "../http1/request-reader.ts";
import { INNER_LIMITS } from "../http2/limits.ts";
import { endFitsHttp2, fieldsFrom, objectOf, type RawFields, trailersOf } from "../http2/message-text.ts";
import { finishWithTrailers } from "../http2/stream-end.ts";
import { StreamWriter } from "../http2/stream-writer.ts";
import { BUFFERS, type BufferBudget } from "../sockets/buffer-budget.ts";
import type { Sink } from "../sockets/write-buffer.ts";

/** Begins a stream with these fields. `endStream`: no body follows. */
type Begin = (fields: RawFields, endStream: boolean) => ClientHttp2Stream;

/**
 * The request on one stream to a server: parses the HTTP/1.1 message that an exchange writes, and sends it as HTTP/2.
 */
export class RequestSink implements Sink {
  readonly #scheme: "http" | "https";
  readonly #begin: Begin;
  /** Whether the request came over HTTP/2. */
  readonly #isExact: () => boolean;
  readonly #reader = new RequestReader(INNER_LIMITS);
  readonly #unsent: BufferBudget;
  readonly #drained: () => void;
  #stream: ClientHttp2Stream | null = null;
  #body: StreamWriter | null = null;
  #trailers: RawFields = [];
  #ended = false;

  /** `unsent`: counts the bytes held on all streams. `drained`: called when the stream accepts bytes again. */
  constructor(
    scheme: "http" | "https",
    begin: Begin,
    isExact: () => boolean,
    unsent: BufferBudget,
    drained: () => void,
  ) {
    this.#scheme = scheme;
    this.#begin = begin;
    this.#isExact = isExact;
    this.#unsent = unsent;
    this.#drained = drained;
  }

  /** Whether the whole request was sent. */
  get ended(): boolean {
    return this.#ended;
  }

  write(piece: string | Buffer): boolean {
    this.#reader.feed(typeof piece === "string" ? Buffer.from(piece, "latin1") : piece);
    for (let event = this.#reader.next(); event !== null; event = this.#reader.next()) {
      switch (event.kind) {
        case "head":
          this.#head(event.head);
          break;
        case "body":
          for (const bytes of event.data) if (this.#stream?.writable === true) this.#body?.write(bytes);
          break;
        case "end":
          // Sending trailers that are too long would end the connection with all its streams (limits.ts,
          // LONGEST_FIELD).
          if (!endFitsHttp2(event.wire)) {
            this.#stream?.destroy(TRAILER_TOO_LONG);
            break;
          }
          this.#ended = true;
          if (event.wire.length > 0) this.#trailers = trailersOf(event.wire, this.#isExact());
          if (this.#stream?.writableEnded === false) this.#stream.end();
          break;
        case "refused":
          throw new Error(`an exchange sent a request that cannot be read: ${event.problem.reason}`);
      }
    }
    return this.#body?.hasRoom() !== false;
  }

  cork(): void {}

  uncork(): void {}

  pause(): void {
    this.#stream?.pause();
  }

  resume(): void {
    this.#stream?.resume();
  }

  isPaused(): boolean {
    return this.#stream?.isPaused() === true;
  }

  #head(head: RequestHead): void {
    const { method, target, host, framing, headers } = head;
    const isBodiless = isEmpty(framing);
    const others = headers.filter(({ name }) => name !== "host");
    const pseudo = [":method", method, ":scheme", this.#scheme, ":authority", host ?? "", ":path", target];
    const stream = this.#begin(fieldsFrom(others, this.#isExact(), pseudo), isBodiless);
    this.#stream = stream;
    this.#body = new StreamWriter(stream, this.#drained, BUFFERS, this.#unsent);
    if (!isBodiless) finishWithTrailers(stream);
    stream.on("wantTrailers", () => {
      // The stream of a truncated request stays open until its reset. Otherwise Node would first send END_STREAM, and
      // the request would look complete.
      if (this.#ended) stream.sendTrailers(objectOf(this.#trailers));
    });
  }
}

const TRAILER_TOO_LONG = Object.assign(new Error("a trailer field over 64 KB"), { code: "ERR_HTTP2_TRAILER_TOO_LONG" });
