import type { ExchangeDetail } from "../../../../src/engine/messages/exchange-messages.ts";
import type { EndpointStats } from "../../../../src/engine/messages/latency-messages.ts";
import { NO_ANNOTATION } from "../../../../src/engine/model/annotation.ts";
import { endpointOf } from "../../../../src/engine/model/endpoint.ts";
import { type Exchange, UNKNOWN_YET } from "../../../../src/engine/model/exchange.ts";
import { startedAt } from "../../../../src/engine/model/phases.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";

const ENDPOINT = endpointOf("POST", "https://api.shop.test", "/v1/checkout");
const START = 1_700_000_000_000 as Instant;

/** The checkout in the design's pictures: a new connection, 1,967 ms, a 502. */
export function checkout(change: Partial<ExchangeDetail> = {}, exchange: Partial<Exchange> = {}): ExchangeDetail {
  return {
    exchange: {
      ...UNKNOWN_YET,
      id: 242 as ExchangeId,
      endpoint: ENDPOINT,
      method: "POST",
      origin: "https://api.shop.test",
      target: "/v1/checkout",
      client: "127.0.0.1 curl/8.9",
      instants: startedAt(START, null),
      endTime: (START + 1966.8) as Instant,
      outcome: { kind: "responded", status: 502 },
      requestBodySize: 30,
      encodedBodySize: 418,
      decodedBodySize: 742,
      contentEncoding: "gzip",
      contentType: "application/json",
      reused: false,
      connection: 3,
      clientConnection: 2,
      protocol: "http/1.1",
      tags: [],
      ...exchange,
    },
    phases: { dns: 4.1, connect: 21.3, tls: 28.7, ttfb: 1816.4, transfer: 96.3, weir: 0.42 },
    spans: [
      { phase: "dns", from: 0, to: 4.1 },
      { phase: "connect", from: 4.1, to: 25.4 },
      { phase: "tls", from: 25.4, to: 54.1 },
      { phase: "ttfb", from: 54.1, to: 1870.5 },
      { phase: "transfer", from: 1870.5, to: 1966.8 },
    ],
    annotation: NO_ANNOTATION,
    unit: null,
    latency: 1966.8,
    failedAfter: null,
    upload: 3.2,
    requestHead: "POST /v1/checkout HTTP/1.1\r\nHost: api.shop.test\r\n\r\n",
    responseHead: "HTTP/1.1 502 Bad Gateway\r\nserver-timing: auth;dur=41, db;dur=212, payment;dur=1490\r\n\r\n",
    requestBody: { size: 30, kept: 30, contentType: "application/json", contentEncoding: null },
    responseBody: { size: 418, kept: 418, contentType: "application/json", contentEncoding: "gzip" },
    slow: null,
    slowed: [],
    findings: [],
    oversized: false,
    stats: STATS,
    clientTls: null,
    server: { address: "203.0.113.7:443", tls: null },
    serverSharing: { others: 0, more: false, openedBy: null },
    clientSharing: { others: 0, more: false, openedBy: null },
    wait: null,
    messages: 0,
    ...change,
  };
}

export const STATS: EndpointStats = {
  endpoint: ENDPOINT,
  method: "POST",
  origin: "https://api.shop.test",
  path: "/v1/checkout",
  operation: null,
  requests: 9,
  errors: 2,
  samples: 9,
  p50: 685,
  p95: 1614,
  p99: 1896,
  avgSize: 2253,
  avgDecodedSize: null,
  avgRequestSize: 30,
  errorRate: 22.2,
  protocols: ["http/1.1"],
};
