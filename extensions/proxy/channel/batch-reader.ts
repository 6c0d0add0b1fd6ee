import { Buffer } from "node:buffer";
import {
  type CaptureEvent,
  type ExchangeEnded,
  MESSAGE_KINDS,
  SIDES,
  type Side,
} from "../../../src/engine/capture/event.ts";
import { TAGS, type Tag } from "../../../src/engine/model/exchange.ts";
import type { Instants } from "../../../src/engine/model/phases.ts";
import type { ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { WAITED_FOR } from "../../../src/engine/model/wait.ts";
import { ANSWERED, type Batch, BODY, ENDED, MESSAGE, STARTED } from "./batch.ts";

const NO_TAGS: readonly Tag[] = Object.freeze([]);
const YES_OR_NO: Readonly<Record<number, boolean>> = { 0: false, 1: true };

/**
 * The events of a batch, in order. Bodies and messages are views of the batch's memory: copy what must outlive the
 * batch.
 */
export function eventsOf(batch: Batch): CaptureEvent[] {
  const reading = new Reading(batch);
  const events: CaptureEvent[] = [];
  while (reading.hasMore) events.push(reading.event());
  return events;
}

class Reading {
  readonly #batch: Batch;
  readonly #memory: Buffer;
  #figure = 0;
  #byte = 0;
  #other = 0;

  constructor(batch: Batch) {
    this.#batch = batch;
    this.#memory = Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength);
  }

  get hasMore(): boolean {
    return this.#figure < this.#batch.figures.length;
  }

  event(): CaptureEvent {
    switch (this.#next()) {
      case STARTED:
        return {
          type: "request-started",
          id: this.#id(),
          at: this.#instant(),
          method: this.#word(),
          origin: this.#word(),
          clientAddress: this.#word(),
          protocol: this.#word(),
          clientConnection: this.#orNull(),
          clientStream: this.#orNull(),
          target: this.#text(),
          head: this.#text(),
          tags: this.#tags(),
        };
      case ANSWERED:
        return {
          type: "response-started",
          id: this.#id(),
          at: this.#instant(),
          status: this.#next(),
          head: this.#text(),
        };
      case BODY:
        return { type: "body-captured", id: this.#id(), side: this.#side(), bytes: this.#bytes() };
      case MESSAGE:
        return {
          type: "message-captured",
          id: this.#id(),
          at: this.#instant(),
          side: this.#side(),
          kind: MESSAGE_KINDS[this.#next()] ?? "binary",
          size: this.#next(),
          cut: this.#next() === 1,
          bytes: this.#bytes(),
        };
      case ENDED:
        return this.#ended();
      default: {
        const other = this.#batch.others[this.#other] as CaptureEvent;
        this.#other += 1;
        return other;
      }
    }
  }

  #ended(): ExchangeEnded {
    return {
      type: "exchange-ended",
      id: this.#id(),
      at: this.#instant(),
      instants: this.#instants(),
      outcome: { kind: "responded", status: this.#next() },
      requestBodySize: this.#next(),
      encodedBodySize: this.#next(),
      connection: this.#orNull(),
      reused: YES_OR_NO[this.#next()] ?? null,
      stream: this.#orNull(),
      waitedFor: WAITED_FOR[this.#next()] ?? null,
      uncertainty: this.#next(),
      tags: this.#tags(),
    };
  }

  #instants(): Instants {
    return {
      startTime: this.#instant(),
      headReceived: this.#instantOrNull(),
      domainLookupStart: this.#instantOrNull(),
      domainLookupEnd: this.#instantOrNull(),
      connectStart: this.#instantOrNull(),
      secureConnectionStart: this.#instantOrNull(),
      connectEnd: this.#instantOrNull(),
      requestStart: this.#instantOrNull(),
      requestEnd: this.#instantOrNull(),
      responseStart: this.#instantOrNull(),
      responseForwarded: this.#instantOrNull(),
      responseEnd: this.#instantOrNull(),
    };
  }

  #next(): number {
    const figure = this.#batch.figures[this.#figure] ?? Number.NaN;
    this.#figure += 1;
    return figure;
  }

  #orNull(): number | null {
    const figure = this.#next();
    return Number.isNaN(figure) ? null : figure;
  }

  #id(): ExchangeId {
    return this.#next() as ExchangeId;
  }

  #instant(): Instant {
    return this.#next() as Instant;
  }

  #instantOrNull(): Instant | null {
    return this.#orNull() as Instant | null;
  }

  #side(): Side {
    return SIDES[this.#next()] ?? "response";
  }

  #word(): string {
    return this.#batch.words[this.#next()] ?? "";
  }

  #text(): string {
    const from = this.#byte;
    this.#byte += this.#next();
    return this.#memory.toString("latin1", from, this.#byte);
  }

  #bytes(): Uint8Array {
    const from = this.#byte;
    this.#byte += this.#next();
    return this.#batch.bytes.subarray(from, this.#byte);
  }

  #tags(): readonly Tag[] {
    const count = this.#next();
    if (count === 0) return NO_TAGS;
    return Array.from({ length: count }, () => TAGS[this.#next()]).filter((tag) => tag !== undefined);
  }
}
