import type { Instant, Milliseconds } from "./units.ts";

/**
 * The instants of one exchange, named as in W3C Resource Timing where that has the same instant. `null`: the instant
 * did not happen.
 *
 *  startTime  headReceived  dns─── connect─── tls───  requestStart ─ requestEnd ····· responseStart ── responseForwarded ── responseEnd
 *  │ client's head arrives │      only on a new connection      │ upload │ server works │ Weir         │  body transfer   │
 *
 * A response that Weir held back on purpose was held from `responseStart` to `released`.
 */
export interface Instants {
  /** When the first byte of the request's head reached the proxy. */
  readonly startTime: Instant;
  /** When the proxy had read the whole head of the request. */
  readonly headReceived: Instant | null;
  readonly domainLookupStart: Instant | null;
  readonly domainLookupEnd: Instant | null;
  /** When the first address was tried. */
  readonly connectStart: Instant | null;
  /** When TCP was connected and TLS began; `null` without TLS. */
  readonly secureConnectionStart: Instant | null;
  /** When the connection could carry a request: after TCP, or after TLS if there is TLS. */
  readonly connectEnd: Instant | null;
  /** Just before the request's head was written to the server's socket. */
  readonly requestStart: Instant | null;
  /** Just before the request's last byte was written to the server's socket. */
  readonly requestEnd: Instant | null;
  /** When the first byte of the final response arrived; 1xx responses do not count. */
  readonly responseStart: Instant | null;
  /** Just before the response's first byte was written to the client's socket. */
  readonly responseForwarded: Instant | null;
  /** Just before the response's last byte was written to the client's socket; `null` if that did not happen. */
  readonly responseEnd: Instant | null;
  /** When a held response was released; absent if it was not held. */
  readonly released?: Instant;
}

/** Returns the instants of an exchange that has only just started, as a new object that is not frozen. */
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

/** The five phases in the order of time, then Weir's own time between them. */
export const PHASES = ["dns", "connect", "tls", "ttfb", "transfer", "weir"] as const;

export type Phase = (typeof PHASES)[number];

/** The time of each phase; phases never overlap. `null`, unlike 0, means that a phase did not happen. */
export type Phases = Readonly<Record<Phase, Milliseconds | null>>;

/** What a bar shows: the phases, and `held` (on purpose, by an experiment). */
export const SEGMENTS = [...PHASES, "held"] as const;

export type Segment = (typeof SEGMENTS)[number];

/** A stretch of time, in ms after the exchange's start. */
export interface Stretch {
  readonly from: Milliseconds;
  readonly to: Milliseconds;
}

/**
 * By how long conditions delayed an exchange, in ms: its request's head, its request's body, and its response
 * (docs/specification.md, Slowed).
 */
export interface Slowed {
  readonly request: Milliseconds;
  readonly upload: Milliseconds;
  readonly response: Milliseconds;
}

/**
 * Returns the time of each phase. `wait`: as `waitOf` returns it. The phases, the wait, what was slowed or held and the
 * arrival of the head add up to the latency. The result is not frozen, because this function runs for every exchange
 * and freezing would cost more than computing.
 */
export function phasesOf(at: Instants, wait: Stretch | null = null, slowed: Slowed | null = null): Phases {
  const ttfb = between(at.requestStart, at.responseStart);
  const transfer = between(at.responseForwarded ?? at.released ?? at.responseStart, at.responseEnd);
  return {
    dns: between(at.domainLookupStart, at.domainLookupEnd),
    connect: between(at.connectStart, at.secureConnectionStart ?? at.connectEnd),
    tls: between(at.secureConnectionStart, at.connectEnd),
    ttfb: ttfb === null ? null : ttfb - slowedUploadOf(at, slowed),
    transfer:
      transfer === null || at.responseEnd === null ? null : transfer - slowedResponseOf(at, at.responseEnd, slowed),
    weir: overheadOf(at, wait),
  };
}

/** The part of TTFB in which the upload was slowed. */
export function slowedUploadOf(at: Instants, slowed: Slowed | null): Milliseconds {
  if (slowed === null || at.requestStart === null || at.requestEnd === null) return 0;
  return Math.min(slowed.upload, at.requestEnd - at.requestStart);
}

/** The part of the transfer in which the response was slowed. `end`: of the response, or of the exchange. */
export function slowedResponseOf(at: Instants, end: Instant, slowed: Slowed | null): Milliseconds {
  const from = at.responseForwarded ?? at.released ?? at.responseStart;
  if (slowed === null || from === null) return 0;
  return Math.max(0, Math.min(slowed.response, end - from));
}

/**
 * From the first byte of the request's head to the last byte of the response relayed; `null` if that has not happened.
 * `isQueued`: leaves out the browser's own queue, which ends at `headReceived`.
 */
export function latencyOf(at: Instants, isQueued = false): Milliseconds | null {
  return between(isQueued ? at.headReceived : at.startTime, at.responseEnd);
}

/** How long sending the request's body took. A part of TTFB, shown by itself. */
export function uploadOf(at: Instants): Milliseconds | null {
  return between(at.requestStart, at.requestEnd);
}

/** How long Weir held the response back on purpose; `null` if it did not. */
export function heldOf(at: Instants): Milliseconds | null {
  return between(at.responseStart, at.released ?? null);
}

