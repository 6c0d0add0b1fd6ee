import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { setDifferenceOf } from "../../../../src/engine/insights/difference/set-difference.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";
import { Scene, times } from "../../../support/scene.ts";
import { lognormal, seeded } from "../../../support/seeded.ts";

const BY_TIME = { isByTime: true, isByLatency: false };

/** Requests to /a and /b, first so many of each as before, then as many that take `factors` times as long. */
function halvesOf(random: () => number, count: number, factors: { readonly a: number; readonly b: number }) {
  const scene = new Scene();
  const ids = times(4 * count).map((index) => {
    const [name, usual] = index % 2 === 0 ? (["a", 700] as const) : (["b", 60] as const);
    const factor = index < 2 * count ? 1 : factors[name];
    return scene.ask({ at: index * 3_000, target: `/${name}`, server: factor * lognormal(random, usual, 0.03) });
  });
  return { scene, later: ids.slice(2 * count) };
}

describe("latencies of a set", (test) => {
  test("given endpoints that take another time in the set, names them with the medians and requests of both sides", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 6, max: 40 }),
        fc.constantFrom(0.5, 1.4, 1.9),
        fc.constantFrom(0.25, 1, 4),
        (seed, count, a, b) => {
          const { scene, later } = halvesOf(seeded(seed), count, { a, b });
          const { latencies, latenciesTried } = setDifferenceOf(scene.traffic(), later, BY_TIME);
          const names = latencies.map(({ endpoint }) => endpoint.path);
          assert.equal([names, latenciesTried], [b === 1 ? ["/a"] : ["/b", "/a"], 2]);
          for (const { endpoint, chosen, others } of latencies) {
            assert.equal([chosen.requests, others.requests], [count, count]);
            const factor = endpoint.path === "/a" ? a : b;
            assert.ok(Math.abs(Math.log(chosen.median / others.median / factor)) < 0.15);
          }
        },
      ),
      { numRuns: rounds(30) },
    );
  });

  test("given uncertain times, leaves a request out only where the bound could put it on the other side", () => {
    for (const [uncertainty, requests] of [
      [100, 12],
      [400, 6],
    ] as const) {
      const scene = new Scene();
      const ids = times(24).map((index) => {
        const isUncertain = index % 2 === 0;
        const server = index < 12 ? 700 + index : 1_300 + index;
        return scene.ask({ at: index * 3_000, server, uncertainty: isUncertain ? uncertainty : 0 });
      });
      const [latency] = setDifferenceOf(scene.traffic(), ids.slice(12), BY_TIME).latencies;
      assert.equal([latency?.chosen.requests, latency?.others.requests], [requests, requests]);
    }
  });

  test("given a set by latency, does not name its latency", () => {
    const { scene, later } = halvesOf(seeded(5), 20, { a: 2, b: 2 });
    assert.is(setDifferenceOf(scene.traffic(), later, BY_TIME).latencies.length, 2);
    assert.equal(setDifferenceOf(scene.traffic(), later, { ...BY_TIME, isByLatency: true }).latencies, []);
  });

  test("given sets that are drawn by chance, names no latency in at least 95 of 100", () => {
    let silent = 0;
    for (let seed = 1; seed <= rounds(100); seed += 1) {
      const random = seeded(seed);
      const { scene } = halvesOf(random, 10 + Math.floor(random() * 40), { a: 1, b: 1 });
      const ids = scene.facts.filter(() => random() < 0.4).map(({ exchange }) => exchange.id);
      if (setDifferenceOf(scene.traffic(), ids, BY_TIME).latencies.length === 0) silent += 1;
    }
    assert.ok(silent >= rounds(95), `${silent} of ${rounds(100)}`);
  });
});
