import type { ExperimentUnit } from "../../model/experiment.ts";
import type { Milliseconds } from "../../model/units.ts";

/** The figures of whole blocks: each has one figure for each level. */
export interface WholeBlocks {
  readonly levels: readonly Milliseconds[];
  /** Block after block, within a block in the order of `levels`. */
  readonly figures: Float64Array;
}

/**
 * The blocks in which each level has a unit that counts and has a figure. `figureOf` returns `null` for a unit without
 * a figure.
 */
export function wholeBlocksOf<Unit extends Omit<ExperimentUnit, "starts">>(
  units: readonly Unit[],
  levels: readonly Milliseconds[],
  figureOf: (unit: Unit) => Milliseconds | null,
): WholeBlocks {
  const blocks = new Map<number, (Milliseconds | null)[]>();
  for (const unit of units) {
    const figure = unit.leftOut === null ? figureOf(unit) : null;
    if (figure === null) continue;
    const block = blocks.get(unit.block) ?? levels.map(() => null);
    blocks.set(unit.block, block);
    const position = levels.findIndex((level, index) => level === unit.level && block[index] === null);
    if (position >= 0) block[position] = figure;
  }
  const whole = [...blocks.values()].filter((block) => !block.includes(null)) as Milliseconds[][];
  return { levels, figures: Float64Array.from(whole.flat()) };
}
