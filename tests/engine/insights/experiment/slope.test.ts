import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { fitOf, isAbove, isBelow, slopeOf } from "../../../../src/engine/insights/experiment/slope.ts";
import { type WholeBlocks, wholeBlocksOf } from "../../../../src/engine/insights/experiment/whole-blocks.ts";
import { DEFAULT_LEVELS } from "../../../../src/engine/model/experiment.ts";
import { describe } from "../../../support/describe.ts";
import { rounds, someOf } from "../../../support/rounds.ts";
import { seeded } from "../../../support/seeded.ts";
import { noise, SERVICES, type SimulatedService, simulatedUnits } from "../../../support/simulated-experiments.ts";

const levelsDrawn = fc.uniqueArray(fc.integer({ min: 0, max: 2_000 }), { minLength: 2, maxLength: 4 });

const blocksDrawn = fc.tuple(levelsDrawn, fc.integer({ min: 2, max: 8 })).chain(([levels, blocks]) =>
  fc
    .array(fc.integer({ min: 0, max: 10_000 }), {
      minLength: levels.length * blocks,
      maxLength: levels.length * blocks,
    })
    .map((figures): WholeBlocks => ({ levels, figures: Float64Array.from(figures) })),
);

/** What least squares leave with a slope, if each block has an offset of its own. */
function squaresLeft({ levels, figures }: WholeBlocks, slope: number): number {
  let sum = 0;
  for (let first = 0; first < figures.length; first += levels.length) {
    const rests = levels.map((level, index) => (figures[first + index] as number) - slope * level);
    const offset = rests.reduce((all, rest) => all + rest, 0) / rests.length;
    sum += rests.reduce((all, rest) => all + (rest - offset) ** 2, 0);
  }
  return sum;
}

function blocksOf({ duration }: SimulatedService, blocks: number, random: () => number): WholeBlocks {
  return wholeBlocksOf(simulatedUnits(duration, blocks, random), DEFAULT_LEVELS, (unit) => unit.duration);
}

const isNear = (one: number, other: number, tolerance = 1e-6) =>
  assert.ok(Math.abs(one - other) <= tolerance * (1 + Math.abs(other)), `${one} instead of ${other}`);

/**
 * How many experiments a service is simulated with; WEIR_EXPERIMENTS=1000 prints the figures of docs/measurements.md.
 */
const RUNS = Number(process.env["WEIR_EXPERIMENTS"] ?? rounds(200));

describe("slope over experiment levels", (test) => {
  test("given any figures, no other slope leaves less with an offset for each block", () => {
    fc.assert(
      fc.property(blocksDrawn, (blocks) => {
        const { slope } = fitOf(blocks);
        const least = squaresLeft(blocks, slope);
        for (const off of [-1, -0.01, 0.01, 1]) assert.ok(squaresLeft(blocks, slope + off) >= least * (1 - 1e-9));
      }),
    );
  });

  test("given blocks that differ by any drift, slope and interval are those without it, if the drift is told apart", () => {
    const random = seeded(3);
    const drifting = (drift: number): WholeBlocks => {
      const own = seeded(8);
      const figures = Float64Array.from({ length: 30 }, (_, index) => {
        const block = Math.floor(index / 3);
        return (DEFAULT_LEVELS[index % 3] ?? 0) + noise(own, 30) + drift * ((block * 7) % 10);
      });
      return { levels: DEFAULT_LEVELS, figures };
    };
    const small = slopeOf(drifting(50));
    for (let run = 0; run < 5; run += 1) {
      const large = slopeOf(drifting(100 + 10_000 * random()));
      assert.ok(small !== null && large !== null);
      isNear(large.slope, small.slope);
      isNear(large.low, small.low, 0.01);
      isNear(large.high, small.high, 0.01);
    }
  });

  test("given figures that grow by another slope, estimate and interval move by it", () => {
    const random = seeded(4);
    for (const service of SERVICES.slice(0, 4)) {
      const blocks = blocksOf(service, 8, random);
      const more = 3 * random() - 1;
      const figures = blocks.figures.map((figure, index) => figure + more * (DEFAULT_LEVELS[index % 3] ?? 0));
      const [before, after] = [slopeOf(blocks), slopeOf({ levels: DEFAULT_LEVELS, figures })];
      assert.ok(before !== null && after !== null);
      isNear(after.slope, before.slope + more);
      isNear(after.low, before.low + more, 0.02);
      isNear(after.high, before.high + more, 0.02);
      assert.ok(before.low < before.slope && before.slope < before.high);
    }
  });

  test("given no noise, the interval is the slope", () => {
    const figures = Float64Array.from({ length: 15 }, (_, index) => 0.5 * (DEFAULT_LEVELS[index % 3] ?? 0));
    const found = slopeOf({ levels: DEFAULT_LEVELS, figures });
    assert.ok(found !== null);
    isNear(found.low, 0.5);
    isNear(found.high, 0.5);
  });

  test("given at most two blocks, there is no interval", () => {
    const random = seeded(6);
    for (const service of SERVICES)
      for (const count of [0, 1, 2]) assert.is(slopeOf(blocksOf(service, count, random)), null);
  });

  test("given noise of any kind, a test with a chance of 5 % is wrong in about 5 %", () => {
    const random = seeded(12);
    const kinds = [
      () => noise(random, 50),
      () => 40 * Math.exp(noise(random, 1)),
      () => (random() < 0.1 ? 900 : 0) + noise(random, 5),
    ];
    for (const kind of kinds) {
      let [above, below] = [0, 0];
      for (let run = 0; run < rounds(600); run += 1) {
        const figures = Float64Array.from(
          { length: 24 },
          (_, index) => 0.7 * (DEFAULT_LEVELS[index % 3] ?? 0) + kind(),
        );
        if (isAbove({ levels: DEFAULT_LEVELS, figures }, 0.7, 0.05)) above += 1;
        if (isBelow({ levels: DEFAULT_LEVELS, figures }, 0.7, 0.05)) below += 1;
      }
      for (const wrong of [above, below])
        assert.ok(wrong >= rounds(600) / 60 && wrong <= rounds(600) / 11, `${wrong} of ${rounds(600)}`);
    }
  });

  for (const [index, service] of someOf([...SERVICES.entries()]))
    test(`given 30 loads (${service.name}), the interval holds the slope of the expected end in about 95 %`, () => {
      const random = seeded(100 + index);
      let inside = 0;
      for (let run = 0; run < RUNS; run += 1) {
        const blocks = blocksOf(service, 10, random);
        // The interval is where neither test is true.
        if (!isAbove(blocks, service.slope, 0.025) && !isBelow(blocks, service.slope, 0.025)) inside += 1;
      }
      const share = inside / RUNS;
      if (RUNS >= 1_000) process.stdout.write(`${service.name}: ${(100 * share).toFixed(1)} % of ${RUNS}\n`);
      // Four standard deviations.
      const allowed = Math.max(0.025, 0.85 / Math.sqrt(RUNS));
      assert.ok(Math.abs(share - 0.95) <= allowed, `${inside} of ${RUNS}`);
    });
});
