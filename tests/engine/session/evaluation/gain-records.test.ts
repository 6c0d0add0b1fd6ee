import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { NO_PATHS } from "../../../../src/engine/insights/links/critical-paths.ts";
import { unitsOf } from "../../../../src/engine/insights/what-if/timed-units.ts";
import { UnitGains } from "../../../../src/engine/insights/what-if/unit-gains.ts";
import { loadsOf } from "../../../../src/engine/insights/where/page-loads.ts";
import { endpointAt } from "../../../../src/engine/model/endpoint.ts";
import { gainRecordsOf, NO_GAINS } from "../../../../src/engine/session/evaluation/gain-records.ts";
import { describe } from "../../../support/describe.ts";
import { Scene, times } from "../../../support/scene.ts";

/** A walk three times: a list, then two requests beside each other, one of them longer by the drawn time. */
function walks(longer: number) {
  const scene = new Scene();
  const ids = times(3).map((index) => {
    const at = index * 5_000;
    const list = scene.ask({ at, target: "/list", server: 100, transfer: 0 });
    const short = scene.ask({ at: at + 110, target: "/short", server: 100, transfer: 0, operation: "Short" });
    const long = scene.ask({ at: at + 110, target: "/long", server: 100 + longer, transfer: 0 });
    for (const one of [short, long]) scene.prove(list, one);
    return long;
  });
  const traffic = scene.traffic();
  return {
    ids,
    traffic,
    gains: new UnitGains(
      unitsOf(
        traffic,
        loadsOf(traffic, NO_PATHS, () => null),
      ),
    ),
  };
}

describe("gain records", (test) => {
  test("given a request, tells what its own walk gains, and what all walks gain by its endpoint", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 0, max: 99 }), (longer, to) => {
        const { ids, traffic, gains } = walks(longer);
        const found = gainRecordsOf(traffic, gains, { exchanges: ids.slice(0, 1), endpoint: null, to });
        const gain = { byLinks: longer, atMost: longer };
        assert.equal(found.step, { unit: "walk", duration: 210 + longer, took: 100 + longer, gain });
        assert.is(found.loads, null);
        assert.equal([found.walks?.units, found.walks?.onPath], [3, 3]);
        assert.equal(found.walks?.sum, { byLinks: 3 * longer, atMost: 3 * longer });
      }),
    );
  });

  test("given several requests, tells what their walk gains if each of them takes the time", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 9 }), fc.integer({ min: 0, max: 100 }), (count, to) => {
        const scene = new Scene();
        const runs = times(3).map((walk) => {
          const run = times(count).map((index) =>
            scene.ask({ at: walk * 5_000 + index * 100, target: `/item?at=${index}`, server: 100, transfer: 0 }),
          );
          for (const [index, one] of run.entries()) {
            const before = run[index - 1];
            if (before !== undefined) scene.prove(before, one);
          }
          return run;
        });
        const traffic = scene.traffic();
        const loads = loadsOf(traffic, NO_PATHS, () => null);
        const gains = new UnitGains(unitsOf(traffic, loads));
        const exchanges = runs[0] ?? [];
        const saved = count * (100 - to);
        assert.equal(gainRecordsOf(traffic, gains, { exchanges, endpoint: null, to }).step, {
          unit: "walk",
          duration: 100 * count,
          took: 100 * count,
          gain: { byLinks: saved, atMost: saved },
        });
      }),
    );
  });

  test("given an endpoint, tells what walks gain; given one without requests, nothing", () => {
    const { traffic, gains } = walks(50);
    const of = (path: string, operation: string | null) =>
      gainRecordsOf(traffic, gains, {
        exchanges: [],
        endpoint: endpointAt("GET", "https://api.test", path, operation),
        to: 0,
      });
    assert.equal(of("/short", "Short").walks?.sum, { byLinks: 0, atMost: 0 });
    assert.is(of("/long", null).step, null);
    assert.is(of("/long", null).walks?.sum.atMost, 150);
    assert.equal(of("/short", null), NO_GAINS);
  });
});
