import { headerOf, listOf } from "../../../../../src/engine/model/head.ts";
import { modelStreamFormOf } from "../../../../../src/engine/model/model-api.ts";
import type { Bytes } from "../../../../../src/engine/model/units.ts";
import { CODINGS, codingsOf } from "../../../decoding/body-coding.ts";
import type { Clock } from "../../../process/clock.ts";
import type { ResponseHead } from "../http1/message.ts";
import { CodedEvents } from "./coded-events.ts";
import { type EventForm, EventStream, MOST_SPLIT, type StreamedEvent } from "./event-stream.ts";
import type { ExchangeEmitter } from "./exchange-emitter.ts";

/** Letter case has no meaning in media types (RFC 9110, 8.3.1). */
function isEventStream(head: string): boolean {
  return /^text\/event-stream(?![^;\s])/i.test(headerOf(head, "content-type") ?? "");
}

/** The form of the events that follow this head; `null` if it is not that of a stream with events. */
export function eventFormOf({ status, text }: Pick<ResponseHead, "status" | "text">, target: string): EventForm | null {
  if (isEventStream(text)) return "event-stream";
  return status === 200 ? modelStreamFormOf(target, headerOf(text, "content-type")) : null;
}

/** Receives the body of an event stream, in pieces of at most `most` bytes, and records its events. */
export interface EventSink {
  readonly most: Bytes;
  feed(piece: Buffer): void;
}

/**
 * Returns what records the body's events; `null` if the exchange is not recorded or the coding is unknown.
 */
export function eventsInto(emitter: ExchangeEmitter, clock: Clock, head: string, form: EventForm): EventSink | null {
  if (!emitter.isWanted) return null;
  const emit = (event: StreamedEvent) =>
    emitter.message({ at: clock.now(), side: "response", kind: "event", ...event });
  const codings = codingsOf(listOf(head, "content-encoding"));
  if (codings.length === 0) {
    const stream = new EventStream(emitter.messageMemory, form);
    const feed = (piece: Buffer) => {
      for (const event of stream.feed(piece)) emit(event);
    };
    return { most: MOST_SPLIT, feed };
  }
  const coding = CODINGS.get(codings.join(", "));
  if (coding === undefined) return null;
  const coded = new CodedEvents(coding, emitter.messageMemory, emit, form);
  emitter.decode(coded);
  return { most: Number.POSITIVE_INFINITY, feed: (piece) => coded.feed(piece) };
}
