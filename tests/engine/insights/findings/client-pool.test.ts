import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Tag } from "../../../../src/engine/model/exchange.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";
import { Scene, times } from "../../../support/scene.ts";
import { lognormal, seeded } from "../../../support/seeded.ts";

interface Plan {
  readonly seed: number;
  readonly places: number;
  readonly bursts: number;
  readonly size: number;
  readonly isNamed: boolean;
  /** Whether the requests of the first burst go at once, each over a connection of its own. */
  readonly isOpening?: boolean;
}

interface StreamPlan {
  readonly seed: number;
  readonly streams: number;
  /** The calls of a burst, and how many of them run at once. */
  readonly size: number;
  readonly places: number;
  readonly tag: Tag;
}

/** The starts of requests of these lengths that share the places, each from `ready` on. */
const startsFrom = (ready: number, lengths: readonly number[], places: number, random: () => number) => {
  const free = times(places).map(() => ready + random());
  return lengths.map((length) => {
    const index = free.indexOf(Math.min(...free));
    const start = free[index] ?? 0;
    free[index] = start + length + 0.3 + random() * 2;
    return start;
  });
};

/**
 * A client that fetches all items of a list at once, or the same things at once, through a pool; and what that costs.
 */
const pooled = ({ seed, places, bursts, size, isNamed, isOpening = false }: Plan) => {
  const random = seeded(seed);
  const scene = new Scene();
  let [at, truth] = [0, 0];
  for (const burst of times(bursts)) {
    const listed = lognormal(random, 40, 0.2);
    const list = isNamed ? scene.ask({ at, target: `/list?n=${burst}`, server: listed - 1 }) : null;
    const ready = at + listed + 1;
    const lengths = times(size).map(() => lognormal(random, 120, 0.25));
    const isFree = isOpening && burst === 0;
    const starts = startsFrom(ready, lengths, isFree ? size : places, random);
    for (const [index, length] of lengths.entries()) {
      const target = isNamed ? `/items/${burst * size + index}` : `/part${index}`;
      const id = scene.ask({
        at: starts[index] ?? 0,
        target,
        server: length - 1,
        clientConnection: isOpening ? 1 + (index % (isFree ? size : places)) : 1,
        ...(isNamed ? { path: "/items/{id}" } : {}),
      });
      if (list !== null) scene.prove(list, id);
    }
    const end = Math.max(...lengths.map((length, index) => (starts[index] ?? 0) + length));
    if (!isFree) truth += end - (ready + Math.max(...lengths));
    at = end + 400 + random() * 3_000;
  }
  return { scene, truth };
};

const found = (scene: Scene) => scene.report().findings.filter(({ kind }) => kind === "connection-queueing");

