import type { ResponseStarted } from "../../capture/event.ts";
import { isLasting, streamTagOf } from "../../model/duration.ts";
import type { Endpoint } from "../../model/endpoint.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { Instant } from "../../model/units.ts";

/**
 * A stream by its media type, a WebSocket or another protocol that has not ended; it is counted once open, since its
 * end may be hours away. A response recognized as a stream only while it arrives is counted at its end, live and from
 * disk:
 *
 *   request-started ─ response-started (a request more) ─ … ─ exchange-ended (an error more, sizes)
 */
export interface OpenStream {
  /** The literal endpoint. */
  readonly endpoint: Endpoint;
  readonly protocol: string;
  /** When it was counted. */
  readonly at: Instant;
}

/** The stream; `null` for a response that ends by itself, or a refused upgrade: these are counted at their end. */
export function openStreamOf(exchange: Exchange, { at, status }: ResponseStarted): OpenStream | null {
  const { endpoint, protocol, contentType, tags } = exchange;
  const lasts = streamTagOf(contentType) !== null || isLasting(tags, status);
  return lasts && status < 400 ? { endpoint, protocol, at } : null;
}
