import { PHASES, type Phase } from "../../../engine/model/phases.ts";
import { PHASE_NAMES } from "../../format/phases.ts";

/** A phase's key, which also shows and hides it. */
export interface LegendChip {
  readonly phase: Phase;
  readonly name: string;
  readonly kind: string;
  readonly on: boolean;
}

/** Hue and step of a phase (theme/phases.css). */
const KINDS: Readonly<Record<Phase, string>> = {
  dns: "phase-dns",
  connect: "phase-connect",
  tls: "phase-tls",
  ttfb: "phase-ttfb",
  transfer: "phase-transfer",
};

export function legendOf(shown: ReadonlySet<Phase>): readonly LegendChip[] {
  return Object.freeze(
    PHASES.map((phase) => Object.freeze({ phase, name: PHASE_NAMES[phase], kind: KINDS[phase], on: shown.has(phase) })),
  );
}
