import * as assert from "uvu/assert";
import { twinOf } from "../../../../src/engine/insights/difference/twin.ts";
import type { Request } from "../../../../src/engine/insights/findings/traffic.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";
import { Scene, times } from "../../../support/scene.ts";
import { lognormal, seeded } from "../../../support/seeded.ts";

/** Requests with two parameters of drawn values; a drawn share of them is slow. */
function requestsOf(random: () => number): readonly Request[] {
  const scene = new Scene();
  const slowShare = random() * 0.45;
  for (const index of times(120)) {
    const server = lognormal(random, random() < slowShare ? 500 : 30, 0.2);
    const digit = () => Math.floor(random() * 3);
    scene.ask({ at: index * 900, target: `/a?page=${digit()}&sort=${digit()}`, server });
  }
  return scene.traffic().requests;
}

const differing = (one: Request, other: Request): number =>
  [0, 1].filter((index) => one.facts.query[index]?.[1] !== other.facts.query[index]?.[1]).length;

describe("the usual twin of an exchange", (test) => {
  test("given an endpoint with quick and slow requests, the twin is a quick one, as like the exchange as any", () => {
    for (let seed = 1; seed <= rounds(30); seed += 1) {
      const random = seeded(seed);
      const requests = requestsOf(random);
      const one = requests[Math.floor(random() * requests.length)] as Request;
      const twin = twinOf(one.facts, requests) as Request;
      assert.is.not(twin.id, one.id);
      assert.ok((twin.server ?? 0) < 100, `seed ${seed}`);
      assert.is(differing(one, twin), 0);
    }
  });

  test("given fewer than five other successes of the endpoint, there is none", () => {
    const scene = new Scene();
    for (const index of times(5)) scene.ask({ at: index * 900, target: "/a" });
    for (const index of times(9)) scene.ask({ at: 9_000 + index * 900, target: "/a", status: 500 });
    const { requests } = scene.traffic();
    const [one, , , , , failed] = requests as readonly [Request, ...Request[]];
    assert.is(twinOf(one.facts, requests), null);
    assert.ok(failed !== undefined && twinOf(failed.facts, requests) !== null);
  });
});