/**
 * Returns Weir's own time: the time from `headReceived` to `requestStart` without DNS, Connect, TLS and `wait`, plus
 * the time from `responseStart`, or from the release of a held response, to `responseForwarded`. `null` if one of these
 * four instants is unknown.
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

/**
 * Calls `visit` for each part of Weir's own time that is known so far, in order. `from` and `to` are epoch
 * milliseconds, and empty parts are skipped.
 */
export function eachOverhead(at: Instants, wait: Stretch | null, visit: (from: number, to: number) => void): void {
  const { headReceived, requestStart, responseForwarded } = at;
  const responseStart = at.released ?? at.responseStart;
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

/**
 * What a request waited for. `connection`: a connection that another exchange was opening; `stream`: a free stream (RFC
 * 9113, 5.1.2); `unsaid`: a HAR file gives no reason; `sign`: the response to a PING after a long silence (RFC 9113,
 * 8.7); `retry`: a reused connection closed without a response, so the request was sent again; `browser`: the browser's
 * own queue (its priorities, its main thread), which is no part of the latency.
 */
export const WAITED_FOR = ["connection", "stream", "unsaid", "sign", "retry", "browser"] as const;

export type WaitedFor = (typeof WAITED_FOR)[number];

/** When a request waited: `from` and `to` in ms after its start. */
export interface Wait {
  readonly waitedFor: WaitedFor;
  readonly from: Milliseconds;
  readonly to: Milliseconds;
}

/** A shorter wait, or excess of a phase over its usual length, is shown as 0.0 ms, so it is no cause. */
export const LEAST_EXCESS: Milliseconds = 0.05;

/**
 * Returns the wait from the arrival of the request's head to the exchange's first phase. If no phase happened, the wait
 * lasts until the exchange's end. The browser's own queue lasts from the start to the arrival of the head. `null` if
 * the request did not wait.
 */
export function waitOf({
  instants: at,
  endTime,
  waitedFor,
}: {
  readonly instants: Instants;
  readonly endTime: Instant | null;
  readonly waitedFor: WaitedFor | null;
}): Wait | null {
  if (waitedFor === null) return null;
  const isQueued = waitedFor === "browser";
  const from = isQueued ? at.startTime : (at.headReceived ?? at.startTime);
  const to = isQueued ? at.headReceived : (at.domainLookupStart ?? at.connectStart ?? at.requestStart ?? endTime);
  if (to === null || to <= from) return null;
  return Object.freeze({ waitedFor, from: from - at.startTime, to: to - at.startTime });
}

/** A phase, the held time, or a part of Weir's own time: `from` and `to` in ms after the exchange's start. */
export interface Span {
  readonly phase: Segment;
  readonly from: Milliseconds;
  readonly to: Milliseconds;
}

/** The phases and other segments that happened, in order. `wait`: as `waitOf` returns it. */
export function spansOf(at: Instants, wait: Stretch | null = null, slowed: Slowed | null = null): readonly Span[] {
  const spans: Span[] = [];
  const add = (phase: Segment, from: number | null, to: number | null): void => {
    if (from !== null && to !== null)
      spans.push(Object.freeze({ phase, from: from - at.startTime, to: to - at.startTime }));
  };
  const end: Instant | null = at.secureConnectionStart ?? at.connectEnd;
  add("dns", at.domainLookupStart, at.domainLookupEnd);
  add("connect", at.connectStart, end);
  add("tls", at.secureConnectionStart, at.connectEnd);
  const { requestStart, responseEnd } = at;
  add("ttfb", requestStart === null ? null : requestStart + slowedUploadOf(at, slowed), at.responseStart);
  add("held", at.responseStart, at.released ?? null);
  const forwarded = at.responseForwarded ?? at.released ?? at.responseStart;
  if (forwarded !== null && responseEnd !== null)
    add("transfer", forwarded + slowedResponseOf(at, responseEnd, slowed), responseEnd);
  eachOverhead(at, wait, (from, to) => add("weir", from, to));
  return Object.freeze(spans.sort((one, other) => one.from - other.from || one.to - other.to));
}

/** What `slowedStretchesOf` reads of an exchange. */
interface SlowedExchange {
  readonly instants: Instants;
  readonly endTime: Instant | null;
  readonly slowed: Slowed | null;
}

const UNSLOWED: readonly Stretch[] = Object.freeze([]);

/**
 * When an exchange was slowed, in order. Only lengths are measured: each is placed at the beginning of what it slowed.
 */
export function slowedStretchesOf({ instants: at, endTime, slowed }: SlowedExchange): readonly Stretch[] {
  if (slowed === null) return UNSLOWED;
  const end = at.responseEnd ?? endTime;
  const stretches: Stretch[] = [];
  const add = (from: number, to: number): void => {
    if (to > from) stretches.push(Object.freeze({ from: from - at.startTime, to: to - at.startTime }));
  };
  const sent = at.requestStart ?? end ?? at.startTime;
  add(at.startTime, Math.min(at.startTime + slowed.request, sent));
  if (at.requestStart !== null) add(at.requestStart, at.requestStart + slowedUploadOf(at, slowed));
  const forwarded = at.responseForwarded ?? at.released ?? at.responseStart;
  if (end !== null && forwarded !== null) add(forwarded, forwarded + slowedResponseOf(at, end, slowed));
  return Object.freeze(stretches);
}

/** The whole time by which conditions delayed the exchange. */
export function slowedTimeOf(exchange: SlowedExchange): Milliseconds {
  return slowedStretchesOf(exchange).reduce((sum, { from, to }) => sum + to - from, 0);
}
