import type {
  CaptureEvent,
  CaptureSink,
  ConnectionOpened,
  ExchangeEnded,
  MessageCaptured,
  RequestStarted,
  ResponseStarted,
} from "../../src/engine/capture/event.ts";
import { addTo } from "../../src/engine/insights/grouped.ts";
import type { ExchangeId } from "../../src/engine/model/units.ts";

/** What was captured of an exchange. */
export interface CapturedRow {
  readonly started: RequestStarted;
  readonly response: ResponseStarted | null;
  readonly ended: ExchangeEnded;
  readonly requestBody: Buffer;
  readonly responseBody: Buffer;
  readonly messages: readonly MessageCaptured[];
}

/** A capture sink that keeps all events; tests can wait for events. */
export class CapturedTraffic implements CaptureSink {
  readonly events: CaptureEvent[] = [];
  #lastId = 0;
  #unwanted: ReadonlySet<string> = new Set();
  #changed: () => void = () => {};

  /** Hosts whose exchanges are not captured. */
  set unwanted(hosts: readonly string[]) {
    this.#unwanted = new Set(hosts);
  }

  wanted(host: string): boolean {
    return !this.#unwanted.has(host);
  }

  nextId(): ExchangeId {
    this.#lastId += 1;
    return this.#lastId as ExchangeId;
  }

  emit(event: CaptureEvent): void {
    const keeps = event.type === "body-captured" || event.type === "message-captured";
    this.events.push(keeps ? { ...event, bytes: Buffer.from(event.bytes) } : event);
    this.#changed();
  }

  get connections(): readonly ConnectionOpened[] {
    return this.events.filter((event) => event.type === "connection-opened");
  }

  /** The exchanges that have ended, in the order of their ends. */
  get rows(): readonly CapturedRow[] {
    const own = new Map<ExchangeId, EventOfExchange[]>();
    for (const event of this.events) if (isOfExchange(event)) addTo(own, event.id, event);
    return this.#ended().map((ended) => rowOf(ended, own.get(ended.id) ?? []));
  }

  /** Resolves with the row of the exchange that ended as number `index`, from 0. */
  async row(index: number): Promise<CapturedRow> {
    for (;;) {
      const ended = this.#ended()[index];
      if (ended !== undefined)
        return rowOf(
          ended,
          this.events.filter(isOfExchange).filter(({ id }) => id === ended.id),
        );
      await this.#change();
    }
  }

  /** Resolves with the first matching event. */
  async event<Type extends CaptureEvent["type"]>(
    type: Type,
    fits: (event: Extract<CaptureEvent, { type: Type }>) => boolean = () => true,
  ): Promise<Extract<CaptureEvent, { type: Type }>> {
    for (;;) {
      for (const event of this.events) if (isOf(event, type) && fits(event)) return event;
      await this.#change();
    }
  }

  async #change(): Promise<void> {
    await new Promise<void>((resolve) => {
      const before = this.#changed;
      this.#changed = () => {
        before();
        resolve();
      };
    });
  }

  #ended(): readonly ExchangeEnded[] {
    return this.events.filter((event) => event.type === "exchange-ended");
  }
}

/** `own`: the events of the exchange. */
function rowOf(ended: ExchangeEnded, own: readonly EventOfExchange[]): CapturedRow {
  const started = own.find((event) => event.type === "request-started");
  if (started === undefined) throw new Error(`exchange ${ended.id} ended without a start`);
  const bodyOf = (side: "request" | "response"): Buffer =>
    Buffer.concat(
      own
        .filter((event) => event.type === "body-captured")
        .filter((event) => event.side === side)
        .map((event) => event.bytes),
    );
  return {
    started,
    response: own.find((event) => event.type === "response-started") ?? null,
    ended,
    requestBody: bodyOf("request"),
    responseBody: bodyOf("response"),
    messages: own.filter((event) => event.type === "message-captured"),
  };
}

type EventOfExchange = Exclude<Extract<CaptureEvent, { readonly id: unknown }>, ConnectionOpened>;

function isOfExchange(event: CaptureEvent): event is EventOfExchange {
  return "id" in event && event.type !== "connection-opened";
}

function isOf<Type extends CaptureEvent["type"]>(
  event: CaptureEvent,
  type: Type,
): event is Extract<CaptureEvent, { type: Type }> {
  return event.type === type;
}
