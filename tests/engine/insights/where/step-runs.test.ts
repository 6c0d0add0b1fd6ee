import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { loadRunsOf, stepRunsOf } from "../../../../src/engine/insights/where/step-runs.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import type { LoadStep, WaitPhase } from "../../../../src/engine/model/where.ts";
import { describe } from "../../../support/describe.ts";

const step = (path: string, gap: number, time: number, phase: WaitPhase = "ttfb"): LoadStep => ({
  exchange: 1 as ExchangeId,
  endpoint: { method: "GET", origin: "https://shop.test", path, operation: null },
  gap,
  meanwhile: null,
  time,
  phase,
});

describe("runs of steps", (test) => {
  test("given any steps, keeps them in order, and joins exactly the neighbours of one endpoint, from four on", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 40 }), (steps) => {
        const runs = stepRunsOf(steps, (each) => each);
        assert.equal(runs.flat(), steps);
        const joined = steps.join("").match(/(.)\1*/g) ?? [];
        assert.equal(
          runs.map((run) => run.join("")),
          joined.flatMap((same) => (same.length < 4 ? [...same] : [same])),
        );
      }),
    );
  });

  test("given a page load's steps, a run has the sums of their times and of the gaps between them, and their largest phase", () => {
    const items = [step("/item", 8, 5, "connect"), step("/item", 2, 10), step("/item", 0, 20), step("/item", 1, 30)];
    const [document, run, last] = loadRunsOf([step("/", 0, 100), ...items, step("/main", 3, 40, "transfer")]);
    assert.equal([document?.time, document?.gaps, document?.phase], [100, 0, "ttfb"]);
    assert.equal([run?.steps.length, run?.time, run?.gaps, run?.phase], [4, 65, 3, "ttfb"]);
    assert.equal([last?.steps.length, last?.time, last?.gaps, last?.phase], [1, 40, 0, "transfer"]);
  });

  test("given operations, methods or origins that differ, joins no steps", () => {
    const { endpoint } = step("/", 0, 1);
    for (const other of [{ operation: "Get" }, { method: "POST" }, { origin: "https://cdn.test" }]) {
      const two = [step("/", 0, 1), { ...step("/", 0, 1), endpoint: { ...endpoint, ...other } }];
      assert.is(loadRunsOf([...two, ...two, ...two]).length, 6);
    }
  });
});
