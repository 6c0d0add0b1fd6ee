import { Buffer } from "node:buffer";
import type { ServerHttp2Stream } from "node:http2";
import type { ResponseHead } from "../http1/message.ts";
import { ResponseReader } from "../http1/response-reader.ts";
import { INNER_LIMITS } from "../http2/limits.ts";
import { fieldsFrom, objectOf, type RawFields, trailersOf } from "../http2/message-text.ts";
import { finishWithTrailers } from "../http2/stream-end.ts";
import { StreamWriter } from "../http2/stream-writer.ts";
import { BUFFERS, type BufferBudget } from "../sockets/buffer-budget.ts";
import type { Sink } from "../sockets/write-buffer.ts";

/**
 * The response on one stream of a client: parses the HTTP/1.1 message that an exchange writes, and sends it as HTTP/2.
 * Holds the final response while corked, so that a response without a body is one frame (gRPC's "Trailers-Only").
 */
export class StreamResponse implements Sink {
  /** Whether the server's response came over HTTP/2. */
  isExact = false;
  readonly #stream: ServerHttp2Stream;
  readonly #reader = new ResponseReader(INNER_LIMITS);
  readonly #body: StreamWriter;
  #corked = false;
  /** The head, if it was parsed but not sent yet. */
  #head: ResponseHead | null = null;
  #pieces: Buffer[] = [];
  #isWhole = false;
  #trailers: RawFields = [];
  #isFinal = false;
  /** Whether Node waits for our trailers before it ends the stream. */
  #isHeld = false;
  #whenSent: (() => void) | null = null;

  /** `unsent`: counts the bytes held on all streams. `drained`: called when the stream accepts bytes again. */
  constructor(stream: ServerHttp2Stream, method: string, unsent: BufferBudget, drained: () => void) {
    this.#stream = stream;
    this.#body = new StreamWriter(stream, drained, BUFFERS, unsent);
    this.#reader.expect(method);
    stream.on("wantTrailers", () => {
      // The stream of a truncated body stays open until its reset. Otherwise Node would first send END_STREAM, and the
      // body would look complete.
      if (!this.#isWhole) return;
      stream.sendTrailers(objectOf(this.#trailers));
      // Node sends the trailers in an immediate that it has already queued, so they are sent before this callback runs.
      setImmediate(() => {
        this.#isHeld = false;
        this.#whenSent?.();
      });
    });
  }

  write(piece: string | Buffer): boolean {
    this.#reader.feed(typeof piece === "string" ? Buffer.from(piece, "latin1") : piece);
    this.#read();
    if (!this.#corked) this.#send();
    return this.#body.hasRoom();
  }

  cork(): void {
    this.#corked = true;
  }

  uncork(): void {
    this.#corked = false;
    this.#send();
  }

  /** Called after the last write. Completes a body that only the connection's end delimits. */
  finish(): void {
    if (this.#reader.finish() === "complete") this.#read();
    this.#send();
  }

  /** Calls `then` once the whole response was sent. */
  whenSent(then: () => void): void {
    if (this.#isHeld) this.#whenSent = then;
    else then();
  }

  #read(): void {
    for (let event = this.#reader.next(); event !== null; event = this.#reader.next()) {
      switch (event.kind) {
        case "head":
          this.#isFinal = event.head.status >= 200;
          if (this.#isFinal) this.#head = event.head;
          else if (isOpen(this.#stream)) this.#stream.additionalHeaders(objectOf(this.#fieldsOf(event.head)));
          break;
        case "body":
          this.#pieces.push(...event.data);
          break;
        case "end":
          this.#isWhole = this.#isFinal;
          if (event.wire.length > 0) this.#trailers = trailersOf(event.wire, this.isExact);
          break;
        case "refused":
          throw new Error(`an exchange wrote an answer that cannot be read: ${event.problem.reason}`);
      }
    }
  }

  #send(): void {
    const pieces = this.#pieces;
    this.#pieces = [];
    const stream = this.#stream;
    if (!isOpen(stream)) return;
    if (this.#head !== null) this.#respond(this.#head, pieces.length === 0);
    this.#head = null;
    for (const piece of pieces) if (!stream.writableEnded) this.#body.write(piece);
    if (this.#isWhole && !stream.writableEnded) stream.end();
  }

  #respond(head: ResponseHead, isEmpty: boolean): void {
    // Node sets END_STREAM on the head of a 205, so trailers of a 205 are dropped.
    const isAll = this.#isWhole && (this.#trailers.length === 0 || head.status === 205);
    const endStream = isAll && isEmpty;
    this.#isHeld = !isAll && !this.#stream.writableEnded;
    // A variable, because Node's types do not list `sendDate` and would refuse it in a literal.
    const options = { endStream, waitForTrailers: this.#isHeld, sendDate: false };
    if (this.#isHeld) finishWithTrailers(this.#stream);
    this.#stream.respond(this.#fieldsOf(head), options);
  }

  #fieldsOf({ headers, status }: ResponseHead): string[] {
    return fieldsFrom(headers, this.isExact, [":status", String(status)]);
  }
}

function isOpen(stream: ServerHttp2Stream): boolean {
  return !stream.destroyed && !stream.closed;
}
