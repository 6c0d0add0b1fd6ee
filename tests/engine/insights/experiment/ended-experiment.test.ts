import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  endedExperimentOf,
  laterStartsIn,
  targetEndpointOf,
  withLatest,
} from "../../../../src/engine/insights/experiment/ended-experiment.ts";
import { type Endpoint, partsOf } from "../../../../src/engine/model/endpoint.ts";
import type { EndedExperiment } from "../../../../src/engine/model/experiment.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";
import { simulatedExperiment } from "../../../support/simulated-experiments.ts";

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
        const found = laterStartsIn(ended);
        assert.equal(laterStartsIn(JSON.parse(JSON.stringify(ended)) as EndedExperiment), found);
        for (const [index, { follows, asked }] of drawn.entries()) {
          const one = found.find(({ endpoint }) => endpoint === `GET https://api.test/${index}`);
          if (asked < 1) continue;
          assert.is(one?.units, units.length);
          assert.is.not(one?.kind, follows < 0.5 ? "follows" : "independent");
          if (one?.kind === "follows") follow += 1;
          if (one?.kind === "independent") independent += 1;
        }
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

const LATER = [
  { endpoint: "GET https://api.test/half", follows: 0.5, asked: 1 },
  { endpoint: "GET https://api.test/seldom", follows: 1, asked: 0.25 },
  { endpoint: "GET https://api.test/timer", follows: 0, asked: 1 },
  { endpoint: "GET https://api.test/waits", follows: 1, asked: 1 },
  { endpoint: "GET https://api.test/waits-twice", follows: 2, asked: 1 },
];

describe("later requests of an experiment", (test) => {
  test("given requests that wait for the target and others, finds which of them wait", () => {
    for (let seed = 0; seed < 10; seed += 1) {
      const found = laterStartsIn(simulatedExperiment(seed, LATER.toReversed()).ended);
      assert.equal(
        found.map(({ endpoint, kind }) => [endpoint, kind]),
        [
          ["GET https://api.test/half", "unknown"],
          ["GET https://api.test/timer", "independent"],
          ["GET https://api.test/waits", "follows"],
          ["GET https://api.test/waits-twice", "follows"],
        ],
      );
      const twice = found.find(({ endpoint }) => endpoint === "GET https://api.test/waits-twice");
      assert.ok(Math.abs((twice?.estimate?.slope ?? 0) - 2) < 0.3);
      assert.is(twice?.units, 30);
    }
  });

  test("given units that do not count, tells nothing of their requests", () => {
    const { units, ended } = simulatedExperiment(22, LATER);
    const failed = units.map((unit) => ({ ...unit, leftOut: "failed" as const }));
    assert.equal(laterStartsIn(endedExperimentOf(ended, failed)), []);
  });

  test("given fewer than seven whole blocks that count, tells nothing certain of their requests", () => {
    const { ended } = simulatedExperiment(23, LATER);
    const units = ended.units.map((unit) => ({ ...unit, leftOut: unit.block < 6 ? null : ("failed" as const) }));
    for (const { kind, units: counted } of laterStartsIn({ ...ended, units })) {
      assert.is(kind, "unknown");
      assert.is(counted, 18);
    }
  });
});
