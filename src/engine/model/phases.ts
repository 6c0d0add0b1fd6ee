import type { Instant, Milliseconds } from "./units.ts";

/**
 * The instants of one exchange, named as in W3C Resource Timing where it has a name; `null` = did not happen.
 *
 *  startTime  headReceived  dns─── connect─── tls───  requestStart ─ requestEnd ····· responseStart ── responseForwarded ── responseEnd
 *  │ client's head arrives │      only on a new connection      │ upload │ server works │ Weir         │  body transfer   │
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
  /** TCP is connected and TLS begins; `null` without TLS. */
  readonly secureConnectionStart: Instant | null;
  /** The connection can carry a request: after TCP, or after TLS where there is TLS. */
  readonly connectEnd: Instant | null;
  /** Just before the request head was written to the server's socket. */
  readonly requestStart: Instant | null;
  /** Just before the request's last byte was written to the server's socket. */
  readonly requestEnd: Instant | null;
  /** The response's first byte arrived (of the final response, not of a 1xx). */
  readonly responseStart: Instant | null;
  /** Just before the response's first byte was written to the client's socket. */
  readonly responseForwarded: Instant | null;
  /** Just before the response's last byte was written to the client's socket; `null` if that never happened. */
  readonly responseEnd: Instant | null;
}

/** The instants of an exchange that has only started; a new object, not frozen. */
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

/** The phases: five in their order, and Weir's own time, which is between them. */
export const PHASES = ["dns", "connect", "tls", "ttfb", "transfer", "weir"] as const;

export type Phase = (typeof PHASES)[number];

/** Lengths; they never overlap; `null` = did not happen, which is not 0. */
export type Phases = Readonly<Record<Phase, Milliseconds | null>>;

/** A time in ms after the start. */
export interface Stretch {
  readonly from: Milliseconds;
  readonly to: Milliseconds;
}

/**
 * The phases' lengths; `wait`: the time in which the request waited for others. With it, and the time in which the head arrived, they add up
 * to the latency. Not frozen, which would cost more than the computation: this runs for every exchange.
 */
export function phasesOf(at: Instants, wait: Stretch | null = null): Phases {
  return {
    dns: between(at.domainLookupStart, at.domainLookupEnd),
    connect: between(at.connectStart, at.secureConnectionStart ?? at.connectEnd),
    tls: between(at.secureConnectionStart, at.connectEnd),
    ttfb: between(at.requestStart, at.responseStart),
    transfer: between(at.responseForwarded ?? at.responseStart, at.responseEnd),
    weir: overheadOf(at, wait),
  };
}

/**
 * First byte of the request head received → last byte of the response relayed; `null` until then, and if that never
 * happens.
 */
export function latencyOf(at: Instants): Milliseconds | null {
  return between(at.startTime, at.responseEnd);
}

/** The time to send the request's body; a part of TTFB, shown separately. */
export function uploadOf(at: Instants): Milliseconds | null {
  return between(at.requestStart, at.requestEnd);
}

/**
 * Weir's own time: head received → head sent, less the part of dns, connect, tls and `wait` between the two, plus first
 * response byte received → sent. Excludes slow clients; `null` unless all four are known.
 */
export function overheadOf(at: Instants, wait: Stretch | null): Milliseconds | null {
  if (between(at.headReceived, at.requestStart) === null) return null;
  if (between(at.responseStart, at.responseForwarded) === null) return null;
  let sum = 0;
  eachOverhead(at, wait, (from, to) => {
    sum += to - from;
  });
  return sum;
}

/** Visits the pieces of Weir's own time that are known so far, in order: epoch milliseconds, none empty. */
export function eachOverhead(at: Instants, wait: Stretch | null, visit: (from: number, to: number) => void): void {
  const { headReceived, requestStart, responseStart, responseForwarded } = at;
  if (headReceived !== null && requestStart !== null) {
    let known: number = headReceived;
    const pass = (from: number | null, to: number | null): void => {
      if (from === null || to === null) return;
      if (Math.min(from, requestStart) > known) visit(known, Math.min(from, requestStart));
      known = Math.max(known, to);
    };
    if (wait !== null) pass(at.startTime + wait.from, at.startTime + wait.to);
    pass(at.domainLookupStart, at.domainLookupEnd);
    pass(at.connectStart, at.connectEnd);
    pass(requestStart, requestStart);
  }
  if (responseStart !== null && responseForwarded !== null && responseForwarded > responseStart)
    visit(responseStart, responseForwarded);
}

function between(from: Instant | null, to: Instant | null): Milliseconds | null {
  return from === null || to === null ? null : to - from;
}
