import type { Phase } from "../../../engine/model/phases.ts";

/** Hue and step of a phase (theme/phases.css). */
export const PHASE_KINDS: Readonly<Record<Phase, string>> = Object.freeze({
  dns: "phase-dns",
  connect: "phase-connect",
  tls: "phase-tls",
  ttfb: "phase-ttfb",
  transfer: "phase-transfer",
});

/** The lowest step: no phase had begun. */
export const WAIT_KIND = "phase-wait";

/** One phase of a bar, ready to be bound. */
export interface PhasePart {
  readonly kind: string;
  readonly style: { readonly left: string; readonly width: string };
}

/** A phase that reaches from one share of the bar's width to another; its neighbour keeps a pixel away. */
export function phasePartOf(phase: Phase, from: number, to: number): PhasePart {
  return partOf(PHASE_KINDS[phase], from, to);
}

/** The same of the time before the phases in which it waited. */
export function waitPartOf(from: number, to: number): PhasePart {
  return partOf(WAIT_KIND, from, to);
}

function partOf(kind: string, from: number, to: number): PhasePart {
  const style = { left: shareText(from), width: `calc(${shareText(to - from)} - 1px)` };
  return Object.freeze({ kind, style: Object.freeze(style) });
}

/** A share as CSS has it: 0.254 → "25.4%". */
export function shareText(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`;
}
