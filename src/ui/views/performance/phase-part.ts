import type { Segment, Span } from "../../../engine/model/phases.ts";
import type { Milliseconds } from "../../../engine/model/units.ts";
import { PHASE_KINDS } from "../../format/phases.ts";

/** CSS class of the wait before the first phase, drawn as the bar of least height. */
export const WAIT_KIND = "phase-wait";

/** A phase of a bar, with all values that the page binds. */
export interface PhasePart {
  readonly kind: string;
  readonly style: { readonly left: string; readonly width: string };
}

/**
 * The phases of a bar; Weir's own time is omitted if it is too short. `share`: maps ms after the start to a share of
 * the width.
 */
export function phasePartsOf(spans: readonly Span[], share: (at: Milliseconds) => number): readonly PhasePart[] {
  return spans.flatMap(({ phase, from, to }) => {
    const [begin, end] = [share(from), share(to)];
    return isSeen(phase, end - begin) ? [phasePartOf(phase, begin, end)] : [];
  });
}

/** Least share of a bar at which Weir's own time is drawn. */
const LEAST_WEIR = 0.005;

/** Whether a phase is drawn if it has this share of a bar. */
export function isSeen(phase: Segment, share: number): boolean {
  return phase !== "weir" || share >= LEAST_WEIR;
}

/** A phase between two shares of the bar's width, with a gap of one pixel to the next phase. */
export function phasePartOf(phase: Segment, from: number, to: number): PhasePart {
  return partOf(PHASE_KINDS[phase], from, to);
}

/** The wait before the phases, between two shares of the bar's width. */
export function waitPartOf(from: number, to: number): PhasePart {
  return partOf(WAIT_KIND, from, to);
}

function partOf(kind: string, from: number, to: number): PhasePart {
  const style = { left: shareText(from), width: `calc(${shareText(to - from)} - 1px)` };
  return Object.freeze({ kind, style: Object.freeze(style) });
}

/** A share as a CSS value: 0.254 is "25.4%". */
export function shareText(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`;
}
