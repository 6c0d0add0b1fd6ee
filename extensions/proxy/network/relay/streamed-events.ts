import { headerOf, listOf } from "../../../../src/engine/model/head.ts";
import type { Clock } from "../../process/clock.ts";
import { CODINGS, codingsOf } from "../../recording/body-coding.ts";
import { CodedEvents } from "./coded-events.ts";
import { EventStream, type StreamedEvent } from "./event-stream.ts";
import type { ExchangeEmitter } from "./exchange-emitter.ts";

/** Whether this is the head of an event stream. Letter case has no meaning in media types (RFC 9110, 8.3.1). */
export function isEventStream(head: string): boolean {
  return /^text\/event-stream(?![^;\s])/i.test(headerOf(head, "content-type") ?? "");
}

/**
 * Returns a function that receives the pieces of the body and records its events; `null` if the exchange is not
 * recorded or the coding is unknown.
 */
export function eventsInto(emitter: ExchangeEmitter, clock: Clock, head: string): ((piece: Buffer) => void) | null {
  if (!emitter.isWanted) return null;
  const emit = (event: StreamedEvent) =>
    emitter.message({ at: clock.now(), side: "response", kind: "event", ...event });
  const codings = codingsOf(listOf(head, "content-encoding"));
  if (codings.length === 0) {
    const stream = new EventStream();
    return (piece) => {
      for (const event of stream.feed(piece)) emit(event);
    };
  }
  const coding = CODINGS.get(codings.join(", "));
  if (coding === undefined) return null;
  const coded = new CodedEvents(coding, emit);
  emitter.decode(coded);
  return (piece) => coded.feed(piece);
}
