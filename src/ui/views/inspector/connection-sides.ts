import type { TlsParameters } from "../../../engine/capture/event.ts";
import { http3Sentence, offersHttp3 } from "../../../engine/insights/http3-origins.ts";
import type { ExchangeDetail } from "../../../engine/messages/exchange-messages.ts";
import { protocolName } from "../../../engine/model/exchange.ts";
import { listOf } from "../../../engine/model/head.ts";
import type { NamedValue } from "./head-facts.ts";

/** Shown for a fact that is known only once the exchange has ended. */
export const NOT_KNOWN_YET = "not known yet";

/** What is known of the connection on each side, such as its HTTP version, TLS and number. */
export function connectionSidesOf(detail: ExchangeDetail): readonly NamedValue[] {
  return [
    ["Client side", clientSideOf(detail)],
    ["Server side", serverSideOf(detail)],
  ];
}

/**
 * Says that browsers use HTTP/3 with the server if it offers that (`h3` in Alt-Svc; RFC 9114, 3.1.1), and what was used
 * here; `null` if it does not, or if the version used is unknown. A browser with a proxy uses no HTTP/3.
 */
export function http3Text(detail: ExchangeDetail): string | null {
  const { exchange, responseHead } = detail;
  const offered = responseHead === null ? null : listOf(responseHead, "alt-svc");
  if (offered === null || !offersHttp3(offered)) return null;
  const used = exchange.stream === null ? versionText(detail) : "HTTP/2";
  return used.startsWith("HTTP/") ? http3Sentence(used) : null;
}

/**
 * The client's side as text. The text also says if the client offered HTTP/2 while HTTP/2 is off
 * (docs/specification.md, HTTP/2).
 */
function clientSideOf({ exchange, clientTls }: ExchangeDetail): string {
  const { protocol, tags, clientConnection, clientStream } = exchange;
  const parts = [protocolName(protocol)];
  if (tags.includes("http2-offered")) parts.push("though the client offered HTTP/2, which is off in Settings");
  if (tags.includes("https-in-clear")) parts.push("no TLS");
  else if (!tags.includes("tunnel")) parts.push(tlsText(clientTls, exchange.origin));
  parts.push(carrierText(clientConnection, clientStream));
  return parts.join(", ");
}

/** TLS on one side, as text. `origin`: says whether there is TLS if its facts are unknown. */
function tlsText(tls: TlsParameters | null, origin: string): string {
  if (tls === null) return /^(?:https|wss):/.test(origin) ? "TLS unknown" : "no TLS";
  return `${tls.version}, ${tls.cipher}, ${tls.alpn === null ? "no ALPN" : `ALPN ${tls.alpn}`}`;
}

function serverSideOf(detail: ExchangeDetail): string {
  const { exchange, server } = detail;
  const { tags, connection, stream, reused, outcome, origin } = exchange;
  if (connection === null && reused === null && server === null) {
    if (outcome === null) return NOT_KNOWN_YET;
    return tags.includes("imported") ? "unknown: the HAR file does not say" : "none: no connection was used";
  }
  const parts = [stream === null ? versionText(detail) : "HTTP/2", tlsText(server?.tls ?? null, origin)];
  parts.push(carrierText(connection, stream));
  if (reused !== null) parts.push(reused ? "reused" : "new");
  else if (outcome === null) parts.push(`reuse ${NOT_KNOWN_YET}`);
  return parts.join(", ");
}

/**
 * The HTTP version from the status line that the server sent. If the exchange failed, Weir may have made the status
 * line, so the version is unknown.
 */
function versionText({ exchange: { outcome, tags }, responseHead }: ExchangeDetail): string {
  if (tags.includes("tunnel")) return "not read: a tunnel";
  const version = outcome?.kind === "failed" ? undefined : /^HTTP\/\d(?:\.\d)?(?= )/.exec(responseHead ?? "")?.[0];
  return version ?? "HTTP version unknown";
}

function carrierText(connection: number | null, stream: number | null): string {
  if (connection === null) return "connection unknown";
  return stream === null ? `connection ${connection}` : `stream ${stream} of connection ${connection}`;
}
