import { Buffer } from "node:buffer";
import type { ServerHttp2Stream } from "node:http2";
import { LIMITS } from "../http1/limits.ts";
import type { ResponseHead } from "../http1/message.ts";
import { ResponseReader } from "../http1/response-reader.ts";
import type { Sink } from "../outflow.ts";
import { fieldsFrom, objectOf, type RawFields, trailersOf } from "./message-text.ts";

/**
 * The answer on one stream of a client: takes it as the HTTP/1.1 message that an exchange writes, and says it in HTTP/2.
 * A head waits for the end of what is written with it: an answer without a body is one frame (gRPC's "trailers only").
 */
export class StreamAnswer implements Sink {
  readonly #stream: ServerHttp2Stream;
  readonly #reader = new ResponseReader(LIMITS);
  #corked = false;
  #head: ResponseHead | null = null;
  #trailers: RawFields = [];
  /** Whether the last word about trailers comes from us, and has not been said. */
  #owesTrailers = false;
  #whenSaid: (() => void) | null = null;

  constructor(stream: ServerHttp2Stream, method: string) {
    this.#stream = stream;
    this.#reader.expect(method);
    stream.on("wantTrailers", () => {
      stream.sendTrailers(objectOf(this.#trailers));
      this.#owesTrailers = false;
      // Node says them in an immediate of its own, which comes before this one.
      setImmediate(() => this.#whenSaid?.());
    });
  }

  write(piece: string | Buffer): boolean {
    this.#reader.feed(typeof piece === "string" ? Buffer.from(piece, "latin1") : piece);
    this.#read();
    if (!this.#corked) this.#respond(false);
    return !this.#stream.writableNeedDrain;
  }

  cork(): void {
    this.#corked = true;
  }

  uncork(): void {
    this.#corked = false;
    this.#respond(false);
  }

  /** Nothing more will be written: a body that ends with its connection ends here. */
  finish(): void {
    if (this.#reader.finish() === "complete") this.#read();
  }

  /** Calls `then` when the answer has been said to its end. */
  whenSaid(then: () => void): void {
    if (this.#owesTrailers) this.#whenSaid = then;
    else then();
  }

  #read(): void {
    for (let event = this.#reader.next(); event !== null; event = this.#reader.next()) {
      if (!isOpen(this.#stream)) continue;
      switch (event.kind) {
        case "head":
          this.#respond(false);
          if (event.head.status < 200) this.#stream.additionalHeaders(objectOf(fieldsOfHead(event.head)));
          else this.#head = event.head;
          break;
        case "body":
          this.#respond(false);
          for (const piece of event.data) if (!this.#stream.writableEnded) this.#stream.write(piece);
          break;
        case "end":
          this.#end(event.wire);
          break;
        case "refused":
          throw new Error(`an exchange wrote an answer that cannot be read: ${event.problem.reason}`);
      }
    }
  }

  #end(wire: Buffer): void {
    if (!this.#stream.headersSent && this.#head === null) return; // of an interim head
    this.#trailers = wire.length === 0 ? [] : trailersOf(wire);
    this.#respond(this.#trailers.length === 0);
    if (!this.#stream.writableEnded) this.#stream.end();
  }

  #respond(endStream: boolean): void {
    const head = this.#head;
    if (head === null) return;
    this.#head = null;
    if (!isOpen(this.#stream)) return;
    const waitForTrailers = !endStream && head.framing.kind === "chunked" && !this.#stream.writableEnded;
    this.#owesTrailers = waitForTrailers;
    // Node's types do not know that an answer can go without a Date of its own.
    const options = { endStream, waitForTrailers, sendDate: false };
    this.#stream.respond(fieldsOfHead(head), options);
  }
}

function isOpen(stream: ServerHttp2Stream): boolean {
  return !stream.destroyed && !stream.closed;
}

function fieldsOfHead(head: ResponseHead): string[] {
  return [":status", String(head.status), ...fieldsFrom(head.headers)];
}