describe("client connection pool", (test) => {
  test("given bursts through a few connections, their number and the cost are named", () => {
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.integer({ min: 1, max: 1e6 }),
          places: fc.constantFrom(2, 3, 4, 5, 8),
          bursts: fc.integer({ min: 4, max: 15 }),
          size: fc.integer({ min: 12, max: 30 }),
          isNamed: fc.boolean(),
          isOpening: fc.boolean(),
        }),
        (plan) => {
          const { scene, truth } = pooled(plan);
          const [finding, ...more] = found(scene);
          assert.equal([more, finding?.origin], [[], "https://api.test"]);
          assert.match(
            finding?.summary ?? "",
            new RegExp(
              ` sent at most ${plan.places} requests at once to \\S+${plan.isOpening ? " once its connections were open" : ""}: .* at least `,
            ),
          );
          assert.ok(Math.abs((finding?.time ?? 0) / truth - 1) < 0.3, `${finding?.time} ${truth}`);
        },
      ),
      { numRuns: rounds(40) },
    );
  });

  test("given a client that opens connections in every burst and keeps a few, nothing is said", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 8 }), (seed, kept) => {
        const random = seeded(seed);
        const scene = new Scene();
        for (const burst of times(6))
          for (const index of times(12))
            scene.ask({
              at: burst * 3_000 + random() * 2,
              target: `/part${index}`,
              server: lognormal(random, 120, 0.25),
              clientConnection: index < kept ? 1 + index : 100 * (burst + 1) + index,
            });
        assert.equal(found(scene), []);
      }),
      { numRuns: rounds(40) },
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
      { numRuns: rounds(30) },
    );
  });

  /**
   * A browser with open streams, which sends calls in bursts over the connections that are left; and what that costs.
   */
  const streaming = ({ seed, streams, size, places, tag }: StreamPlan) => {
    const random = seeded(seed);
    const scene = new Scene();
    const rounds = times(8);
    let [at, truth] = [200, 0];
    const calls = rounds.flatMap((round) => {
      const lengths = times(size).map(() => lognormal(random, 80, 0.2));
      const starts = startsFrom(at, lengths, places, random);
      const ready = Math.min(...starts);
      const endOf = (from: readonly number[]) => Math.max(...from.map((start, index) => start + (lengths[index] ?? 0)));
      const alone = startsFrom(ready, lengths, 6, () => 0);
      truth += endOf(starts) - endOf(alone);
      at = endOf(starts) + 300 + random() * 900;
      return lengths.map((length, index) => ({
        at: starts[index] ?? 0,
        server: length - 1,
        target: `/${index}?n=${round}`,
      }));
    });
    const held = times(streams).map((index) => ({
      at: 100 + index * 4,
      server: 20,
      transfer: at,
      target: `/events/${index}`,
      tags: [tag],
      type: "text/event-stream",
    }));
    for (const one of [...held, ...calls].sort((left, right) => left.at - right.at)) scene.ask(one);
    return { scene, truth };
  };

  test("given streams that hold connections of a browser, their number and the cost of the others' wait are named", () => {
    const drawn = fc.record({
      seed: fc.integer({ min: 1, max: 1e6 }),
      streams: fc.integer({ min: 1, max: 5 }),
      size: fc.constantFrom(12, 18),
    });
    fc.assert(
      fc.property(drawn, ({ seed, streams, size }) => {
        const places = 6 - streams;
        const { scene, truth } = streaming({ seed, streams, places, size, tag: "event-stream" });
        const [finding, ...others] = found(scene);
        assert.equal([others, finding?.origin], [[], "https://api.test"]);
        const words = streams === 1 ? "1 event stream held 1" : `${streams} event streams held ${streams}`;
        assert.match(finding?.summary ?? "", new RegExp(`${words} of the browser's 6 connections .* up to `));
        assert.is(finding?.confidence, places === 1 ? "possible" : "likely");
        assert.ok(Math.abs((finding?.time ?? 0) / truth - 1) < 0.1, `${finding?.time} ${truth}`);
      }),
      { numRuns: rounds(40) },
    );
  });

  test("given streams and calls one by one, as many calls as there are connections, or WebSockets, they hold nothing", () => {
    const drawn = fc.record({
      seed: fc.integer({ min: 1, max: 1e6 }),
      streams: fc.integer({ min: 1, max: 4 }),
      tag: fc.constantFrom<Tag>("event-stream", "websocket"),
    });
    fc.assert(
      fc.property(drawn, ({ seed, streams, tag }) => {
        const free = 6 - streams;
        const isSilent = (plan: Omit<StreamPlan, "seed" | "streams">) =>
          !found(streaming({ seed, streams, ...plan }).scene).some(({ summary }) => /stream/.test(summary));
        assert.ok(isSilent({ size: free + 4, places: 1, tag }));
        assert.ok(isSilent({ size: free, places: free, tag }));
        assert.ok(isSilent({ size: free + 4, places: free, tag: "websocket" }));
      }),
      { numRuns: rounds(30) },
    );
  });

  test("given five streams, calls that went one by one before the streams do so by themselves", () => {
    for (const isAtOnce of [true, false]) {
      const { scene } = streaming({ seed: 11, streams: 5, size: 6, places: 1, tag: "event-stream" });
      const before = new Scene();
      for (const index of times(6))
        before.ask({ at: index * (isAtOnce ? 0.2 : 31), server: 29, target: `/${index}?n=a` });
      for (const { exchange } of scene.facts) {
        const { startTime, responseStart, responseEnd } = exchange.instants;
        const [at, begun, end] = [startTime + 2_000, (responseStart ?? 0) + 2_000, (responseEnd ?? 0) + 2_000];
        const { target, tags } = exchange;
        before.ask({ at, server: begun - at, transfer: end - begun, target, tags });
      }
      assert.is(found(before)[0]?.confidence, isAtOnce ? "likely" : undefined);
    }
  });
});
