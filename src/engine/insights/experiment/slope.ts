import type { SlopeEstimate } from "../../model/experiment.ts";
import type { Milliseconds } from "../../model/units.ts";
import { seededRandom, shuffle } from "../../stats/seeded-random.ts";
import type { WholeBlocks } from "./whole-blocks.ts";

/*
 * How many ms a figure grows for each ms of delay: the slope of least squares, with the block as a factor. Since each
 * block has each level once, this is the slope of the levels' means, and of the expected figure at the levels, whether
 * that is a straight line or not.
 *
 * Tests permute figures within their blocks, as the levels were drawn. What is permuted is the slope beside its error:
 * errors that grow with the level then change the chance little. docs/measurements.md has the coverage.
 */

/** One more than the number of permutations of a test; more for chances below 1 %. */
const PERMUTATIONS = 2_000;

/** The chance that each end of the interval is on the wrong side of the slope. */
const OUTSIDE = 0.025;

/**
 * If the mean squares between blocks are more than this times those within, errors are computed within blocks, else
 * within levels, which has more degrees of freedom.
 */
const DIFFERING = 2;

interface Fit {
  readonly slope: number;
  /** The standard error of the slope. */
  readonly error: number;
}

/** `blocks`: at least two. */
export function fitOf({ levels, figures }: WholeBlocks): Fit {
  return new Fitter(levels).fit(figures);
}

/** The slope and its interval of 95 %; `null` if the blocks are too few for an interval. */
export function slopeOf(blocks: WholeBlocks): SlopeEstimate | null {
  if (blocks.figures.length < 2 * blocks.levels.length) return null;
  const { slope, error } = fitOf(blocks);
  const below = distanceOf(error, (distance) => isAbove(blocks, slope - distance, OUTSIDE));
  const above = distanceOf(error, (distance) => isBelow(blocks, slope + distance, OUTSIDE));
  return below === null || above === null ? null : { slope, low: slope - below, high: slope + above };
}

/** The least distance that is too far, to a fiftieth of the error; `null` if none is. */
function distanceOf(error: number, isTooFar: (distance: number) => boolean): number | null {
  if (error === 0) return 0;
  let [near, far] = [0, 3 * error];
  while (!isTooFar(far)) {
    if (far > 1_000 * error) return null;
    [near, far] = [far, 2 * far];
  }
  while (far - near > error / 50) {
    const middle = (near + far) / 2;
    if (isTooFar(middle)) far = middle;
    else near = middle;
  }
  return far;
}

/** Whether the slope is above `bound`. If it is not, the answer is wrong with a probability of at most `chance`. */
export function isAbove({ levels, figures }: WholeBlocks, bound: number, chance: number): boolean {
  const fitter = new Fitter(levels);
  const count = levels.length;
  const rest = figures.map((figure, index) => figure - bound * (levels[index % count] as number));
  const observed = steepnessOf(fitter.fit(rest));
  const all = Math.max(PERMUTATIONS, Math.ceil(10 / chance));
  const most = Math.floor(chance * all + 1e-9);
  const random = seededRandom(all);
  // The observed order is one of the permutations.
  let asSteep = 1;
  for (let tried = 1; tried < all && asSteep <= most; tried += 1) {
    for (let block = 0; block < rest.length; block += count) shuffle(rest, block, block + count, random);
    if (steepnessOf(fitter.fit(rest)) >= observed) asSteep += 1;
  }
  return asSteep <= most;
}

/** As `isAbove`, for a slope below `bound`. */
export function isBelow({ levels, figures }: WholeBlocks, bound: number, chance: number): boolean {
  return isAbove({ levels, figures: figures.map((figure) => -figure) }, -bound, chance);
}

function steepnessOf({ slope, error }: Fit): number {
  return slope === 0 ? 0 : slope / error;
}

/** Fits slopes to figures at the same levels. */
class Fitter {
  /** The weight of each level in the slope. Their sum is 0. */
  readonly #weights: Float64Array;
  readonly #means: Float64Array;
  readonly #squares: Float64Array;

  constructor(levels: readonly Milliseconds[]) {
    const middle = levels.reduce((sum, level) => sum + level, 0) / levels.length;
    const spread = levels.reduce((sum, level) => sum + (level - middle) ** 2, 0);
    this.#weights = Float64Array.from(levels, (level) => (level - middle) / spread);
    this.#means = new Float64Array(levels.length);
    this.#squares = new Float64Array(levels.length);
  }

  fit(figures: Float64Array): Fit {
    const weights = this.#weights;
    const means = this.#meansOf(figures);
    const squares = this.#squares.fill(0);
    const count = weights.length;
    // Sums of squares: of the blocks' slopes, of the blocks' means, and of what blocks and levels leave.
    let slopes = 0;
    let between = 0;
    let within = 0;
    for (let first = 0; first < figures.length; first += count) {
      let slope = 0;
      let offset = 0;
      let all = 0;
      for (let level = 0; level < count; level += 1) {
        const rest = (figures[first + level] as number) - (means[level] as number);
        slope += (weights[level] as number) * rest;
        offset += rest;
        all += rest * rest;
        squares[level] = (squares[level] as number) + rest * rest;
      }
      slopes += slope * slope;
      between += (offset * offset) / count;
      within += all - (offset * offset) / count;
    }
    let mean = 0;
    let levelwise = 0;
    for (let level = 0; level < count; level += 1) {
      const weight = weights[level] as number;
      mean += weight * (means[level] as number);
      levelwise += weight * weight * (squares[level] as number);
    }
    const areBlocksAlike = between * (count - 1) <= DIFFERING * within;
    const blocks = figures.length / count;
    return { slope: mean, error: Math.sqrt((areBlocksAlike ? levelwise : slopes) / (blocks - 1) / blocks) };
  }

  /** The mean of each level. */
  #meansOf(figures: Float64Array): Float64Array {
    const means = this.#means.fill(0);
    const count = means.length;
    for (let first = 0; first < figures.length; first += count)
      for (let level = 0; level < count; level += 1)
        means[level] = (means[level] as number) + (figures[first + level] as number);
    for (let level = 0; level < count; level += 1) means[level] = ((means[level] as number) * count) / figures.length;
    return means;
  }
}
