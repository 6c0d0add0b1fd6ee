import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { Scene, times } from "../../../support/scene.ts";
import { lognormal, seeded } from "../../../support/seeded.ts";

interface Plan {
  readonly seed: number;
  readonly places: number;
  readonly bursts: number;
  readonly size: number;
  readonly isNamed: boolean;
}

/** The starts of requests of these lengths that share the places, each from `ready` on. */
const startsFrom = (ready: number, lengths: readonly number[], places: number, random: () => number) => {
  const free = times(places).map(() => ready + random());
  return lengths.map((length) => {
    const place = free.indexOf(Math.min(...free));
    const start = free[place] ?? 0;
    free[place] = start + length + 0.3 + random() * 2;
    return start;
  });
};

/** A client that fetches all items of a list at once, or the same things at once, through a pool; and what that costs. */
const pooled = ({ seed, places, bursts, size, isNamed }: Plan) => {
  const random = seeded(seed);
  const scene = new Scene();
  let [at, truth] = [0, 0];
  for (const burst of times(bursts)) {
    const listed = lognormal(random, 40, 0.2);
    const list = isNamed ? scene.ask({ at, target: `/list?n=${burst}`, server: listed - 1 }) : null;
    const ready = at + listed + 1;
    const lengths = times(size).map(() => lognormal(random, 120, 0.25));
    const starts = startsFrom(ready, lengths, places, random);
    for (const [index, length] of lengths.entries()) {
      const target = isNamed ? `/items/${burst * size + index}` : `/part${index}`;
      const id = scene.ask({
        at: starts[index] ?? 0,
        target,
        server: length - 1,
        ...(isNamed ? { path: "/items/{id}" } : {}),
      });
      if (list !== null) scene.prove(list, id);
    }
    const end = Math.max(...lengths.map((length, index) => (starts[index] ?? 0) + length));
    truth += end - (ready + Math.max(...lengths));
    at = end + 400 + random() * 3_000;
  }
  return { scene, truth };
};

const found = (scene: Scene) => scene.report().findings.filter(({ kind }) => kind === "connection-queueing");

describe("the pool of a client", (test) => {
  test("given bursts through a few connections, their number and the cost are named", () => {
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.integer({ min: 1, max: 1e6 }),
          places: fc.constantFrom(2, 3, 4, 5, 8),
          bursts: fc.integer({ min: 4, max: 15 }),
          size: fc.integer({ min: 12, max: 30 }),
          isNamed: fc.boolean(),
        }),
        (plan) => {
          const { scene, truth } = pooled(plan);
          const [finding, ...more] = found(scene);
          assert.equal([more, finding?.origin], [[], "https://api.test"]);
          assert.match(
            finding?.summary ?? "",
            new RegExp(` sent at most ${plan.places} requests at once to .* at least `),
          );
          assert.ok(Math.abs((finding?.time ?? 0) / truth - 1) < 0.3, `${finding?.time} ${truth}`);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("given workers that follow links or work off a queue, or as many at once as there are, nothing is said", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 2, max: 8 }), (seed, workers) => {
        const random = seeded(seed);
        for (const isLinked of [true, false]) {
          const scene = new Scene();
          const lengths = times(120).map(() => lognormal(random, 90, 0.4));
          const starts = startsFrom(0, lengths, workers, random);
          const asked = lengths
            .map((length, index) => ({ at: starts[index] ?? 0, server: length - 1, target: `/pages/${index}` }))
            .sort((left, right) => left.at - right.at)
            .map((one) => ({ id: scene.ask(one), ...one }));
          for (const one of isLinked ? asked : []) {
            const earlier = asked.filter(({ at, server }) => at + server + 1 <= one.at);
            const named = earlier[Math.max(0, earlier.length - 1 - Math.floor(random() * 12))];
            if (named !== undefined) scene.prove(named.id, one.id);
          }
          assert.equal(found(scene), []);
        }
        const free = new Scene();
        let at = 0;
        for (const burst of times(8)) {
          const list = free.ask({ at, target: `/list?n=${burst}` });
          const size = 2 + Math.floor(random() * 12);
          for (const index of times(size)) {
            const item = free.ask({
              at: at + 43 + index * 0.2,
              target: `/items/${burst}-${index}`,
              server: lognormal(random, 90, 0.4),
            });
            free.prove(list, item);
          }
          at += 1_500 + random() * 900;
        }
        assert.equal(found(free), []);
      }),
      { numRuns: 30 },
    );
  });
});
