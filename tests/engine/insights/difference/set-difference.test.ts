import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { Membership, setDifferenceOf } from "../../../../src/engine/insights/difference/set-difference.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { fisherExact } from "../../../../src/engine/stats/fisher-exact.ts";
import { orderOf } from "../../../../src/engine/stats/ranks.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";
import { Scene, times } from "../../../support/scene.ts";
import { lognormal, seeded } from "../../../support/seeded.ts";

const pick = <One>(random: () => number, list: readonly One[]): One => list[Math.floor(random() * list.length)] as One;

const BY_NOTHING = { isByTime: false, isByLatency: false };

/** A planted attribute: how the requests that have it are made, and its name and value. */
const PLANTS = [
  { name: "query:sort", value: "price", asked: { target: "/a?sort=price&page=1" } },
  { name: "response-header:x-cache", value: "MISS", asked: { response: { "x-cache": "MISS" } } },
  { name: "server-address", value: "192.0.2.9:443", asked: { address: "192.0.2.9:443" } },
  { name: "connection", value: "new", asked: { connect: 3, reused: false } },
  { name: "request-header:x-tenant", value: "acme", asked: { request: { "x-tenant": "acme" } } },
] as const;

/** Requests with drawn values in all attributes; those in `planted` are made by `asked`. */
function sceneOf(random: () => number, count: number, planted: ReadonlySet<number>, asked: object = {}): Scene {
  const scene = new Scene();
  let at = 0;
  for (const index of times(count)) {
    at += 20 + random() * 400;
    scene.ask({
      at,
      target: `/a?sort=${pick(random, ["name", "date"])}&page=${pick(random, ["1", "2", "3"])}`,
      request: { "x-tenant": pick(random, ["b", "c"]), accept: pick(random, ["text/json", "*/*"]) },
      response: { "x-cache": "HIT", "x-served-by": pick(random, ["n1", "n2", "n3"]) },
      address: pick(random, ["192.0.2.1:443", "192.0.2.2:443"]),
      client: pick(random, ["10.0.0.1 curl/8", "10.0.0.2 node/22"]),
      server: lognormal(random, 40, 0.4),
      bytes: Math.round(200 + random() * 5_000),
      ...(planted.has(index) ? asked : {}),
    });
  }
  return scene;
}

