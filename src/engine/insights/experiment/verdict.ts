import type {
  Dependence,
  ExperimentPlan,
  ExperimentUnit,
  ExperimentVerdict,
  SlopeEstimate,
} from "../../model/experiment.ts";
import { fitOf, isAbove, isBelow, slopeOf } from "./slope.ts";
import { type WholeBlocks, wholeBlocksOf } from "./whole-blocks.ts";

/**
 * docs/specification.md, Verdict of an experiment: the slope above which a request is on the path, and below which it
 * is not.
 */
export const ON_PATH = 0.7;
export const NOT_ON_PATH = 0.3;

/** docs/specification.md, Verdict of an experiment: the widest interval that allows "partly". */
const PARTLY_WIDTH = 0.3;

/**
 * The fewest whole blocks for a verdict. If half of the loads wait for a request, all that were held longest do so in
 * 0.8 % of seven blocks, and in 6 % of four.
 */
export const LEAST_BLOCKS = 7;

/**
 * The chance of a verdict on the wrong side of a limit: `LAST` at the end, as for one end of the interval, and `EARLY`
 * each of the at most `LOOKS` times that the experiment is judged before.
 */
const LOOKS = 4;
const EARLY = 0.0005;
export const LAST = 0.025;

/**
 * The verdict so far. `null`: the experiment goes on; nothing may be shown or decided by its figures meanwhile.
 * `isOver`: no further unit will come.
 */
export function verdictOf(
  units: readonly ExperimentUnit[],
  plan: ExperimentPlan,
  isOver: boolean,
): ExperimentVerdict | null {
  const blocks = wholeBlocksOf(units, plan.levels, ({ duration }) => duration);
  const planned = Math.ceil(plan.units / plan.levels.length);
  const count = blocks.figures.length / plan.levels.length;
  const isLast = isOver || count >= planned;
  if (!isLast && !isLook(count, planned)) return null;
  const early = isLast ? null : earlyKindOf(blocks);
  if (!isLast && early === null) return null;
  const estimate = slopeOf(blocks);
  return resultOf(early ?? lastKindOf(blocks, estimate), estimate, units, blocks);
}

/** Whether an experiment of `planned` blocks is judged after `count` of them. */
function isLook(count: number, planned: number): boolean {
  const later = planned - LEAST_BLOCKS;
  for (let look = 0; look < LOOKS; look += 1)
    if (count === LEAST_BLOCKS + Math.floor((look * later) / LOOKS)) return true;
  return false;
}

function earlyKindOf(blocks: WholeBlocks): Dependence | null {
  if (isAbove(blocks, ON_PATH, EARLY)) return "on-path";
  if (isBelow(blocks, NOT_ON_PATH, EARLY)) return "not-on-path";
  return isAbove(blocks, NOT_ON_PATH, EARLY) && isBelow(blocks, ON_PATH, EARLY) ? "partly" : null;
}

function lastKindOf(blocks: WholeBlocks, estimate: SlopeEstimate | null): Dependence {
  if (blocks.figures.length < LEAST_BLOCKS * blocks.levels.length) return "unknown";
  if (isAbove(blocks, ON_PATH, LAST)) return "on-path";
  if (isBelow(blocks, NOT_ON_PATH, LAST)) return "not-on-path";
  return estimate !== null && estimate.high - estimate.low <= PARTLY_WIDTH ? "partly" : "unknown";
}

function resultOf(
  kind: Dependence,
  estimate: SlopeEstimate | null,
  units: readonly ExperimentUnit[],
  blocks: WholeBlocks,
): ExperimentVerdict {
  const counted = blocks.figures.length;
  const number = (reason: ExperimentUnit["leftOut"]) => units.filter(({ leftOut }) => leftOut === reason).length;
  return Object.freeze({
    kind,
    estimate,
    units: counted,
    needed: kind === "unknown" ? neededOf(blocks) : null,
    shifts: shiftsOf(blocks),
    leftOut: {
      failed: number("failed"),
      reloaded: number("reloaded"),
      "other-traffic": number("other-traffic"),
      unfinished: number(null) - counted,
    },
  });
}

/** The normal quantiles of a test with `LAST`, of its success in nine of ten experiments, and of half an interval. */
const Z_LAST = 2;
const Z_POWER = 1.28;
const Z_WIDTH = 2;

/** About how many units lead to a verdict, if slope and error are as they seem. */
function neededOf(blocks: WholeBlocks): number {
  const each = blocks.levels.length;
  const count = blocks.figures.length / each;
  if (count < 2) return LEAST_BLOCKS * each;
  const { slope, error } = fitOf(blocks);
  const oneBlock = error * Math.sqrt(count);
  const distance = Math.max(slope - ON_PATH, NOT_ON_PATH - slope, 0);
  const toSide = (((Z_LAST + Z_POWER) * oneBlock) / distance) ** 2;
  const toWidth = ((2 * Z_WIDTH * oneBlock) / PARTLY_WIDTH) ** 2;
  const fewest = Math.min(toSide, toWidth);
  return each * Math.max(LEAST_BLOCKS, count + 1, Math.ceil(fewest));
}

function shiftsOf({ levels, figures }: WholeBlocks): ExperimentVerdict["shifts"] {
  if (figures.length === 0) return [];
  const means = levels.map((level, position) => {
    const own = figures.filter((_, index) => index % levels.length === position);
    return { level, mean: own.reduce((sum, figure) => sum + figure, 0) / own.length };
  });
  means.sort((one, other) => one.level - other.level);
  const least = means[0]?.mean ?? 0;
  return means.map(({ level, mean }) => ({ level, shift: mean - least }));
}
