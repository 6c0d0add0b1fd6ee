import type { Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";
import type { Clock } from "../../../process/clock.ts";
import { endsConnection, forwardedResponseHead, type ResponseEdits } from "../http1/forwarded-head.ts";
import { LIMITS, MOST_INTERIM, type RequestHead, type ResponseHead } from "../http1/message.ts";
import { isEmpty } from "../http1/message-reader.ts";
import { type Relocation, relocatedHead } from "../http1/relocated-head.ts";
import { endFitsHttp2, fitsHttp2, shownHead } from "../http2/message-text.ts";
import type { Failure } from "../sockets/error-type.ts";
import { READ_TURN } from "../sockets/read-turn.ts";
import { proxyCredentials } from "../upstream/proxy-connect.ts";
import type { ServerConnection } from "../upstream/server-connection.ts";
import type { Client } from "./client-exchange.ts";
import type { ExchangeEmitter } from "./exchange-emitter.ts";
import { type EventSink, eventFormOf, eventsInto, type LateStream, lateStreamOf } from "./streamed-events.ts";

/**
 * What `read` found: more bytes are needed, reading must continue in a later turn, the response has ended, the protocol
 * was switched, the response is held until `due`, or it failed.
 */
export type DownloadStep =
  | "more"
  | "later"
  | "ended"
  | { readonly kind: "switched"; readonly head: ResponseHead }
  | { readonly kind: "held"; readonly due: Instant }
  | { readonly kind: "failed"; readonly failure: Failure };

/**
 * One response on its way to the client, with the interim responses before it. Parsed, recorded and forwarded as it
 * arrives.
 */
export class Download {
  readonly #request: RequestHead;
  readonly #client: Client;
  readonly #emitter: ExchangeEmitter;
  readonly #clock: Clock;
  /** Whether an upstream proxy fetches the response. Such a proxy handles the fields for proxies itself. */
  readonly #fetchedByProxy: boolean;
  readonly #relocation: Relocation | null;
  #head: ResponseHead | null = null;
  /** The head of a 205 while a body may still follow. Forwarded only once the response has ended without a body. */
  #heldHead: ResponseHead | null = null;
  #delayed: { readonly head: ResponseHead; readonly level: Milliseconds } | null = null;
  #keepsClient = false;
  #done = false;
  /** When the first byte of the current response arrived. Reset after each interim response. */
  #firstByteAt: Instant | null = null;
  #events: EventSink | null = null;
  /** The body that is forwarded, but not yet split into events, since 64 KiB may be thousands of events. */
  #unsplit: Buffer[] = [];
  #lateStream: LateStream | null = null;
  #interim = 0;
  #interimLines = 0;
  #isInterim = false;
  #interimAt: Instant | null = null;

  constructor(
    request: RequestHead,
    client: Client,
    emitter: ExchangeEmitter,
    clock: Clock,
    fetchedByProxy: boolean,
    relocation: Relocation | null,
  ) {
    this.#request = request;
    this.#client = client;
    this.#emitter = emitter;
    this.#clock = clock;
    this.#fetchedByProxy = fetchedByProxy;
    this.#relocation = relocation;
  }

  /** The head of the final response; `null` before it is forwarded. */
  get head(): ResponseHead | null {
    return this.#head;
  }

  get hasHead(): boolean {
    return this.#head !== null || this.#heldHead !== null || this.isHeld;
  }

  /** Whether an experiment holds the response. */
  get isHeld(): boolean {
    return this.#delayed !== null;
  }

  /** Whether the response has ended. */
  get done(): boolean {
    return this.#done;
  }

  /** Whether a byte of the current response has arrived. False again after each interim response. */
  get hasBegun(): boolean {
    return this.#firstByteAt !== null;
  }

  /**
   * When the current response began to arrive. Before that, when the last interim response arrived; `null` without one.
   */
  get lastProgressAt(): Instant | null {
    return this.#firstByteAt ?? this.#interimAt;
  }

  /** Whether the client's connection can stay open after the response. */
  get keepsClient(): boolean {
    return this.#keepsClient && !this.#client.peer.draining;
  }

  /** Called when bytes of the response arrive. `at`: when they arrived; `null` for now. */
  onBytes(at: Instant | null): void {
    if (this.#firstByteAt !== null) return;
    this.#firstByteAt = at ?? this.#clock.now();
    this.#emitter.firstByte();
  }

  /** Handles the events of the server's reader. `isRequestRead`: whether the request was read to its end. */
  read(server: ServerConnection, isRequestRead: boolean): DownloadStep {
    const step = this.#read(server, isRequestRead);
    const { repairs } = server.reader;
    if (repairs.size > 0) for (const repair of repairs) this.#emitter.tag(repair);
    return step;
  }

  /** Begins to forward a held response. `isRequestRead`: as in `read`. */
  release({ protocol }: ServerConnection, isRequestRead: boolean): void {
    if (this.#delayed === null) return;
    const { head, level } = this.#delayed;
    this.#delayed = null;
    this.#emitter.released(this.#clock.now(), level);
    this.#begin(head, protocol, isRequestRead);
  }

  #read({ reader, protocol }: ServerConnection, isRequestRead: boolean): DownloadStep {
    const slice = READ_TURN.slice();
    for (;;) {
      if (slice.isOver) return "later";
      if (this.#unsplit.length > 0) {
        this.#splitSome();
        continue;
      }
      const event = reader.next();
      if (event === null) return "more";
      switch (event.kind) {
        case "head": {
          const step = this.#onHead(event.head, protocol, isRequestRead);
          if (step !== "more") return step;
          break;
        }
        case "body":
          if (this.#heldHead !== null) return RESET_WITH_BODY;
          this.#onBody(event.wire, event.data);
          break;
        case "end":
          if (this.#heldHead !== null) this.#begin(this.#heldHead, protocol, isRequestRead);
          if (!this.#isInterim) return this.#onEnd(event.wire);
          this.#isInterim = false;
          break;
        case "refused":
          return malformed(`${this.#malformedDetail()}: ${event.problem.reason}.`);
      }
    }
  }

  /** Sends the bytes read so far to the client; returns false if the caller must wait for the client's `drain`. */
  send(): boolean {
    const { out } = this.#client;
    if (out.size === 0) return true;
    if (this.#head !== null && !this.#emitter.isForwarded)
      out.beforeFlush(() => this.#emitter.responseForwarded(this.#clock.now()));
    return out.flushSoon();
  }

  /** Forwards the head of a protocol switch at once, since the bytes after it are not HTTP. */
  sendSwitch(head: ResponseHead): void {
    this.#record(head, head.text);
    this.#client.out.add(this.#forwarded(head, { client: "1.1", close: false }));
    this.#client.out.flush();
  }

  #onHead(head: ResponseHead, protocol: ServerConnection["protocol"], isRequestRead: boolean): DownloadStep {
    if (head.status === 101) return { kind: "switched", head };
    if (this.#client.stream !== null && !fitsHttp2(head)) return TOO_LONG_FOR_HTTP2;
    this.#client.answeredOver(protocol);
    if (head.status < 200) return this.#onInterim(head);
    if (head.status === 407 && this.#fetchedByProxy) return { kind: "failed", failure: proxyCredentials(head) };
    if (head.status !== 205 || isEmpty(head.framing)) return this.#onFinalHead(head, protocol, isRequestRead);
    if (head.framing.kind === "length") return RESET_WITH_BODY;
    else this.#heldHead = head;
    return "more";
  }

  #onFinalHead(head: ResponseHead, protocol: ServerConnection["protocol"], isRequestRead: boolean): DownloadStep {
    const began = this.#firstByteAt ?? this.#clock.now();
    const level = this.#emitter.holdOf(head.text, began);
    if (level !== null && level > 0) {
      this.#delayed = { head, level };
      return { kind: "held", due: (began + level) as Instant };
    }
    if (level !== null) this.#emitter.released(began, level);
    this.#begin(head, protocol, isRequestRead);
    return "more";
  }

  #begin(head: ResponseHead, protocol: ServerConnection["protocol"], isRequestRead: boolean): void {
    this.#heldHead = null;
    this.#head = head;
    this.#record(head, protocol === "h2" ? shownHead(head.text) : head.text);
    const form = eventFormOf(head, this.#request.target);
    if (form !== null) {
      this.#emitter.tag(form === "event-stream" ? form : "stream");
      this.#events = eventsInto(this.#emitter, this.#clock, head.text, form);
    }
    this.#lateStream = lateStreamOf(head.text, this.#request.target);
    const { version, keepAlive } = this.#request;
    // A server may respond and close without reading the rest of the request. Over HTTP/2, no field of the head
    // announces that (RFC 9113, 8.1).
    const mayEndEarly = !isRequestRead && (!head.keepAlive || protocol === "h2");
    this.#keepsClient = keepAlive && !mayEndEarly && !endsConnection(head, version);
    this.#client.out.add(this.#forwarded(head, { client: version, close: !this.keepsClient }));
  }

  #onInterim(head: ResponseHead): DownloadStep {
    this.#interim += 1;
    if (this.#interim > MOST_INTERIM) return malformed(`The server sent more than ${MOST_INTERIM} interim responses.`);
    // The text also has a status line and an empty line, and ends with CRLF.
    this.#interimLines += head.text.split("\n").length - 3;
    if (this.#interimLines > LIMITS.lines)
      return malformed(`The server sent interim responses with more than ${LIMITS.lines} header lines together.`);
    this.#isInterim = true;
    this.#interimAt = this.#clock.now();
    this.#firstByteAt = null;
    if (this.#request.version === "1.1") this.#client.out.add(this.#forwarded(head, { client: "1.1", close: false }));
    return "more";
  }

  #onBody(wire: Buffer, data: readonly Buffer[]): void {
    for (const piece of data) this.#emitter.body("response", piece);
    if (this.#events !== null) this.#unsplit = [...data];
    if (this.#lateStream?.feed(data, this.#clock.now())) {
      this.#emitter.tag("stream");
      this.#lateStream = null;
    }
    if (this.#isUnwrapped()) for (const piece of data) this.#client.out.add(piece);
    else this.#client.out.add(wire);
  }

  #splitSome(): void {
    const [piece] = this.#unsplit;
    if (piece === undefined || this.#events === null) return;
    const { most } = this.#events;
    this.#events.feed(piece.subarray(0, most));
    if (piece.length > most) this.#unsplit[0] = piece.subarray(most);
    else this.#unsplit.shift();
  }

  #onEnd(wire: Buffer): DownloadStep {
    const { out, stream } = this.#client;
    if (stream !== null && !endFitsHttp2(wire)) return TOO_LONG_FOR_HTTP2;
    if (!this.#isUnwrapped()) out.add(wire);
    out.beforeFlush(() => {
      const at = this.#clock.now();
      this.#emitter.responseForwarded(at);
      this.#emitter.responseEnded(at);
    });
    out.flushSoon();
    this.#events = null;
    this.#done = true;
    return "ended";
  }

  #forwarded(head: ResponseHead, edits: ResponseEdits): string {
    const text = forwardedResponseHead(head, edits);
    return this.#relocation === null ? text : relocatedHead(text, this.#relocation);
  }

  #record({ status }: ResponseHead, text: string): void {
    const at = this.#firstByteAt ?? this.#clock.now();
    this.#emitter.responseStarted(at, status, text);
  }

  #malformedDetail(): string {
    if (this.#head === null) return "The server's response is malformed";
    return `The response was cut off after ${this.#emitter.responseSize} bytes of its body, because it is malformed`;
  }

  /**
   * Whether the response's body is chunked and the client speaks HTTP/1.0. Such a client gets the body without chunks,
   * so only the connection's end delimits it.
   */
  #isUnwrapped(): boolean {
    return this.#request.version === "1.0" && this.#head?.framing.kind === "chunked";
  }
}

function malformed(detail: string): DownloadStep {
  return { kind: "failed", failure: { errorType: "response-malformed", detail } };
}

/**
 * The failure of a response with an overlong field. Forwarding the field would end the client's connection with all its
 * streams (http2/limits.ts, LONGEST_FIELD).
 */
const TOO_LONG_FOR_HTTP2 = malformed(
  "A field in the server's response is over 64 KB, which most HTTP/2 clients refuse.",
);

/**
 * The failure of a 205 with a body, which RFC 9110, 15.3.6, forbids. Clients differ in whether they read such a body,
 * and Node sends none over HTTP/2.
 */
const RESET_WITH_BODY = malformed("The server's response is malformed: a body on a 205 response.");
