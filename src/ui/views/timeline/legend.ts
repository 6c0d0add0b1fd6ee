import { PHASES, type Phase } from "../../../engine/model/phases.ts";
import { PHASE_KINDS, PHASE_NAMES } from "../../format/phases.ts";

/** An entry of the legend for a phase; a click hides or shows the phase. */
export interface LegendChip {
  readonly phase: Phase;
  readonly name: string;
  readonly kind: string;
  readonly on: boolean;
}

export function legendOf(shown: ReadonlySet<Phase>): readonly LegendChip[] {
  return Object.freeze(
    PHASES.map((phase) =>
      Object.freeze({ phase, name: PHASE_NAMES[phase], kind: PHASE_KINDS[phase], on: shown.has(phase) }),
    ),
  );
}
