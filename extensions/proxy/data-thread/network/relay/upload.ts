import type { Clock } from "../../../process/clock.ts";
import { forwardedRequestHead, type RequestEdits } from "../http1/forwarded-head.ts";
import type { RequestHead } from "../http1/message.ts";
import { compact, PIECE_WEIGHT } from "../sockets/buffer-budget.ts";
import { WriteBuffer } from "../sockets/write-buffer.ts";
import type { ServerConnection } from "../upstream/server-connection.ts";
import type { Client } from "./client-exchange.ts";
import type { ExchangeEmitter } from "./exchange-emitter.ts";

/** The client is paused when more bytes than this wait for the server's connection. */
const EARLY = 64 * 1024;
/** The most bytes kept of the body, in case the server refuses the request unprocessed (RFC 9113, 8.7). */
const KEPT = 64 * 1024;
/** Idempotent methods (RFC 9110, 9.2.2). */
const IDEMPOTENT = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]);

/** One request on its way to the server. Held until there is a connection, then sent as fast as the server reads it. */
export class Upload {
  readonly #head: RequestHead;
  readonly #edits: RequestEdits;
  readonly #client: Client;
  readonly #emitter: ExchangeEmitter;
  readonly #clock: Clock;
  #out = new WriteBuffer(null);
  #connected = false;
  #done = false;
  /** All bytes of the body so far; `null` if they are not kept. */
  #copy: Buffer[] | null;
  #copySize = 0;

  /** `keepsBody`: whether to keep the body for a second attempt, because an HTTP/2 server may refuse the request. */
  constructor(
    head: RequestHead,
    edits: RequestEdits,
    client: Client,
    emitter: ExchangeEmitter,
    clock: Clock,
    keepsBody: boolean,
  ) {
    this.#head = head;
    this.#edits = edits;
    this.#client = client;
    this.#emitter = emitter;
    this.#clock = clock;
    this.#copy = keepsBody ? [] : null;
    this.restart();
  }

  /** Whether the request was read to its end. */
  get done(): boolean {
    return this.#done;
  }

  /** Whether all bytes of the request so far are still in memory. */
  get isBuffered(): boolean {
    return this.#copy !== null || (this.#done && this.#head.framing.kind === "none");
  }

  /** Whether sending the request again is harmless even if it arrived the first time (RFC 9110, 9.2.2). */
  get isIdempotent(): boolean {
    return this.#head.framing.kind === "none" && IDEMPOTENT.has(this.#head.method);
  }

  /** Whether the request may be sent again from its beginning after a failed attempt. */
  get isRepeatable(): boolean {
    return this.#done && this.isIdempotent;
  }

  /** Prepares to send the request again from its beginning, over another connection. */
  restart(): void {
    this.#connected = false;
    this.#out.discard();
    this.#emitter.requestRestarted();
    this.#out = new WriteBuffer(null);
    this.#out.add(forwardedRequestHead(this.#head, this.#edits));
    for (const piece of this.#copy ?? []) this.#out.add(piece);
  }

  attach(connection: ServerConnection): void {
    this.#connected = true;
    this.#out.attach(connection.socket);
  }

  body(wire: Buffer, data: readonly Buffer[]): void {
    for (const piece of data) this.#emitter.body("request", piece);
    this.#add(wire);
  }

  finish(wire: Buffer): void {
    this.#done = true;
    this.#add(wire);
    this.send();
  }

  send(): void {
    if (!this.#connected) {
      if (!this.#out.hasRoom() || this.#out.held > EARLY) this.#client.pause();
      return;
    }
    const { requestStart, requestEnd } = this.#emitter;
    if (requestStart === null || (this.#done && requestEnd === null)) this.#out.beforeFlush(this.#beforeFlush);
    if (this.#out.flushSoon()) return;
    this.#client.pause();
    this.#emitter.paused("request");
  }

  /** Flushes at once, before the connection gets another user. */
  flushWaiting(): void {
    this.#out.flushWaiting();
  }

  /**
   * Records that the request starts or ends. Called before the write, because a busy process might otherwise read the
   * clock after the server's response.
   */
  readonly #beforeFlush = (): void => {
    const now = this.#clock.now();
    this.#emitter.requestStarted(now);
    if (this.#done) this.#emitter.requestEnded(now);
  };

  #add(wire: Buffer): void {
    const piece = this.#connected && this.#copy === null ? wire : compact(wire);
    this.#out.add(piece);
    if (this.#copy === null) return;
    this.#copySize += piece.length + PIECE_WEIGHT;
    if (this.#copySize > KEPT) this.#copy = null;
    else this.#copy.push(piece);
  }
}
