import type { ResponseStarted } from "../capture/event.ts";
import { EVENT_STREAM, isLasting } from "../model/duration.ts";
import type { Endpoint } from "../model/endpoint.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Instant } from "../model/units.ts";

/**
 * An event stream, a WebSocket or another protocol that has not ended. It is counted as soon as it stands, since its end
 * may be hours away; what became of it is told then:
 *
 *   request-started ─ response-started (a request more) ─ … ─ exchange-ended (an error more, sizes)
 */
export interface Standing {
  /** The literal one. */
  readonly endpoint: Endpoint;
  readonly protocol: string;
  /** When it was counted. */
  readonly at: Instant;
}

/** `null`: what was answered ends soon, and is counted then. A refusal is that, too. */
export function standingOf(exchange: Exchange, { at, status }: ResponseStarted): Standing | null {
  const { endpoint, protocol, contentType, tags } = exchange;
  const lasts = contentType === EVENT_STREAM || isLasting(tags, status);
  return lasts && status < 400 ? { endpoint, protocol, at } : null;
}
