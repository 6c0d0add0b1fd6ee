import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  laterStartsIn,
  laterStartsOf,
  targetEndpointOf,
  withLatest,
} from "../../../../src/engine/insights/experiment/ended-experiment.ts";
import { type Endpoint, partsOf } from "../../../../src/engine/model/endpoint.ts";
import { DEFAULT_LEVELS, type EndedExperiment, type ExperimentUnit } from "../../../../src/engine/model/experiment.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";
import { seeded } from "../../../support/seeded.ts";
import { noise, simulatedExperiment, simulatedUnits } from "../../../support/simulated-experiments.ts";

describe("ended experiment", (test) => {
  test("given an experiment that was stored as JSON, tells of later requests what its units tell", () => {
    let [follow, independent] = [0, 0];
    const later = fc.array(
      fc.record({ follows: fc.constantFrom(0, 0.5, 1), asked: fc.constantFrom(1, 1, 0.95, 0.3) }),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(fc.integer(), later, (seed, drawn) => {
        const { units, ended } = simulatedExperiment(seed, drawn);
        const plan = { levels: DEFAULT_LEVELS, units: units.length };
        const expected = laterStartsOf(units, plan).filter(({ endpoint }) =>
          ended.later.includes(endpoint as Endpoint),
        );
        const found = laterStartsIn(JSON.parse(JSON.stringify(ended)) as EndedExperiment);
        const kinds = (starts: typeof found) =>
          starts.map(({ endpoint, kind, units: count }) => `${endpoint} ${kind} ${count}`).toSorted();
        assert.equal(kinds(found), kinds(expected));
        for (const { kind } of laterStartsOf(units, plan)) {
          if (kind === "follows") follow += 1;
          if (kind === "independent") independent += 1;
        }
        // Whatever is known of a later endpoint is kept.
        const known = laterStartsOf(units, plan).filter(({ kind }) => kind !== "unknown");
        assert.ok(known.every(({ endpoint }) => ended.later.includes(endpoint as Endpoint)));
      }),
      // The first one has both kinds, whatever the others have.
      {
        numRuns: rounds(8),
        examples: [
          [
            1,
            [
              { follows: 1, asked: 1 },
              { follows: 0, asked: 1 },
            ],
          ],
        ],
      },
    );
    assert.ok(follow > 0 && independent > 0, `${follow} ${independent}`);
  });

  test("given more endpoints than are kept, keeps the most frequent ones", () => {
    const rare = { follows: 0, asked: 0.9 };
    const frequent = { follows: 0, asked: 1 };
    const { ended } = simulatedExperiment(1, [...Array.from({ length: 90 }, () => rare), ...Array(60).fill(frequent)]);
    assert.is(ended.later.length, 100);
    for (let index = 90; index < 150; index += 1)
      assert.ok(ended.later.includes(`GET https://api.test/${index}` as Endpoint));
  });

  test("given several experiments, the latest of each target and client counts, at most 32 of them", () => {
    const drawn = fc.array(fc.tuple(fc.integer({ min: 0, max: 45 }), fc.constantFrom(null, "a", "b")), {
      minLength: 50,
      maxLength: 70,
    });
    const { ended: made } = simulatedExperiment(1, [], { blocks: 2 });
    fc.assert(
      fc.property(drawn, (targets) => {
        let kept: readonly EndedExperiment[] = [];
        const latest: string[] = [];
        const nameOf = ({ target, client }: Pick<EndedExperiment, "target" | "client">) =>
          `${targetEndpointOf(target)} ${client}`;
        for (const [number, client] of targets) {
          const ended = { ...made, target: partsOf(`GET https://api.test/prices/${number}` as Endpoint), client };
          const before = kept;
          kept = withLatest(kept, ended);
          assert.is.not(kept, before);
          assert.is(kept[0], ended);
          latest.unshift(nameOf(ended));
        }
        assert.equal(kept.map(nameOf), [...new Set(latest)].slice(0, 32));
      }),
      { numRuns: 3 },
    );
  });
});

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
  test("given requests that wait for the target and others, finds which of them wait", () => {
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
