import { eachOverhead, type Instants, type Phase, type Stretch } from "./phases.ts";
import type { Instant, Milliseconds } from "./units.ts";

/** A phase, or a part of Weir's own time: `from` and `to` in ms after the exchange's start. */
export interface Span {
  readonly phase: Phase;
  readonly from: Milliseconds;
  readonly to: Milliseconds;
}

/** The phases that happened, in order. `wait`: as `waitOf` returns it. */
export function spansOf(at: Instants, wait: Stretch | null = null): readonly Span[] {
  const spans: Span[] = [];
  const add = (phase: Phase, from: number | null, to: number | null): void => {
    if (from !== null && to !== null)
      spans.push(Object.freeze({ phase, from: from - at.startTime, to: to - at.startTime }));
  };
  const end: Instant | null = at.secureConnectionStart ?? at.connectEnd;
  add("dns", at.domainLookupStart, at.domainLookupEnd);
  add("connect", at.connectStart, end);
  add("tls", at.secureConnectionStart, at.connectEnd);
  add("ttfb", at.requestStart, at.responseStart);
  add("transfer", at.responseForwarded ?? at.responseStart, at.responseEnd);
  eachOverhead(at, wait, (from, to) => add("weir", from, to));
  return Object.freeze(spans.sort((one, other) => one.from - other.from || one.to - other.to));
}
