import { SEGMENTS, type Segment, type Span, type Wait } from "../../engine/model/phases.ts";
import { durationText } from "./duration.ts";

/** Display names of the phases, and of the time that Weir held a response back. */
export const PHASE_NAMES: Readonly<Record<Segment, string>> = Object.freeze({
  dns: "DNS",
  connect: "Connect",
  tls: "TLS",
  ttfb: "TTFB",
  transfer: "Transfer",
  weir: "Weir",
  held: "Held on purpose",
});

/** Class for the colour and height of each phase (theme/phases.css). */
export const PHASE_KINDS: Readonly<Record<Segment, string>> = Object.freeze({
  dns: "phase-dns",
  connect: "phase-connect",
  tls: "phase-tls",
  ttfb: "phase-ttfb",
  transfer: "phase-transfer",
  weir: "phase-weir",
  held: "phase-held",
});

/** What a wait is called; it is no phase. */
export function waitName({ waitedFor }: Wait): string {
  return waitedFor === "browser" ? "Queued by the browser" : "Waiting";
}

/**
 * The text alternative of a phase bar: "Connect 21 ms, TTFB 1,816 ms". All pieces of Weir's own time count as one
 * phase.
 */
export function phasesPhrase(spans: readonly Span[]): string {
  return SEGMENTS.flatMap((phase) => {
    const length = lengthIn(spans, phase);
    return length === null ? [] : [`${PHASE_NAMES[phase]} ${durationText(length)} ms`];
  }).join(", ");
}

/** The total length of all pieces of a phase; `null` if the phase did not happen. */
export function lengthIn(spans: readonly Span[], phase: Segment): number | null {
  const own = spans.filter((span) => span.phase === phase);
  return own.length === 0 ? null : own.reduce((sum, { from, to }) => sum + to - from, 0);
}
