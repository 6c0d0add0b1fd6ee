import { headerOf } from "../../../src/engine/model/head.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import type { Clock } from "../clock.ts";
import type { Client } from "./client-exchange.ts";
import type { Failure } from "./error-type.ts";
import { EventStream } from "./event-stream.ts";
import { endsConnection, forwardedResponseHead } from "./http1/forwarded-head.ts";
import type { RequestHead, ResponseHead } from "./http1/message.ts";
import { endFitsHttp2, fitsHttp2, shownHead } from "./http2/message-text.ts";
import { PROXY_CREDENTIALS } from "./proxy-connect.ts";
import type { Recording } from "./recording.ts";
import type { ServerConnection } from "./server-connection.ts";

/** Our choice: more interim responses than this are a flood. */
const INTERIM = 100;

/** What came of reading: there is more to come, it was the end, the server speaks another protocol now, or it is no answer. */
export type DownloadStep =
  | "more"
  | "ended"
  | { readonly kind: "switched"; readonly head: ResponseHead }
  | { readonly kind: "failed"; readonly failure: Failure };

/** One response on its way to the client, the interim ones before it included: read, recorded, and sent as it comes. */
export class Download {
  readonly #request: RequestHead;
  readonly #client: Client;
  readonly #recording: Recording;
  readonly #clock: Clock;
  /** By a further proxy, which reads what is for proxies. */
  readonly #fetchedByProxy: boolean;
  #head: ResponseHead | null = null;
  #keepsClient = false;
  #done = false;
  /** When the first bytes came of what may become the final response. */
  #firstByteAt: Instant | null = null;
  #events: EventStream | null = null;
  #interim = 0;
  #isInterim = false;
  #interimAt: Instant | null = null;

  constructor(request: RequestHead, client: Client, recording: Recording, clock: Clock, fetchedByProxy: boolean) {
    this.#request = request;
    this.#client = client;
    this.#recording = recording;
    this.#clock = clock;
    this.#fetchedByProxy = fetchedByProxy;
  }

  /** The final one's; `null` until it came. */
  get head(): ResponseHead | null {
    return this.#head;
  }

  /** Whether the server has said all of it. */
  get done(): boolean {
    return this.#done;
  }

  /** Whether anything has come of what may become the final response. */
  get hasBegun(): boolean {
    return this.#firstByteAt !== null;
  }

  /** When the answer's head began to come, or before that the last interim response came. */
  get heardAt(): Instant | null {
    return this.#firstByteAt ?? this.#interimAt;
  }

  /** Whether the client's connection goes on after it. */
  get keepsClient(): boolean {
    return this.#keepsClient && !this.#client.draining;
  }

  /** Bytes of it have come; `at`: `null` for now. */
  came(at: Instant | null): void {
    this.#firstByteAt ??= at ?? this.#clock.now();
  }

