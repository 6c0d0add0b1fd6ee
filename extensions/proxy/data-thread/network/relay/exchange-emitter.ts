import type { CaptureSink, MessageCaptured, Side, TlsParameters } from "../../../../../src/engine/capture/event.ts";
import type { Outcome, Tag } from "../../../../../src/engine/model/exchange.ts";
import { type Instants, startedAt, type WaitedFor } from "../../../../../src/engine/model/phases.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";
import type { LogEvent } from "../sockets/connection-log.ts";
import { CLIENT_GONE, type Failure } from "../sockets/error-type.ts";
import { MessageMemory } from "../sockets/message-memory.ts";
import { type SlowedClient, type Slowing, slowingOf } from "../sockets/slowed-socket.ts";
import type { DialTimes } from "../upstream/dial.ts";
import type { ServerConnection } from "../upstream/server-connection.ts";
import { BodyCapture } from "./body-capture.ts";
import type { ExperimentHolds, StartedRequest, UnitMember } from "./experiment-holds.ts";

type Mutable<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] };

/** The completed TLS handshake of a client's connection. */
export interface ClientHandshake {
  readonly at: Instant;
  readonly tls: TlsParameters;
  /** Whether the client offered HTTP/2 in ALPN (RFC 7301) but did not get it. */
  readonly isHttp2Refused: boolean;
  /** Whether `client-secured` was emitted. */
  wasEmitted: boolean;
}

/** The facts of an exchange that the head of its request gives. */
interface Beginning extends StartedRequest {
  /** Absent if the head is not complete. */
  readonly headReceived?: Instant | null;
  readonly protocol: string;
  readonly clientConnection: number | null;
  /** Absent over HTTP/1. */
  readonly clientStream?: number | null;
  /** The client's TLS handshake; absent without TLS of ours. */
  readonly handshake?: ClientHandshake | null;
  readonly tags: readonly Tag[];
  /** Finds the exchange's unit while an experiment runs; absent for exchanges that are in none. */
  readonly experiment?: Pick<ExperimentHolds, "join"> | null;
  /** Writes the exchange's events to the debug log; absent if that is off. */
  readonly log?: LogEvent | null;
  /** The client, if its connection is slowed. */
  readonly slowed?: SlowedClient | null;
}

/** Extracts messages from received bytes asynchronously. */
interface Decoding {
  /** Resolves once all messages were emitted. */
  finish(): Promise<void>;
  close(): void;
}

/** Emits the capture events of one exchange as it happens. Emits nothing if the exchange is not recorded. */
export class ExchangeEmitter {
  readonly #instants: Mutable<Instants>;
  readonly #slowing: Slowing | null;
  readonly #sink: CaptureSink | null;
  readonly #log: LogEvent | null;
  #isPauseLogged = false;
  readonly #id: ExchangeId;
  readonly #requestBody: BodyCapture;
  readonly #responseBody: BodyCapture;
  #tags: readonly Tag[];
  readonly #member: UnitMember | null;
  #server: ServerConnection | null = null;
  #reused: boolean | null = null;
  #waitedFor: WaitedFor | null = null;
  #over = false;
  #decoding: Decoding | null = null;
  #messageMemory: MessageMemory | null = null;

