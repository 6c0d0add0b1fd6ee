import { PHASES, type Phase } from "../../../engine/model/phases.ts";
import { PHASE_NAMES } from "../../format/phases.ts";

/** An entry of the legend for a phase; a click hides or shows the phase. */
export interface LegendChip {
  readonly phase: Phase;
  readonly name: string;
  readonly kind: string;
  readonly on: boolean;
}

/** Class for the hue and height of each phase (theme/phases.css). */
const KINDS: Readonly<Record<Phase, string>> = {
  dns: "phase-dns",
  connect: "phase-connect",
  tls: "phase-tls",
  ttfb: "phase-ttfb",
  transfer: "phase-transfer",
  weir: "phase-weir",
};

export function legendOf(shown: ReadonlySet<Phase>): readonly LegendChip[] {
  return Object.freeze(
    PHASES.map((phase) => Object.freeze({ phase, name: PHASE_NAMES[phase], kind: KINDS[phase], on: shown.has(phase) })),
  );
}
