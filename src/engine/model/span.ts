import {
  eachOverhead,
  type Instants,
  type Segment,
  type Slowed,
  type Stretch,
  slowedResponseOf,
  slowedUploadOf,
} from "./phases.ts";
import type { Instant, Milliseconds } from "./units.ts";

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
