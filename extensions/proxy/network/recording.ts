import type { CaptureSink, MessageCaptured, Side } from "../../../src/engine/capture/event.ts";
import type { Outcome, Tag } from "../../../src/engine/model/exchange.ts";
import { type Instants, startedAt } from "../../../src/engine/model/phases.ts";
import type { Bytes, ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import type { WaitedFor } from "../../../src/engine/model/wait.ts";
import { BodyMeter } from "./body-meter.ts";
import type { DialTimes } from "./dial.ts";
import type { ServerConnection } from "./server-connection.ts";

type Mutable<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] };

/** What is known of an exchange when its head has been read. */
interface Beginning {
  readonly at: Instant;
  readonly headReceived: Instant | null;
  readonly method: string;
  readonly origin: string;
  readonly target: string;
  readonly head: string;
  readonly clientAddress: string;
  readonly protocol: string;
  readonly clientConnection: number | null;
  readonly clientStream: number | null;
  readonly tags: readonly Tag[];
}

/** Describes one exchange to the sink while it happens; silent, but ready to be told, when nobody wants it. */
export class Recording {
  /** Filled in by whoever sees the moment. */
  readonly instants: Mutable<Instants>;
  readonly #sink: CaptureSink | null;
  readonly #id: ExchangeId;
  readonly #requestBody: BodyMeter;
  readonly #responseBody: BodyMeter;
  #tags: readonly Tag[];
  #server: ServerConnection | null = null;
  #reused: boolean | null = null;
  #waitedFor: WaitedFor | null = null;
  #over = false;

  constructor(sink: CaptureSink, host: string, bodyCap: Bytes, beginning: Beginning) {
    const { at, headReceived, method, origin, target, head, clientAddress, protocol, tags } = beginning;
    const { clientConnection, clientStream } = beginning;
    this.#sink = sink.wanted(host) ? sink : null;
    this.#id = this.#sink?.nextId() ?? NOBODY;
    this.#requestBody = new BodyMeter(bodyCap);
    this.#responseBody = new BodyMeter(bodyCap);
    this.#tags = tags;
    this.instants = startedAt(at, headReceived);
    // Each by its name: to spread the rest of an object costs more than everything else here.
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
      tags,
    });
  }

  tag(tag: Tag): void {
    if (!this.#tags.includes(tag)) this.#tags = [...this.#tags, tag];
  }

  dialled(times: DialTimes): void {
    Object.assign(this.instants, times);
  }

  /** It could not go out at once. */
  waited(waitedFor: WaitedFor): void {
    this.#waitedFor = waitedFor;
  }

  carriedBy(connection: ServerConnection): void {
    this.#server = connection;
    this.#reused = connection.used;
    if (connection.times !== null) this.dialled(connection.times);
    if (connection.excepted) this.tag("tls-exception");
    if (connection.announced || this.#sink === null) return;
    connection.announced = true;
    const { id, openedAt: at, addressAndPort: address, tls } = connection;
    this.#sink.emit({ type: "connection-opened", id, at, address, tls });
  }

  responseStarted(at: Instant, status: number, head: string): void {
    this.#sink?.emit({ type: "response-started", id: this.#id, at, status, head });
  }

  /** Counts and keeps payload bytes, without chunk framing. */
  body(side: Side, data: Buffer): void {
    const kept = (side === "request" ? this.#requestBody : this.#responseBody).take(data);
    if (kept !== null) this.#sink?.emit({ type: "body-captured", id: this.#id, side, bytes: kept });
  }

  /** Counts bytes of which nothing is kept as a body. */
  passed(side: Side, bytes: Buffer): void {
    (side === "request" ? this.#requestBody : this.#responseBody).take(bytes);
  }

  message(message: Omit<MessageCaptured, "type" | "id">): void {
    this.#sink?.emit({ type: "message-captured", id: this.#id, ...message });
  }

  /** The last word; what comes after it is not heard. */
  ended(at: Instant, outcome: Outcome): void {
    if (this.#over) return;
    this.#over = true;
    this.#sink?.emit({
      type: "exchange-ended",
      id: this.#id,
      at,
      instants: this.instants,
      outcome,
      requestBodySize: this.#requestBody.size,
      encodedBodySize: this.#responseBody.size,
      connection: this.#server?.id ?? null,
      reused: this.#reused,
      // A stream has its number once its request has begun.
      stream: this.#server?.stream ?? null,
      waitedFor: this.#waitedFor,
      tags: this.#tags,
    });
  }

  /** Body bytes of the response that passed so far. */
  get responseSize(): Bytes {
    return this.#responseBody.size;
  }
}

/** Never emitted: the id of an exchange that nobody wants. */
const NOBODY = 0 as ExchangeId;
