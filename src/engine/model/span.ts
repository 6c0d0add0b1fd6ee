import { type Instants, PHASES, type Phase } from "./phases.ts";
import type { Instant, Milliseconds } from "./units.ts";

/** One phase as it lies on the exchange's own time line: `from` and `to` in ms after its start. */
export interface Span {
  readonly phase: Phase;
  readonly from: Milliseconds;
  readonly to: Milliseconds;
}

/** The phases that happened, in their order. */
export function spansOf(at: Instants): readonly Span[] {
  const bounds: Readonly<Record<Phase, readonly [Instant | null, Instant | null]>> = {
    dns: [at.domainLookupStart, at.domainLookupEnd],
    connect: [at.connectStart, at.secureConnectionStart ?? at.connectEnd],
    tls: [at.secureConnectionStart, at.connectEnd],
    ttfb: [at.requestStart, at.responseStart],
    transfer: [at.responseStart, at.responseEnd],
  };
  const spans: Span[] = [];
  for (const phase of PHASES) {
    const [from, to] = bounds[phase];
    if (from === null || to === null) continue;
    spans.push(Object.freeze({ phase, from: from - at.startTime, to: to - at.startTime }));
  }
  return Object.freeze(spans);
}
