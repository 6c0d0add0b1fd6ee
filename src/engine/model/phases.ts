import type { Instant, Milliseconds } from "./units.ts";

/**
 * The moments of one exchange, named as in W3C Resource Timing where it has a name; `null` = did not happen.
 *
 *  startTime  headReceived  dns─── connect─── tls───  requestStart ─ requestEnd ····· responseStart ─── responseEnd
 *  │ client's head arrives │      only on a new connection      │ upload │ server works │  body transfer  │
 */
export interface Instants {
  /** First byte of the request head reached the proxy. */
  readonly startTime: Instant;
  /** The whole request head had been read. */
  readonly headReceived: Instant | null;
  readonly domainLookupStart: Instant | null;
  readonly domainLookupEnd: Instant | null;
  /** First address tried. */
  readonly connectStart: Instant | null;
  /** TCP stands and TLS is about to begin; `null` without TLS. */
  readonly secureConnectionStart: Instant | null;
  /** The connection can carry a request: after TCP, or after TLS where there is TLS. */
  readonly connectEnd: Instant | null;
  /** Just before the request head was handed to the server's socket. */
  readonly requestStart: Instant | null;
  /** Just before the request's last byte was handed to the server's socket. */
  readonly requestEnd: Instant | null;
  /** The response's first byte arrived (of the final response, not of a 1xx). */
  readonly responseStart: Instant | null;
  /** Just before the response's first byte was handed to the client's socket. */
  readonly responseForwarded: Instant | null;
  /** Just before the response's last byte was handed to the client's socket; `null` when that never happened. */
  readonly responseEnd: Instant | null;
}

/** Of an exchange of which nothing more has happened; a new object, not frozen. */
export function startedAt(startTime: Instant, headReceived: Instant | null): Instants {
  return {
    startTime,
    headReceived,
    domainLookupStart: null,
    domainLookupEnd: null,
    connectStart: null,
    secureConnectionStart: null,
    connectEnd: null,
    requestStart: null,
    requestEnd: null,
    responseStart: null,
    responseForwarded: null,
    responseEnd: null,
  };
}

/** The seed's five phases, in their order. */
export const PHASES = ["dns", "connect", "tls", "ttfb", "transfer"] as const;

export type Phase = (typeof PHASES)[number];

/** Lengths; they never overlap; `null` = did not happen, which is not 0. */
export type Phases = Readonly<Record<Phase, Milliseconds | null>>;

/** Not frozen, which would cost more than all else here: it is asked for with every exchange. */
export function phasesOf(at: Instants): Phases {
  return {
    dns: between(at.domainLookupStart, at.domainLookupEnd),
    connect: between(at.connectStart, at.secureConnectionStart ?? at.connectEnd),
    tls: between(at.secureConnectionStart, at.connectEnd),
    ttfb: between(at.requestStart, at.responseStart),
    transfer: between(at.responseStart, at.responseEnd),
  };
}

/** First byte of the request head received → last byte of the response relayed; `null` until (and unless) that is. */
export function latencyOf(at: Instants): Milliseconds | null {
  return between(at.startTime, at.responseEnd);
}

/** Time the request's body took to go out; a part of TTFB, shown apart. */
export function uploadOf(at: Instants): Milliseconds | null {
  return between(at.requestStart, at.requestEnd);
}

/**
 * What the proxy itself added: head in → head out, minus the dns, connect and tls that lie between the two and the
 * `wait` for others, plus first response byte in → out. A slow reader is not our overhead.
 */
export function overheadOf(
  at: Instants,
  wait: { readonly from: Milliseconds; readonly to: Milliseconds } | null,
): Milliseconds | null {
  const forwarding = between(at.headReceived, at.requestStart);
  const answering = between(at.responseStart, at.responseForwarded);
  if (forwarding === null || answering === null) return null;
  const dns = between(at.domainLookupStart, at.domainLookupEnd) ?? 0;
  // TCP, and TLS where there is TLS.
  const connect = between(at.connectStart, at.connectEnd) ?? 0;
  const waited = wait === null ? 0 : wait.to - wait.from;
  return Math.max(0, forwarding - waited - dns - connect) + answering;
}

function between(from: Instant | null, to: Instant | null): Milliseconds | null {
  return from === null || to === null ? null : to - from;
}
