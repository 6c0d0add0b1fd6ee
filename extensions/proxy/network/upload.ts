import type { Clock } from "../clock.ts";
import type { Client } from "./client-exchange.ts";
import { forwardedRequestHead, type RequestEdits } from "./http1/forwarded-head.ts";
import type { RequestHead } from "./http1/message.ts";
import { Outflow } from "./outflow.ts";
import type { Recording } from "./recording.ts";
import type { ServerConnection } from "./server-connection.ts";

/** Our choice: request bytes taken in while the server is still being dialled. */
const EARLY = 64 * 1024;
/** RFC 9110, 9.2.2: may be sent twice. */
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

  constructor(head: RequestHead, edits: RequestEdits, client: Client, recording: Recording, clock: Clock) {
    this.#head = head;
    this.#edits = edits;
    this.#client = client;
    this.#recording = recording;
    this.#clock = clock;
    this.restart();
  }

  /** Whether the client has said all of it. */
  get done(): boolean {
    return this.#done;
  }

  /** Whether it is no more than its head, which is still here. */
  get isBodiless(): boolean {
    return this.#done && this.#head.framing.kind === "none";
  }

  /** Whether it may be sent once more from its beginning, after it was sent in vain. */
  get isRepeatable(): boolean {
    return this.isBodiless && IDEMPOTENT.has(this.#head.method);
  }

  /** To be sent from the beginning, to a connection that is to come. */
  restart(): void {
    this.#connected = false;
    this.#recording.instants.requestStart = null;
    this.#recording.instants.requestEnd = null;
    this.#out = new Outflow(null);
    this.#out.add(forwardedRequestHead(this.#head, this.#edits));
  }

  attach(connection: ServerConnection): void {
    this.#connected = true;
    this.#out.attach(connection.socket);
  }

  body(wire: Buffer, data: readonly Buffer[]): void {
    for (const piece of data) this.#recording.body("request", piece);
    this.#out.add(wire);
  }

  end(wire: Buffer): void {
    this.#done = true;
    this.#out.add(wire);
    this.send();
  }

  send(): void {
    if (!this.#connected) {
      if (this.#out.size > EARLY) this.#client.pause();
      return;
    }
    const { instants } = this.#recording;
    if (this.#out.size > 0) {
      if (!this.#out.flush()) this.#client.pause();
      instants.requestStart ??= this.#clock.now();
    }
    if (this.#done) instants.requestEnd ??= this.#clock.now();
  }
}