describe("set difference", (test) => {
  test("given a planted attribute, names it first, with the counts of both sides", () => {
    for (let seed = 1; seed <= rounds(30); seed += 1) {
      const random = seeded(seed);
      const plant = pick(random, PLANTS);
      const count = 80 + Math.floor(random() * 200);
      const planted = new Set(times(count).filter(() => random() < 0.2));
      const scene = sceneOf(random, count, planted, plant.asked);
      // Of the planted requests nine tenths are chosen, and a few others by mistake.
      const chosen = times(count).filter((index) => random() < (planted.has(index) ? 0.9 : 0.03));
      const ids = chosen.map((index) => scene.facts[index]?.exchange.id as ExchangeId);
      const { attributes, ...rest } = setDifferenceOf(scene.traffic(), ids, BY_NOTHING);
      assert.equal(
        attributes[0],
        {
          name: plant.name,
          value: plant.value,
          chosen: chosen.filter((index) => planted.has(index)).length,
          others: times(count).filter((index) => planted.has(index) && !chosen.includes(index)).length,
        },
        `seed ${seed}`,
      );
      assert.equal([rest.chosen, rest.others, rest.leftOut], [chosen.length, count - chosen.length, 0]);
      assert.equal(rest.endpoint, { method: "GET", origin: "https://api.test", path: "/a", operation: null });
    }
  });

  test("given sets that are drawn by chance, names nothing in at least 95 of 100", () => {
    let silent = 0;
    for (let seed = 1; seed <= rounds(100); seed += 1) {
      const random = seeded(1_000 + seed);
      const count = 60 + Math.floor(random() * 240);
      const scene = sceneOf(random, count, new Set());
      const share = 0.1 + random() * 0.4;
      const ids = scene.facts.filter(() => random() < share).map(({ exchange }) => exchange.id);
      if (setDifferenceOf(scene.traffic(), ids, BY_NOTHING).attributes.length === 0) silent += 1;
    }
    assert.ok(silent >= rounds(95), `${silent} of ${rounds(100)}`);
  });

  test("given a set of one stretch of time, does not name the time by which it was chosen", () => {
    const random = seeded(7);
    const scene = sceneOf(random, 200, new Set());
    const ids = scene.facts.slice(40, 90).map(({ exchange }) => exchange.id);
    const names = (isByTime: boolean) =>
      setDifferenceOf(scene.traffic(), ids, { ...BY_NOTHING, isByTime }).attributes.map(({ name }) => name);
    assert.equal(names(true), []);
    assert.ok(names(false).includes("time-in-session"));
  });

  test("given a set over several endpoints, compares with their other requests alone, and names the endpoint", () => {
    const random = seeded(3);
    const scene = new Scene();
    const ids: ExchangeId[] = [];
    for (const index of times(240)) {
      const target = `/${pick(random, ["a", "b", "c"])}`;
      const id = scene.ask({ at: index * 50, target });
      if (target === "/c" || (target === "/b" && random() < 0.2)) if (random() < 0.8) ids.push(id);
    }
    const { endpoints, endpoint, attributes, chosen, others } = setDifferenceOf(scene.traffic(), ids, BY_NOTHING);
    assert.equal([endpoints, endpoint, attributes[0]?.name, attributes[0]?.value], [2, null, "endpoint", "GET /c"]);
    const asked = scene.facts.filter(({ exchange }) => exchange.target !== "/a").length;
    assert.is(chosen + others, asked);
  });

  test("given too few requests on a side, or exchanges that no statistic counts, compares none and counts them", () => {
    const scene = new Scene();
    const ids = times(12).map((index) => scene.ask({ at: index * 100, target: "/a" }));
    const resent = scene.ask({ at: 5_000, target: "/a", tags: ["resent"] });
    const few = setDifferenceOf(scene.traffic(), [...ids.slice(0, 4), resent], BY_NOTHING);
    assert.equal([few.chosen, few.others, few.leftOut, few.tried], [4, 8, 1, 0]);
    assert.equal(setDifferenceOf(scene.traffic(), [], BY_NOTHING).attributes, []);
  });
});

const COUNT = 40;
const scene = new Scene();
for (const index of times(COUNT)) scene.ask({ at: index * 100 });
const { requests } = scene.traffic();

const bits = fc.array(fc.boolean(), { minLength: COUNT, maxLength: COUNT });

describe("tests for attributes of a set", (test) => {
  test("given members, tests by Fisher's exact test whether the set has them more often", () => {
    fc.assert(
      fc.property(bits, bits, (chosen, members) => {
        const chosenIds = new Set(requests.filter((_, index) => chosen[index]).map(({ id }) => id));
        const membership = new Membership(requests, ({ id }) => chosenIds.has(id));
        const found = membership.test(Uint8Array.from(members, Number));
        const count = (isChosen: boolean, isMember: boolean) =>
          times(COUNT).filter((index) => chosen[index] === isChosen && members[index] === isMember).length;
        const [a, b, c, d] = [count(true, true), count(false, true), count(true, false), count(false, false)];
        const isMore = a >= 5 && b + d > 0 && a / (a + c) - b / (b + d) >= 0.1;
        assert.is(found !== null, isMore);
        if (found === null) return;
        assert.is(found.p, fisherExact(a, b, c, d));
        assert.ok(found.explained > 0 && found.explained <= 1 + 1e-9);
      }),
    );
  });

  test("given a number that is large in the set alone, finds its threshold", () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: COUNT - 5 }), (from) => {
        const membership = new Membership(requests, ({ id }) => id > from);
        const ids = Float64Array.from(requests, ({ id }) => id);
        const found = membership.threshold(ids, orderOf(ids));
        assert.equal([found?.limit, found?.isAbove], [from + 1, true]);
      }),
    );
  });
});
