import { Buffer } from "node:buffer";
import type { ServerHttp2Stream } from "node:http2";
import type { ResponseHead } from "../http1/message.ts";
import { ResponseReader } from "../http1/response-reader.ts";
import type { Sink } from "../outflow.ts";
import { INNER_LIMITS } from "./limits.ts";
import { fieldsFrom, objectOf, type RawFields, trailersOf } from "./message-text.ts";
import { finishWithTrailers } from "./stream-end.ts";

/**
 * The answer on one stream of a client: takes it as the HTTP/1.1 message that an exchange writes, and says it in HTTP/2.
 * What is written together is said together: an answer without a body is one frame (gRPC's "trailers only").
 */
export class StreamAnswer implements Sink {
  readonly #stream: ServerHttp2Stream;
  readonly #reader = new ResponseReader(INNER_LIMITS);
  #corked = false;
  /** Read, and not yet said. */
  #head: ResponseHead | null = null;
  #pieces: Buffer[] = [];
  #isWhole = false;
  #trailers: RawFields = [];
  #isFinal = false;
  /** Whether Node waits for us before it ends the stream. */
  #isHeld = false;
  #whenSaid: (() => void) | null = null;

  constructor(stream: ServerHttp2Stream, method: string) {
    this.#stream = stream;
    this.#reader.expect(method);
    stream.on("wantTrailers", () => {
      // Node ends a stream before it resets it: a body that was cut off would look whole if this did not hold it open.
      if (!this.#isWhole) return;
      stream.sendTrailers(objectOf(this.#trailers));
      // Node says them in an immediate of its own, which comes before this one.
      setImmediate(() => {
        this.#isHeld = false;
        this.#whenSaid?.();
      });
    });
  }

  write(piece: string | Buffer): boolean {
    this.#reader.feed(typeof piece === "string" ? Buffer.from(piece, "latin1") : piece);
    this.#read();
    if (!this.#corked) this.#say();
    return !this.#stream.writableNeedDrain;
  }

  cork(): void {
    this.#corked = true;
  }

  uncork(): void {
    this.#corked = false;
    this.#say();
  }

  /** Nothing more will be written: a body that ends with its connection ends here. */
  finish(): void {
    if (this.#reader.finish() === "complete") this.#read();
    this.#say();
  }

  /** Calls `then` when the answer has been said to its end. */
  whenSaid(then: () => void): void {
    if (this.#isHeld) this.#whenSaid = then;
    else then();
  }

  #read(): void {
    for (let event = this.#reader.next(); event !== null; event = this.#reader.next()) {
      switch (event.kind) {
        case "head":
          this.#isFinal = event.head.status >= 200;
          if (this.#isFinal) this.#head = event.head;
          else if (isOpen(this.#stream)) this.#stream.additionalHeaders(objectOf(fieldsOfHead(event.head)));
          break;
        case "body":
          this.#pieces.push(...event.data);
          break;
        case "end":
          this.#isWhole = this.#isFinal;
          if (event.wire.length > 0) this.#trailers = trailersOf(event.wire);
          break;
        case "refused":
          throw new Error(`an exchange wrote an answer that cannot be read: ${event.problem.reason}`);
      }
    }
  }

  #say(): void {
    const pieces = this.#pieces;
    this.#pieces = [];
    const stream = this.#stream;
    if (!isOpen(stream)) return;
    if (this.#head !== null) this.#respond(this.#head, pieces.length === 0);
    this.#head = null;
    for (const piece of pieces) if (!stream.writableEnded) stream.write(piece);
    if (this.#isWhole && !stream.writableEnded) stream.end();
  }

  #respond(head: ResponseHead, isEmpty: boolean): void {
    const isAll = this.#isWhole && this.#trailers.length === 0;
    const endStream = isAll && isEmpty;
    this.#isHeld = !isAll && !this.#stream.writableEnded;
    // Node's types do not know that an answer can go without a Date of its own.
    const options = { endStream, waitForTrailers: this.#isHeld, sendDate: false };
    if (this.#isHeld) finishWithTrailers(this.#stream);
    this.#stream.respond(fieldsOfHead(head), options);
  }
}

function isOpen(stream: ServerHttp2Stream): boolean {
  return !stream.destroyed && !stream.closed;
}

function fieldsOfHead(head: ResponseHead): string[] {
  return fieldsFrom(head.headers, [":status", String(head.status)]);
}
