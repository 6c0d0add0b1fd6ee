import type { Instant } from "../../../src/engine/model/units.ts";
import type { Clock } from "../clock.ts";
import type { Client } from "./client-exchange.ts";
import { forwardedRequestHead, type RequestEdits } from "./http1/forwarded-head.ts";
import type { RequestHead } from "./http1/message.ts";
import { Outflow } from "./outflow.ts";
import type { Recording } from "./recording.ts";
import type { ServerConnection } from "./server-connection.ts";

/** Our choice: request bytes taken in while the server is still being dialled. */
const EARLY = 64 * 1024;
/** Our choice: bytes of a body kept in case the server refuses the request unread (RFC 9113, 8.7). */
const KEPT = 64 * 1024;
/** RFC 9110, 9.2.2. */
const IDEMPOTENT = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]);

/** One request on its way to the server: collected while there is none yet, then sent at the server's pace. */
export class Upload {
  readonly #head: RequestHead;
  readonly #edits: RequestEdits;
  readonly #client: Client;
  readonly #recording: Recording;
  readonly #clock: Clock;
  #out = new Outflow(null);
  #connected = false;
  #done = false;
  /** All of the body so far; `null`: it is not kept. */
  #kept: Buffer[] | null;
  #keptSize = 0;

  /** `keeps`: it may have to be sent twice, for another reason than that the connection had died before. */
  constructor(
    head: RequestHead,
    edits: RequestEdits,
    client: Client,
    recording: Recording,
    clock: Clock,
    keeps: boolean,
  ) {
    this.#head = head;
    this.#edits = edits;
    this.#client = client;
    this.#recording = recording;
    this.#clock = clock;
    this.#kept = keeps ? [] : null;
    this.restart();
  }

  /** Whether the client has said all of it. */
  get done(): boolean {
    return this.#done;
  }

  /** Whether all that has come of it is still here. */
  get isHere(): boolean {
    return this.#kept !== null || (this.#done && this.#head.framing.kind === "none");
  }

  /** RFC 9110, 9.2.2: whether it does no harm to send it again, all of it, though it may have arrived. */
  get mayBeSentTwice(): boolean {
    return this.#head.framing.kind === "none" && IDEMPOTENT.has(this.#head.method);
  }

  /** Whether it may be sent once more from its beginning, after it was sent in vain. */
  get isRepeatable(): boolean {
    return this.#done && this.mayBeSentTwice;
  }

  /** To be sent from the beginning, to a connection that is to come. */
  restart(): void {
    this.#connected = false;
    this.#out.discard();
    this.#recording.instants.requestStart = null;
    this.#recording.instants.requestEnd = null;
    this.#out = new Outflow(null);
    this.#out.add(forwardedRequestHead(this.#head, this.#edits));
    for (const piece of this.#kept ?? []) this.#out.add(piece);
  }

  attach(connection: ServerConnection): void {
    this.#connected = true;
    this.#out.attach(connection.socket);
  }

  body(wire: Buffer, data: readonly Buffer[]): void {
    for (const piece of data) this.#recording.body("request", piece);
    this.#add(wire);
  }

  end(wire: Buffer): void {
    this.#done = true;
    this.#add(wire);
    this.send();
  }

  send(): void {
    if (!this.#connected) {
      if (this.#out.size > EARLY) this.#client.pause();
      return;
    }
    const { requestStart, requestEnd } = this.#recording.instants;
    if (requestStart === null || (this.#done && requestEnd === null)) this.#out.atFlush(this.#goesOut);
    if (!this.#out.flushSoon()) this.#client.pause();
  }

  /** Somebody else is to use the connection. */
  flushWaiting(): void {
    this.#out.flushWaiting();
  }

  /** The head went out at that time, and nothing before it. */
  sent(at: Instant): void {
    const { instants } = this.#recording;
    instants.requestStart = at;
    if (instants.requestEnd !== null && instants.requestEnd < at) instants.requestEnd = at;
  }

  /** Before it is written: the server may answer while we wait for our turn of a busy processor. */
  readonly #goesOut = (): void => {
    const { instants } = this.#recording;
    const now = this.#clock.now();
    instants.requestStart ??= now;
    if (this.#done) instants.requestEnd ??= now;
  };

  #add(wire: Buffer): void {
    this.#out.add(wire);
    if (this.#kept === null) return;
    this.#keptSize += wire.length;
    if (this.#keptSize > KEPT) this.#kept = null;
    else this.#kept.push(wire);
  }
}
