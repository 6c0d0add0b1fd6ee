import type { ExchangeEnded, RequestStarted } from "../../src/engine/capture/event.ts";
import type { ErrorType, Tag } from "../../src/engine/model/exchange.ts";
import { NOTHING_AT_END } from "../../src/engine/model/exchange-fields.ts";
import { startedAt } from "../../src/engine/model/phases.ts";
import type { ExchangeId, Instant } from "../../src/engine/model/units.ts";

/** The fields that a test sets. By default: the GET of Python's probe, inside TLS. */
export interface RequestSketch {
  readonly id?: number;
  readonly at?: number;
  readonly method?: string;
  readonly origin?: string;
  readonly target?: string;
  readonly head?: string;
  readonly protocol?: string;
  readonly tags?: readonly Tag[];
}

/** The event of a request. */
export function requestStarted(sketch: RequestSketch = {}): RequestStarted {
  const { id = 1, at = 1_000, method = "GET", origin = "https://probe.weir.test", tags = [] } = sketch;
  const target = sketch.target ?? "/anything/weir/python";
  return {
    type: "request-started",
    id: id as ExchangeId,
    at: at as Instant,
    method,
    origin,
    target,
    head: sketch.head ?? `${method} ${target} HTTP/1.1\r\nHost: probe.weir.test\r\n\r\n`,
    clientAddress: "127.0.0.1",
    protocol: sketch.protocol ?? "http/1.1",
    clientConnection: 1,
    clientStream: null,
    tags,
  };
}

/** The events of a failed tunnel to `authority`. */
export function rejectedTunnel(
  id: number,
  at: number,
  errorType: ErrorType,
  authority = "probe.weir.test:443",
): readonly [RequestStarted, ExchangeEnded] {
  const started = requestStarted({
    id,
    at,
    method: "CONNECT",
    origin: `https://${authority}`,
    target: authority,
    tags: ["tunnel"],
  });
  const ended: ExchangeEnded = {
    type: "exchange-ended",
    id: id as ExchangeId,
    at: at as Instant,
    instants: startedAt(at as Instant, null),
    outcome: { kind: "failed", errorType, detail: `said ${errorType}`, status: null },
    requestBodySize: 0,
    encodedBodySize: 0,
    ...NOTHING_AT_END,
    uncertainty: 0,
    tags: ["tunnel"],
  };
  return [started, ended];
}
