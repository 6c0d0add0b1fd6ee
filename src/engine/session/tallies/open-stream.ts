import type { ResponseStarted } from "../../capture/event.ts";
import { isLasting, streamTagOf } from "../../model/duration.ts";
import type { Endpoint } from "../../model/endpoint.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { Instant } from "../../model/units.ts";

/**
 * A WebSocket, another upgraded protocol, or a response with the media type of a stream, before it has ended. It is
 * counted when it opens, since its end may be hours away. A response that is recognized as a stream only while it
 * arrives is counted at its end:
 *
 *   request-started ─ response-started (counts a request) ─ … ─ exchange-ended (counts an error, sizes)
 */
export interface OpenStream {
  /** The endpoint made from the exchange's own path instead of a template. */
  readonly endpoint: Endpoint;
  readonly protocol: string;
  /** When the stream was counted. */
  readonly at: Instant;
}

/** The open stream; `null` for other responses and for a refused upgrade, which are counted when they end. */
export function openStreamOf(exchange: Exchange, { at, status }: ResponseStarted): OpenStream | null {
  const { endpoint, protocol, contentType, tags } = exchange;
  const lasts = streamTagOf(contentType) !== null || isLasting(tags, status);
  return lasts && status < 400 ? { endpoint, protocol, at } : null;
}
