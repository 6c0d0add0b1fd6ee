import type { Instant } from "../../../../src/engine/model/units.ts";
import type { Clock } from "../../process/clock.ts";
import { forwardedRequestHead, type RequestEdits } from "../http1/forwarded-head.ts";
import type { RequestHead } from "../http1/message.ts";
import { PIECE_WEIGHT } from "../sockets/held-budget.ts";
import { WriteBuffer } from "../sockets/write-buffer.ts";
import type { ServerConnection } from "../upstream/server-connection.ts";
import type { Client } from "./client-exchange.ts";
import type { ExchangeEmitter } from "./exchange-emitter.ts";

/** Default; not from a specification. Request bytes buffered while the server is being dialled. */
const EARLY = 64 * 1024;
/**
 * Default; not from a specification. Body bytes kept in case the server refuses the request unprocessed (RFC 9113,
 * 8.7).
 */
const KEPT = 64 * 1024;
/** RFC 9110, 9.2.2. */
const IDEMPOTENT = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]);

/** One request on its way to the server: buffered until there is a connection, then sent at the server's pace. */
export class Upload {
  readonly #head: RequestHead;
  readonly #edits: RequestEdits;
  readonly #client: Client;
  readonly #emitter: ExchangeEmitter;
  readonly #clock: Clock;
  #out = new WriteBuffer(null);
  #connected = false;
  #done = false;
  /** All body bytes so far; `null`: not kept. */
  #copy: Buffer[] | null;
  #copySize = 0;

  /** `keepsBody`: the request may have to be resent for another reason than a dead connection. */
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

  /** Whether the request has been read to its end. */
  get done(): boolean {
    return this.#done;
  }

  /** Whether all received bytes of the request are still in memory. */
  get isBuffered(): boolean {
    return this.#copy !== null || (this.#done && this.#head.framing.kind === "none");
  }

  /** Whether resending the request is harmless even if it arrived (RFC 9110, 9.2.2). */
  get isIdempotent(): boolean {
    return this.#head.framing.kind === "none" && IDEMPOTENT.has(this.#head.method);
  }

  /** Whether the request may be resent from its beginning after a failed attempt. */
  get isRepeatable(): boolean {
    return this.#done && this.isIdempotent;
  }

  /** Prepares to resend the request from its beginning, over another connection. */
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
      if (this.#out.held > EARLY) this.#client.pause();
      return;
    }
    const { requestStart, requestEnd } = this.#emitter;
    if (requestStart === null || (this.#done && requestEnd === null)) this.#out.beforeFlush(this.#beforeFlush);
    if (this.#out.flushSoon()) return;
    this.#client.pause();
    this.#emitter.paused("request");
  }

  /** Flushes at once, before another user takes the connection. */
  flushWaiting(): void {
    this.#out.flushWaiting();
  }

  /** The request's head was sent at `at`; nothing was sent before. */
  sent(at: Instant): void {
    this.#emitter.requestDelayed(at);
  }

  /** Called before writing: the server may respond before a busy process runs again. */
  readonly #beforeFlush = (): void => {
    const now = this.#clock.now();
    this.#emitter.requestStarted(now);
    if (this.#done) this.#emitter.requestEnded(now);
  };

  #add(wire: Buffer): void {
    this.#out.add(wire);
    if (this.#copy === null) return;
    this.#copySize += wire.length + PIECE_WEIGHT;
    if (this.#copySize > KEPT) this.#copy = null;
    else this.#copy.push(wire);
  }
}
