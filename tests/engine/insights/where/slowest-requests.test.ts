import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { Scene, times } from "../../../support/scene.ts";

describe("slowest requests", (test) => {
  test("given any requests, they are the five longest, the longest first", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5_000), { maxLength: 30 }), (lengths) => {
        const scene = new Scene();
        for (const server of lengths) scene.ask({ at: 0, server, transfer: 0 });
        assert.equal(
          scene.report().where.slowest.map(({ latency }) => latency),
          lengths
            .filter((latency) => latency > 0)
            .sort((one, other) => other - one)
            .slice(0, 5),
        );
      }),
    );
  });

  test("given several slow requests of an endpoint, each has the endpoint's median as its usual", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 4, maxLength: 30 }), (lengths) => {
        const scene = new Scene();
        for (const server of lengths) scene.ask({ at: 0, server, transfer: 0 });
        const sorted = lengths.toSorted((one, other) => one - other);
        const [low = 0, high = 0] = [(lengths.length - 1) / 2, lengths.length / 2].map((at) => sorted[Math.floor(at)]);
        for (const { usual, usualOf } of scene.report().where.slowest)
          assert.equal([usual, usualOf], [(low + high) / 2, "endpoint"]);
      }),
    );
  });

  test("given a slow request of an endpoint, the endpoint's median is the usual, not that of others", () => {
    const scene = new Scene();
    for (const server of [30, 40, 50]) scene.ask({ at: server * 100, target: "/slow", server });
    for (const index of times(9)) scene.ask({ at: 10_000 + index * 100, target: "/other", server: 5 });
    scene.ask({ at: 20_000, target: "/slow", server: 4_000 });
    const [slowest] = scene.report().where.slowest;
    assert.equal(
      [slowest?.exchange, slowest?.phase, slowest?.phaseTime, slowest?.usual, slowest?.usualOf],
      [13, "ttfb", 4_000, 45, "endpoint"],
    );
  });

  test("given an endpoint that was asked once, the usual is that of its origin", () => {
    const scene = new Scene();
    for (const index of times(3)) scene.ask({ at: index * 100, target: `/${index}`, server: 10 + index });
    scene.ask({ at: 1_000, target: "/slow", server: 900 });
    const [slowest] = scene.report().where.slowest;
    assert.equal([slowest?.usual, slowest?.usualOf], [11, "origin"]);
  });

  test("given a slow set-up, its usual comes from the origin's connections", () => {
    const scene = new Scene();
    for (const index of times(3)) scene.ask({ at: index * 100, target: `/${index}`, dns: 4, connect: 10, server: 5 });
    scene.ask({ at: 1_000, target: "/slow", dns: 3_000, connect: 10, server: 5 });
    const [slowest] = scene.report().where.slowest;
    assert.equal([slowest?.phase, slowest?.phaseTime, slowest?.usual], ["dns", 3_000, 4]);
  });

  test("given fewer than three others, there is no usual", () => {
    const scene = new Scene();
    for (const server of [10, 20, 900]) scene.ask({ at: server * 10, target: "/a", server });
    assert.is(scene.report().where.slowest[0]?.usual, null);
  });
});
