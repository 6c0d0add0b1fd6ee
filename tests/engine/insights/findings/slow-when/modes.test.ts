import * as assert from "uvu/assert";
import { type Modes, modesOf } from "../../../../../src/engine/insights/findings/slow-when/modes.ts";
import { describe } from "../../../../support/describe.ts";
import { IS_QUICK, rounds } from "../../../../support/rounds.ts";
import { Scene, times } from "../../../../support/scene.ts";
import { lognormal, seeded } from "../../../../support/seeded.ts";

type Draw = (random: () => number, index: number) => number;

/** The modes of drawn requests. `keys`: how many different requests there are. */
function modesIn(seed: number, draw: Draw, { keys = 5, count = 120 } = {}): Modes | null {
  const random = seeded(seed);
  const scene = new Scene();
  for (const index of times(count))
    scene.ask({
      at: index * 20_000,
      target: `/a?n=${Math.floor(random() * keys)}`,
      path: "/a",
      server: draw(random, index),
      transfer: 0,
    });
  return modesOf(scene.traffic().requests);
}

/** How many of `rounds(30)` seeds have modes of the sort. */
const foundIn = (sort: Modes["sort"], draw: Draw, options = {}) =>
  times(rounds(30)).filter((seed) => modesIn(seed + 1, draw, options)?.sort === sort).length;

const ONE_MODE: readonly (readonly [string, Draw])[] = [
  ["noise of a lognormal distribution", (random) => lognormal(random, 60, 0.3)],
  ["much noise", (random) => lognormal(random, 60, 1)],
  ["a heavy tail", (random) => 20 * (1 - random()) ** -0.8],
  ["an exponential tail", (random) => 20 - 80 * Math.log(1 - random())],
  ["times that are spread evenly", (random) => 20 + 400 * random()],
  ["whole milliseconds", (random) => Math.round(lognormal(random, 6, 0.5))],
];

describe("modes of an endpoint", (test) => {
  for (const [name, draw] of ONE_MODE)
    test(`given ${name}, there are none`, () => {
      const found = times(rounds(150)).filter((seed) => modesIn(seed + 1, draw, { count: 30 + seed }) !== null).length;
      assert.is(found, 0);
    });

  test("given two servers in turn, that is said", () => {
    const found = foundIn("in-turn", (random, index) => lognormal(random, index % 2 === 0 ? 25 : 210, 0.2));
    assert.ok(found >= rounds(29), `${found} of ${rounds(30)}`);
  });

  test("given two servers in no order, two modes are found", () => {
    const found = foundIn("two", (random) => lognormal(random, random() < 0.5 ? 25 : 210, 0.2));
    assert.ok(found >= rounds(25), `${found} of ${rounds(30)}`);
  });

  test("given some requests with a time-out behind the server, a fixed time is found", () => {
    for (const share of [0.1, 0.2, 0.4]) {
      const draw: Draw = (random) => lognormal(random, 40, 0.3) + (random() < share ? 900 : 0);
      const found = foundIn("fixed", draw, { keys: 1e9 });
      assert.ok(found >= (IS_QUICK ? 2 : 26), `${found} of ${rounds(30)} at ${share}`);
    }
  });

  test("given few requests that take one long time beside noise of their own, a fixed time is found", () => {
    const usual: Draw = (random) => lognormal(random, 20, 0.5);
    const draw: Draw = (random, index) => (index % 14 === 13 ? lognormal(random, 320, 0.06) : usual(random, index));
    const found = foundIn("fixed", draw, { keys: 1e9, count: 145 });
    assert.ok(found >= rounds(26), `${found} of ${rounds(30)}`);
  });

  test("given a cache whose misses take long, nothing is found", () => {
    const found = times(30).filter((seed) => {
      const random = seeded(seed + 1);
      const scene = new Scene();
      const cached = new Set<number>();
      for (const index of times(rounds(150))) {
        const key = Math.floor(random() * 60);
        const server = cached.has(key) ? lognormal(random, 10, 0.2) : 300 + lognormal(random, 10, 0.2);
        cached.add(key);
        scene.ask({ at: index * 20_000, target: `/a?n=${key}`, path: "/a", server });
      }
      return modesOf(scene.traffic().requests) !== null;
    }).length;
    assert.is(found, 0);
  });

  test("given a template that holds a slow path beside quick ones, nothing is found: it may be another endpoint", () => {
    for (let seed = 1; seed <= rounds(30); seed += 1) {
      const random = seeded(seed);
      const scene = new Scene();
      for (const index of times(120)) {
        const isSlow = index % 3 === 0;
        const path = isSlow ? "/v1/reports" : `/v1/${Math.floor(random() * 12)}`;
        const server = lognormal(random, isSlow ? 300 : 60, 0.1);
        scene.ask({ at: index * 20_000, target: path, path: "/v1/{id}", server });
      }
      assert.is(modesOf(scene.traffic().requests), null);
    }
  });
});
