import { Buffer } from "node:buffer";
import type { ClientHttp2Stream } from "node:http2";
import type { RequestHead } from "../http1/message.ts";
import { RequestReader } from "../http1/request-reader.ts";
import type { Sink } from "../outflow.ts";
import { INNER_LIMITS } from "./limits.ts";
import { endFitsHttp2, fieldsFrom, objectOf, type RawFields, trailersOf } from "./message-text.ts";
import { finishWithTrailers } from "./stream-end.ts";

/** Begins a stream with that head; `endStream`: no body follows. */
type Begin = (fields: RawFields, endStream: boolean) => ClientHttp2Stream;

/** The request on one stream to a server: takes it as the HTTP/1.1 message that an exchange sends, and says it in HTTP/2. */
export class RequestSink implements Sink {
  readonly #scheme: "http" | "https";
  readonly #begin: Begin;
  readonly #reader = new RequestReader(INNER_LIMITS);
  #stream: ClientHttp2Stream | null = null;
  #trailers: RawFields = [];
  #ended = false;

  constructor(scheme: "http" | "https", begin: Begin) {
    this.#scheme = scheme;
    this.#begin = begin;
  }

  /** Whether all of the request has been said. */
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
          for (const bytes of event.data) if (this.#stream?.writable === true) this.#stream.write(bytes);
          break;
        case "end":
          // It would end the connection with all its streams (limits.ts, LONGEST_FIELD).
          if (!endFitsHttp2(event.wire)) {
            this.#stream?.destroy(UNSPEAKABLE);
            break;
          }
          this.#ended = true;
          if (event.wire.length > 0) this.#trailers = trailersOf(event.wire);
          if (this.#stream?.writableEnded === false) this.#stream.end();
          break;
        case "refused":
          throw new Error(`an exchange sent a request that cannot be read: ${event.problem.reason}`);
      }
    }
    return this.#stream?.writableNeedDrain !== true;
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
    const isBodiless = framing.kind === "none" || (framing.kind === "length" && framing.length === 0);
    const others = headers.filter(({ name }) => name !== "host");
    const pseudo = [":method", method, ":scheme", this.#scheme, ":authority", host ?? "", ":path", target];
    const stream = this.#begin(fieldsFrom(others, pseudo), isBodiless);
    this.#stream = stream;
    // Node ends a stream before it resets it: a request that was cut off would look whole if this did not hold it open.
    if (!isBodiless) finishWithTrailers(stream);
    stream.on("wantTrailers", () => {
      if (this.#ended) stream.sendTrailers(objectOf(this.#trailers));
    });
  }
}

const UNSPEAKABLE = Object.assign(new Error("a trailer field over 64 KB"), { code: "ERR_HTTP2_TRAILER_TOO_LONG" });