  constructor(sink: CaptureSink, host: string, bodyCap: Bytes, beginning: Beginning) {
    const { at, headReceived = null, method, origin, target, head, clientAddress, protocol, tags } = beginning;
    const { clientConnection, clientStream = null, handshake, experiment } = beginning;
    this.#sink = sink.wanted(host) ? sink : null;
    this.#log = beginning.log ?? null;
    // A tunnel's request was logged when it was read.
    if (method !== "CONNECT") this.#log?.(`request ${method} ${origin}${pathOf(target)}`);
    this.#id = this.#sink?.nextId() ?? UNRECORDED;
    this.#requestBody = new BodyCapture(bodyCap);
    this.#responseBody = new BodyCapture(bodyCap);
    this.#member =
      this.#sink === null ? null : (experiment?.join({ at, method, origin, target, head, clientAddress }) ?? null);
    this.#tags = this.#member === null ? tags : [...tags, "unit"];
    this.#instants = startedAt(at, headReceived);
    this.#slowing = slowingOf(beginning.slowed, at);
    // Lists the fields, because spreading an object would cost more than the rest of the constructor.
    const id = this.#id;
    this.#sink?.emit({
      type: "request-started",
      id,
      at,
      method,
      origin,
      target,
      head,
      clientAddress,
      protocol,
      clientConnection,
      clientStream,
      tags: this.#tags,
    });
    if (handshake != null && clientConnection !== null) this.#clientSecured(handshake, clientConnection);
    if (this.#member === null) return;
    const { unit, draw } = this.#member;
    this.#sink?.emit({ type: "unit-joined", id, unit, block: draw?.block ?? null, level: draw?.level ?? null });
  }

  /** The exchange's id; `null` if it is not recorded, because recording is off or its host is out of scope. */
  get id(): ExchangeId | null {
    return this.#sink === null ? null : this.#id;
  }

  tag(tag: Tag): void {
    if (!this.#tags.includes(tag)) this.#tags = [...this.#tags, tag];
  }

  /** When the request's head was written to the server; `null` before. */
  get requestStart(): Instant | null {
    return this.#instants.requestStart;
  }

  /** When the request's last byte was written to the server; `null` before. */
  get requestEnd(): Instant | null {
    return this.#instants.requestEnd;
  }

  /** Whether the client was sent the beginning of the response. */
  get isForwarded(): boolean {
    return this.#instants.responseForwarded !== null;
  }

  /** Sets the instants of the connection set-up for which this exchange waited. */
  dialled(times: DialTimes): void {
    Object.assign(this.#instants, times);
  }

  /** Called just before the request's head is written. Only the first call counts. */
  requestStarted(at: Instant): void {
    if (this.#instants.requestStart !== null) return;
    this.#instants.requestStart = at;
    this.#slowing?.uploadBegan();
    this.#log?.("request head sent");
  }

  /** Called just before the request's last byte is written. Only the first call counts. */
  requestEnded(at: Instant): void {
    if (this.#instants.requestEnd !== null) return;
    this.#instants.requestEnd = at;
    this.#slowing?.uploadEnded();
    this.#log?.("request sent to its end");
  }

  /**
   * Corrects the request's start to `at`. Called when no byte had been sent before `at`, although the head was written
   * earlier.
   */
  requestDelayed(at: Instant): void {
    const { requestEnd } = this.#instants;
    this.#instants.requestStart = at;
    if (requestEnd !== null && requestEnd < at) this.#instants.requestEnd = at;
  }

  requestRestarted(): void {
    this.#instants.requestStart = null;
    this.#instants.requestEnd = null;
  }

  /** Called when the first byte of the final response has arrived. */
  responseBegan(at: Instant): void {
    this.#instants.responseStart = at;
  }

  /** How long an experiment holds the response, which began to arrive at `began`. `null`: it is not to be held. */
  holdOf(head: string, began: Instant): Milliseconds | null {
    const { requestEnd } = this.#instants;
    return this.#member?.holdOf(head, requestEnd === null ? null : began - requestEnd) ?? null;
  }

  /** Called when a response that was held for `level` ms is released. */
  released(at: Instant, level: Milliseconds): void {
    if (level > 0) {
      this.tag("held");
      this.#log?.("response released after it was held on purpose");
    }
    this.#sink?.emit({ type: "response-held", id: this.#id, at, level });
  }

  /** Called just before the beginning of the response is sent to the client. Only the first call counts. */
  responseForwarded(at: Instant): void {
    if (this.#instants.responseForwarded !== null) return;
    this.#instants.responseForwarded = at;
    this.#slowing?.responseBegan();
    this.#log?.("response begins to be sent to the client");
  }

  /** Called when the end of the response is sent to the client. */
  responseEnded(at: Instant): void {
    this.#instants.responseEnd = at;
    this.#log?.("response sent to its end");
  }

  /** Called if the request had to wait before it could be sent. */
  waited(waitedFor: WaitedFor): void {
    this.#waitedFor = waitedFor;
    this.#log?.(WAITED[waitedFor]);
  }

  carriedBy(connection: ServerConnection): void {
    const { opened, protocol, times } = connection;
    const { id, openedAt: at, addressAndPort: address, tls } = opened;
    this.#server = connection;
    this.#reused = connection.used;
    this.#log?.(`uses s${id} ${address} ${protocol} (${reuse(connection)})`);
    if (times !== null) this.dialled(times);
    if (opened.unverifiedAllowed) this.tag("tls-exception");
    if (opened.wasEmitted || this.#sink === null) return;
    opened.wasEmitted = true;
    this.#sink.emit({ type: "connection-opened", id, at, address, tls });
  }

  firstByte(): void {
    this.#log?.("first byte of the response received");
  }

  /** Called when the receiver of this side's body applies back-pressure. Logged once. */
  paused(side: Side): void {
    if (this.#log === null || this.#isPauseLogged) return;
    this.#isPauseLogged = true;
    this.#log(
      side === "request" ? "request paused: the server takes no more" : "response paused: the client takes no more",
    );
  }

  awaitsConnection(): void {
    this.#log?.("waits for a connection to the server");
  }

  /** Called when the response's head is complete. `at`: when its first byte arrived. */
  responseStarted(at: Instant, status: number, head: string): void {
    this.responseBegan(at);
    this.#log?.(`response head received: ${status}`);
    this.#sink?.emit({ type: "response-started", id: this.#id, at, status, head });
  }

  /** Counts and captures bytes of a body, which must come without chunk framing. */
  body(side: Side, data: Buffer): void {
    const kept = (side === "request" ? this.#requestBody : this.#responseBody).addBytes(data);
    if (kept !== null) this.#sink?.emit({ type: "body-captured", id: this.#id, side, bytes: kept });
  }

  /** Counts bytes that are not captured. */
  passed(side: Side, bytes: Buffer): void {
    (side === "request" ? this.#requestBody : this.#responseBody).addBytes(bytes);
  }

  message(message: Omit<MessageCaptured, "type" | "id">): void {
    this.#sink?.emit({ type: "message-captured", id: this.#id, ...message });
  }

  /**
   * Sets the source of the messages. After a complete response, `ended` waits for the last message before it emits the
   * exchange's end.
   */
  decode(decoding: Decoding): void {
    this.#decoding = decoding;
  }

  /** Emits the end of the exchange. Only the first call counts. */
  ended(at: Instant, outcome: Outcome): void {
    if (this.#over) return;
    this.#over = true;
    this.#log?.(outcome.kind === "failed" ? `ended: ${outcome.errorType}` : `ended: ${outcome.status}`);
    if (outcome.kind === "responded" && this.#decoding !== null) {
      void this.#decoding.finish().then(() => this.#emitEnd(at, outcome));
      return;
    }
    this.#decoding?.close();
    this.#emitEnd(at, outcome);
  }

  /**
   * Emits the end of an exchange whose client left at `at`. What happened after that counts as not happened. `status`:
   * of the response that had begun.
   */
  clientLeft(at: Instant, failure: Failure, status: number | null): void {
    if (this.#over) return;
    for (const [name, instant] of Object.entries(this.#instants))
      if (instant !== null && instant > at) Object.assign(this.#instants, { [name]: null });
    this.ended(at, { kind: "failed", ...failure, status: this.isForwarded ? status : null });
  }

  /** Where the exchange's unfinished messages are counted, until its end. */
  get messageMemory(): MessageMemory {
    this.#messageMemory ??= new MessageMemory();
    return this.#messageMemory;
  }

  get responseSize(): Bytes {
    return this.#responseBody.size;
  }

  #clientSecured(handshake: ClientHandshake, connection: number): void {
    if (handshake.wasEmitted || this.#sink === null) return;
    handshake.wasEmitted = true;
    this.#sink.emit({ type: "client-secured", connection, at: handshake.at, tls: handshake.tls });
  }

  #emitEnd(at: Instant, outcome: Outcome): void {
    const slowing = this.#slowing;
    if (slowing === null || outcome.kind === "failed" || this.#instants.responseEnd === null)
      return this.#emitted(at, outcome);
    slowing.afterResponse((sentAt, isSent) => {
      this.#instants.responseEnd = isSent ? sentAt : null;
      this.#emitted(sentAt, isSent ? outcome : { kind: "failed", ...CLIENT_GONE, status: outcome.status });
    });
  }

  #emitted(at: Instant, outcome: Outcome): void {
    const slowed = this.#slowing?.slowed;
    this.#messageMemory?.close();
    this.#member?.ended(at);
    this.#sink?.emit({
      type: "exchange-ended",
      id: this.#id,
      at,
      instants: this.#instants,
      outcome: withShortDetail(outcome),
      requestBodySize: this.#requestBody.size,
      encodedBodySize: this.#responseBody.size,
      connection: this.#server?.opened.id ?? null,
      reused: this.#reused,
      // Read at the end, because an HTTP/2 stream gets its number only when its request begins.
      stream: this.#server?.stream ?? null,
      waitedFor: this.#waitedFor,
      uncertainty: 0,
      tags: this.#tags,
      ...(slowed === undefined ? {} : { slowed }),
    });
  }
}

/** The most characters of a failure's detail, which may quote a peer, such as all names of a certificate. */
const LONGEST_DETAIL = 1_000;

function withShortDetail(outcome: Outcome): Outcome {
  if (outcome.kind === "responded" || outcome.detail.length <= LONGEST_DETAIL) return outcome;
  return { ...outcome, detail: `${outcome.detail.slice(0, LONGEST_DETAIL)}…` };
}

function reuse({ used, times }: ServerConnection): string {
  if (times !== null) return "dialled for it";
  return used ? "used before" : "not used before";
}

/** A target without its query. */
function pathOf(target: string): string {
  return target === "*" ? "" : (target.split(/[?#]/, 1)[0] ?? "");
}

const WAITED: Readonly<Record<WaitedFor, string>> = {
  connection: "waited for a connection that another request dialled",
  stream: "waited for a free HTTP/2 stream",
  sign: "waited for the reply to a PING",
  retry: "is sent again: a used connection closed without a response",
  unsaid: "waited",
  browser: "waited in its browser",
};

/** Never emitted: the id of an exchange that is not recorded. */
const UNRECORDED = 0 as ExchangeId;
