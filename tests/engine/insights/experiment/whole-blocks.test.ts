import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { wholeBlocksOf } from "../../../../src/engine/insights/experiment/whole-blocks.ts";
import type { ExperimentUnit } from "../../../../src/engine/model/experiment.ts";
import { describe } from "../../../support/describe.ts";

const LEVELS = [0, 100, 300];

const unitsDrawn: fc.Arbitrary<ExperimentUnit[]> = fc.array(
  fc.record({
    block: fc.nat(5),
    level: fc.constantFrom(...LEVELS),
    leftOut: fc.option(fc.constantFrom("failed" as const, "reloaded" as const, "other-traffic" as const), { freq: 1 }),
    duration: fc.integer({ min: 1, max: 5_000 }),
    starts: fc.constant(new Map()),
  }),
  { maxLength: 40 },
);

describe("complete blocks of an experiment", (test) => {
  test("given any units, each block with a counted unit for each level is there once, with the first ones", () => {
    fc.assert(
      fc.property(unitsDrawn, (units) => {
        const wanted: number[][] = [];
        for (const block of new Set(units.filter(({ leftOut }) => leftOut === null).map((unit) => unit.block))) {
          const own = LEVELS.map((level) =>
            units.find((unit) => unit.block === block && unit.level === level && unit.leftOut === null),
          );
          if (own.every((unit) => unit !== undefined)) wanted.push(own.map((unit) => unit.duration));
        }
        const { figures } = wholeBlocksOf(units, LEVELS, ({ duration }) => duration);
        assert.equal([...figures], wanted.flat());
      }),
    );
  });

  test("given a unit without a figure, its block is not whole", () => {
    const units = LEVELS.map(
      (level): ExperimentUnit => ({ block: 0, level, leftOut: null, duration: level, starts: new Map() }),
    );
    assert.equal([...wholeBlocksOf(units, LEVELS, ({ duration }) => duration).figures], LEVELS);
    assert.equal([...wholeBlocksOf(units, LEVELS, ({ level }) => (level === 100 ? null : 1)).figures], []);
  });

  test("given a level twice, each of its places has a unit of its own", () => {
    const units = [0, 0, 300].map(
      (level, index): ExperimentUnit => ({ block: 0, level, leftOut: null, duration: index, starts: new Map() }),
    );
    assert.equal([...wholeBlocksOf(units, [0, 0, 300], ({ duration }) => duration).figures], [0, 1, 2]);
  });
});
