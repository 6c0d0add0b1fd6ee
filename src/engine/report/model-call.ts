import type { ContentReader } from "../capture/content-reader.ts";
import { type ModelCall, modelCallOf } from "../insights/models/read-call.ts";
import { modelApiOf } from "../model/endpoint.ts";
import { type Exchange, hasOneOf } from "../model/exchange.ts";
import type { ExchangeId, Instant } from "../model/units.ts";
import { shownUtf8 } from "../quoting/utf8.ts";
import { readBodyOf } from "./body-facts.ts";

/** The most arrival times of messages that are read per exchange. */
const MOST_EVENTS = 100_000;

/** Reads an exchange as a call to a language model; `null` if it is none, or has not ended. Never throws. */
export async function readModelCall(reader: ContentReader, exchange: Exchange): Promise<ModelCall | null> {
  if (exchange.outcome === null || modelApiOf(exchange.target) === null) return null;
  const heads = reader.headsOf(exchange.id) ?? { request: "", response: null };
  const request = await readBodyOf(reader, exchange, "request", heads.request);
  const given = await readBodyOf(reader, exchange, "response", heads.response ?? "");
  return modelCallIn(exchange, request.bytes, given.bytes, arrivalsOf(reader, exchange));
}

/** The call to a language model in these decoded bodies; `null` if the exchange is none. */
export function modelCallIn(
  { target, contentType, instants }: Exchange,
  request: Uint8Array | null,
  given: Uint8Array | null,
  arrivals: readonly Instant[] | null,
): ModelCall | null {
  if (given === null || modelApiOf(target) === null) return null;
  return modelCallOf({
    target,
    contentType,
    arrivals,
    start: instants.startTime,
    requestText: request === null ? "" : shownUtf8(request),
    responseText: shownUtf8(given),
  });
}

/** When the messages of a WebSocket, or the events or lines of a stream arrived; `null` for other exchanges. */
export function arrivalsOf(reader: ContentReader, { id, tags }: Exchange): readonly Instant[] | null {
  if (!hasOneOf(tags, ["websocket", "event-stream", "stream"])) return null;
  const arrivals = reader.readMessages(id as ExchangeId, 0, MOST_EVENTS).map(({ at }) => at);
  return arrivals.length === 0 && tags.includes("stream") ? null : arrivals;
}
