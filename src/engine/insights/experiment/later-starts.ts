import type { ExperimentPlan, ExperimentUnit, LaterStart } from "../../model/experiment.ts";
import { isAbove, isBelow, slopeOf } from "./slope.ts";
import { LAST, LEAST_BLOCKS, NOT_ON_PATH, ON_PATH } from "./verdict.ts";
import { type WholeBlocks, wholeBlocksOf } from "./whole-blocks.ts";

/**
 * For each endpoint that started after the target: whether its start moves with the delay. By endpoint.
 * `units`: those of an experiment that is over.
 */
export function laterStartsOf(units: readonly ExperimentUnit[], { levels }: ExperimentPlan): readonly LaterStart[] {
  const endpoints = new Set(units.flatMap(({ starts }) => [...starts.keys()]));
  return [...endpoints].toSorted().map((endpoint) => {
    const blocks = wholeBlocksOf(units, levels, ({ starts }) => starts.get(endpoint) ?? null);
    const kind = kindOf(blocks);
    return { endpoint, kind, estimate: kind === "follows" ? slopeOf(blocks) : null, units: blocks.figures.length };
  });
}

function kindOf(blocks: WholeBlocks): LaterStart["kind"] {
  if (blocks.figures.length < LEAST_BLOCKS * blocks.levels.length) return "unknown";
  if (isAbove(blocks, ON_PATH, LAST)) return "follows";
  return isBelow(blocks, NOT_ON_PATH, LAST) ? "independent" : "unknown";
}
