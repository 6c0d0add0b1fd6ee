import type { Phase } from "../../engine/model/phases.ts";
import type { Span } from "../../engine/model/span.ts";
import { durationText } from "./duration.ts";

/** How the seed writes the phases. */
export const PHASE_NAMES: Readonly<Record<Phase, string>> = Object.freeze({
  dns: "DNS",
  connect: "Connect",
  tls: "TLS",
  ttfb: "TTFB",
  transfer: "Transfer",
});

/** The text twin of a phase bar: "Connect 21 ms, TTFB 1,816 ms". */
export function phasesPhrase(spans: readonly Span[]): string {
  return spans.map(({ phase, from, to }) => `${PHASE_NAMES[phase]} ${durationText(to - from)} ms`).join(", ");
}