  /** Takes what the server's reader has. `isAsked`: whether all of the request has been said. */
  read({ reader, protocol }: ServerConnection, isAsked: boolean): DownloadStep {
    for (;;) {
      const event = reader.next();
      if (event === null) return "more";
      switch (event.kind) {
        case "head": {
          const step = this.#takeHead(event.head, protocol, isAsked);
          if (step !== "more") return step;
          break;
        }
        case "body":
          this.#takeBody(event.wire, event.data);
          break;
        case "end":
          if (!this.#isInterim) return this.#end(event.wire);
          this.#isInterim = false;
          break;
        case "refused":
          return malformed(`The server's answer is malformed: ${event.problem.reason}.`);
      }
    }
  }

  /** Hands the client what was read; false: it cannot take more just now. */
  send(): boolean {
    const { out } = this.#client;
    if (out.size === 0) return true;
    const { instants } = this.#recording;
    if (this.#head !== null && instants.responseForwarded === null) {
      out.atFlush(() => {
        instants.responseForwarded ??= this.#clock.now();
      });
    }
    return out.flushSoon();
  }

  /** Sends the head by which the server has switched protocols, at once: what follows is none of ours. */
  sendSwitch(head: ResponseHead): void {
    this.#record(head, head.text);
    this.#client.out.add(forwardedResponseHead(head, { client: "1.1", close: false }));
    this.#client.out.flush();
  }

  #takeHead(head: ResponseHead, protocol: ServerConnection["protocol"], isAsked: boolean): DownloadStep {
    if (head.status === 101) return { kind: "switched", head };
    if (this.#client.stream !== null && !fitsHttp2(head)) return UNSPEAKABLE;
    if (head.status < 200) return this.#takeInterim(head);
    if (head.status === 407 && this.#fetchedByProxy) return { kind: "failed", failure: PROXY_CREDENTIALS };
    this.#head = head;
    this.#record(head, protocol === "h2" ? shownHead(head.text) : head.text);
    if (isEventStream(head.text)) {
      this.#recording.tag("event-stream");
      // Compressed ones pass as they are; the body shows them.
      this.#events = headerOf(head.text, "content-encoding") === null ? new EventStream() : null;
    }
    const { version, keepAlive } = this.#request;
    // The rest of a request whose server does not listen to it ends the connection (RFC 9113, 8.1: no head tells that).
    const mayEndEarly = !isAsked && (!head.keepAlive || protocol === "h2");
    this.#keepsClient = keepAlive && !mayEndEarly && !endsConnection(head, version);
    this.#client.out.add(forwardedResponseHead(head, { client: version, close: !this.keepsClient }));
    return "more";
  }

  #takeInterim(head: ResponseHead): DownloadStep {
    this.#interim += 1;
    if (this.#interim > INTERIM) return malformed(`The server sent more than ${INTERIM} interim answers.`);
    this.#isInterim = true;
    this.#interimAt = this.#clock.now();
    this.#firstByteAt = null;
    if (this.#request.version === "1.1")
      this.#client.out.add(forwardedResponseHead(head, { client: "1.1", close: false }));
    return "more";
  }

  #takeBody(wire: Buffer, data: readonly Buffer[]): void {
    for (const piece of data) this.#recording.body("response", piece);
    if (this.#events !== null) this.#tellEvents(this.#events, data);
    if (this.#isUnwrapped()) for (const piece of data) this.#client.out.add(piece);
    else this.#client.out.add(wire);
  }

  #end(wire: Buffer): DownloadStep {
    const { out, stream } = this.#client;
    if (stream !== null && !endFitsHttp2(wire)) return UNSPEAKABLE;
    const { instants } = this.#recording;
    if (!this.#isUnwrapped()) out.add(wire);
    out.atFlush(() => {
      instants.responseEnd = this.#clock.now();
      instants.responseForwarded ??= instants.responseEnd;
    });
    out.flushSoon();
    this.#done = true;
    return "ended";
  }

  #record({ status }: ResponseHead, text: string): void {
    const at = this.#firstByteAt ?? this.#clock.now();
    this.#recording.instants.responseStart = at;
    this.#recording.responseStarted(at, status, text);
  }

  #tellEvents(events: EventStream, pieces: readonly Buffer[]): void {
    for (const piece of pieces) {
      for (const event of events.take(piece)) {
        this.#recording.message({ at: this.#clock.now(), side: "response", kind: "event", ...event });
      }
    }
  }

  /** An HTTP/1.0 client knows no chunks: it gets the bare payload, and the connection's end as its end. */
  #isUnwrapped(): boolean {
    return this.#request.version === "1.0" && this.#head?.framing.kind === "chunked";
  }
}

function malformed(detail: string): DownloadStep {
  return { kind: "failed", failure: { errorType: "response-malformed", detail } };
}

/** It would end the client's connection with all its streams (http2/limits.ts, LONGEST_FIELD). */
const UNSPEAKABLE = malformed("The server's answer has a field over 64 KB, which most clients of HTTP/2 do not take.");

/** A plain search first: almost no head has the word, and the pattern is far dearer. */
function isEventStream(head: string): boolean {
  return head.includes("event-stream") && /\ncontent-type:[ \t]*text\/event-stream/i.test(head);
}
