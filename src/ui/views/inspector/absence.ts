import type { Side } from "../../../engine/capture/event.ts";
import type { BodyFacts, ExchangeDetail } from "../../../engine/messages/exchange-messages.ts";
import type { Exchange } from "../../../engine/model/exchange.ts";
import { bytesPhrase } from "../../format/bytes.ts";

/* Texts shown in place of missing content; they say why it is missing. */

export const LOADING = "Loading.";

/** Why there are no facts about TLS with the server, as text; "" if there are some. */
export function tlsAbsenceOf({ exchange, server }: ExchangeDetail): string {
  if (server !== null && server.tls !== null) return "";
  if (/^(http|ws):/.test(exchange.origin)) return "No TLS: this exchange is plain HTTP.";
  if (exchange.reused === true && server === null)
    return "No TLS data of the server: too many connections were opened since this one.";
  if (exchange.tags.includes("imported")) return "The imported file has no TLS data.";
  if (exchange.outcome === null) return "The server’s TLS data is known once the exchange has ended.";
  if (server === null) return "No connection to the server was opened.";
  return "No TLS data of the server for this connection.";
}

/** The text in place of a body. A stored body replaces the text once it is loaded. */
export function bodyAbsenceOf({ size, kept }: BodyFacts, exchange: Exchange, side: Side): string {
  const { tags, outcome } = exchange;
  if (kept > 0) return LOADING;
  if (size > 0 && tags.includes("imported"))
    return `${bytesPhrase(size)}; the imported file does not contain this body.`;
  if (size > 0) return `${bytesPhrase(size)} forwarded; none of it was kept.`;
  return outcome === null ? "No body so far." : `No body. ${failureOf(exchange, side)}`.trimEnd();
}

/** Why a response's body is incomplete, as text; "" for requests, and for exchanges that have not failed. */
export function failureOf({ outcome }: Exchange, side: Side): string {
  return side === "response" && outcome?.kind === "failed" ? outcome.detail : "";
}
