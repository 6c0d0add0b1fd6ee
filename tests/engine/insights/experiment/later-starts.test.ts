import * as assert from "uvu/assert";
import { laterStartsOf } from "../../../../src/engine/insights/experiment/later-starts.ts";
import { DEFAULT_LEVELS, type ExperimentUnit } from "../../../../src/engine/model/experiment.ts";
import { describe } from "../../../support/describe.ts";
import { seeded } from "../../../support/seeded.ts";
import { noise, simulatedUnits } from "../../../support/simulated-experiments.ts";

const PLAN = { levels: DEFAULT_LEVELS, units: 30 };

/** Loads in which some requests wait for the target, and others do not. */
function loads(random: () => number): readonly ExperimentUnit[] {
  return simulatedUnits((level) => 1_000 + level, 10, random).map((unit, index) => {
    const starts = new Map([
      ["GET /waits", 300 + unit.level + noise(random, 20)],
      ["GET /waits-twice", 400 + 2 * unit.level + noise(random, 20)],
      ["GET /timer", 250 + noise(random, 20)],
      ["GET /half", 300 + unit.level / 2 + noise(random, 5)],
    ]);
    // In every fourth load, so hardly any block is whole.
    if (index % 4 === 0) starts.set("GET /seldom", 300 + unit.level);
    return { ...unit, starts };
  });
}

describe("later requests of an experiment", (test) => {
  test("given requests that wait for the target and others, it tells which do", () => {
    const random = seeded(21);
    for (let run = 0; run < 10; run += 1) {
      const found = laterStartsOf(loads(random), PLAN);
      assert.equal(
        found.map(({ endpoint, kind }) => [endpoint, kind]),
        [
          ["GET /half", "unknown"],
          ["GET /seldom", "unknown"],
          ["GET /timer", "independent"],
          ["GET /waits", "follows"],
          ["GET /waits-twice", "follows"],
        ],
      );
      const twice = found.find(({ endpoint }) => endpoint === "GET /waits-twice");
      assert.ok(Math.abs((twice?.estimate?.slope ?? 0) - 2) < 0.3);
      assert.is(twice?.units, 30);
    }
  });

  test("given units that do not count, no request of theirs is told", () => {
    const units = loads(seeded(22)).map((unit) => ({ ...unit, leftOut: "failed" as const }));
    for (const { kind, units: counted } of laterStartsOf(units, PLAN)) {
      assert.is(kind, "unknown");
      assert.is(counted, 0);
    }
  });
});
