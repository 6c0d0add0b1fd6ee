import type { Side } from "../../../engine/capture/event.ts";
import type { BodyFacts, ExchangeDetail } from "../../../engine/messages/exchange-messages.ts";
import type { Exchange } from "../../../engine/model/exchange.ts";
import { bytesPhrase } from "../../format/bytes.ts";

/* What stands in the place of what cannot be shown, and says why. */

/** Until it has been loaded. */
export const LOADING = "Loading.";

/** In the place of TLS facts. */
export function tlsAbsenceOf({ exchange, server }: ExchangeDetail): string {
  if (/^(http|ws):/.test(exchange.origin)) return "No TLS: this exchange is plain HTTP.";
  if (exchange.reused === true && server === null) return "Its connection was opened in a session before this one.";
  if (exchange.tags.includes("imported")) return "The imported file does not tell of TLS.";
  if (exchange.outcome === null) return "Known once the exchange has ended.";
  if (server === null) return "No connection to the server was made.";
  return "Nothing is known about the TLS of this connection.";
}

/** In the place of a body, until one that was kept has been loaded. */
export function bodyAbsenceOf({ size, kept }: BodyFacts, exchange: Exchange, side: Side): string {
  const { tags, outcome } = exchange;
  if (kept > 0) return LOADING;
  if (size > 0 && tags.includes("imported")) return `${bytesPhrase(size)}, which the imported file does not hold.`;
  if (size > 0) return `${bytesPhrase(size)} passed through; none of it was kept.`;
  return outcome === null ? "No body so far." : `No body. ${failureOf(exchange, side)}`.trimEnd();
}

/** Why less of a body came than should have, in words; "" = it all came. */
export function failureOf({ outcome }: Exchange, side: Side): string {
  return side === "response" && outcome?.kind === "failed" ? outcome.detail : "";
}
