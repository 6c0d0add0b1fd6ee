import * as assert from "uvu/assert";
import { exchangeDifferenceOf, twinOf } from "../../../../src/engine/insights/difference/exchange-difference.ts";
import type { Request } from "../../../../src/engine/insights/findings/traffic.ts";
import { phasesOf } from "../../../../src/engine/model/phases.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";
import { Scene, times } from "../../../support/scene.ts";
import { lognormal, seeded } from "../../../support/seeded.ts";

const sideOf = ({ facts, latency }: Request) => ({ facts, phases: phasesOf(facts.exchange.instants), latency });

const compare = (one: Request, other: Request, requests: readonly Request[]) =>
  exchangeDifferenceOf(sideOf(one), sideOf(other), requests, requests);

/** Requests of one endpoint; those that miss the cache are slow, and some others, too. */
function cacheScene(random: () => number): {
  readonly requests: readonly Request[];
  readonly missed: ReadonlySet<number>;
} {
  const scene = new Scene();
  const missed = new Set<number>();
  for (const index of times(120)) {
    const isMiss = random() < 0.25;
    const id = scene.ask({
      at: index * 900,
      target: `/a?page=${Math.floor(random() * 4)}`,
      request: { "x-request-id": `${random()}`, accept: "*/*" },
      response: { "x-cache": isMiss ? "MISS" : "HIT", date: `${index}` },
      server: lognormal(random, isMiss ? 400 : 30, 0.2),
      bytes: 300,
    });
    if (isMiss) missed.add(id);
  }
  return { requests: scene.traffic().requests, missed };
}

describe("exchange difference", (test) => {
  test("given a slow request and its usual twin, tells what slow requests share, with exact counts", () => {
    for (let seed = 1; seed <= rounds(10); seed += 1) {
      const { requests, missed } = cacheScene(seeded(seed));
      const one = requests.find(({ id }) => missed.has(id));
      const twin = one === undefined ? null : twinOf(one.facts, requests);
      assert.ok(one !== undefined && twin !== null && !missed.has(twin.id));
      const { rows, slowFrom } = compare(one, twin, requests);
      assert.ok(slowFrom !== null && slowFrom > 60 && slowFrom < 300, `seed ${seed}: ${slowFrom}`);
      const telling = rows.filter(({ isTelling }) => isTelling);
      assert.equal(
        telling.map(({ group, name, one: value, other }) => [group, name, value, other]),
        [["response", "x-cache", "MISS", "HIT"]],
      );
      const others = requests.length - missed.size;
      assert.equal(telling[0]?.shared, { slowWith: missed.size, slow: missed.size, othersWith: 0, others });
      const minor = rows.filter(({ isMinor }) => isMinor).map(({ name }) => name);
      assert.equal(minor.sort(), ["date", "x-request-id"]);
      assert.ok(rows.some(({ group, name }) => group === "phase" && name === "ttfb"));
      assert.not.ok(rows.some(({ name }) => name === "accept" || name === "protocol"));
    }
  });

  test("given bodies that wait for delayed acknowledgements, slow requests are those that took long with this wait", () => {
    for (let seed = 1; seed <= rounds(10); seed += 1) {
      const random = seeded(seed);
      const scene = new Scene();
      for (const index of times(120))
        scene.ask({
          at: index * 900,
          server: lognormal(random, 8, 0.2),
          transfer: index % 3 === 0 ? 41 : 0,
          bytes: 300,
        });
      const { requests } = scene.traffic();
      const [late, prompt] = requests;
      assert.ok(late !== undefined && prompt !== undefined);
      const { slowFrom } = compare(late, prompt, requests);
      assert.ok(slowFrom !== null && slowFrom > 14 && slowFrom < 46, `seed ${seed}: ${slowFrom}`);
      assert.is(twinOf(late.facts, requests)?.acknowledgementDelay, 0);
    }
  });

  test("given sizes that differ by half and more, counts the requests on the side of the first", () => {
    const scene = new Scene();
    for (const index of times(60)) {
      const isLarge = index % 4 === 0;
      scene.ask({ at: index * 900, target: "/a", bytes: isLarge ? 90_000 : 1_000, server: isLarge ? 500 : 20 });
    }
    const { requests } = scene.traffic();
    const { rows } = compare(requests[4] as Request, requests[5] as Request, requests);
    const size = rows.find(({ name }) => name === "response-size");
    assert.equal([size?.one, size?.other, Math.round(size?.limit ?? 0)], [90_000, 1_000, 9_487]);
    assert.equal(size?.shared, { slowWith: 15, slow: 15, othersWith: 0, others: 45 });
    assert.ok(size?.isTelling);
  });

  test("given too few requests of the endpoint, compares without counts", () => {
    const scene = new Scene();
    for (const index of times(5)) scene.ask({ at: index * 900, target: `/a?n=${index}` });
    const { requests } = scene.traffic();
    const [one, other] = requests as [Request, Request];
    const { rows, slowFrom } = compare(one, other, requests);
    assert.is(slowFrom, null);
    assert.equal(
      rows.map(({ name, shared }) => [name, shared]),
      [["n", null]],
    );
  });
});

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

describe("usual twin of an exchange", (test) => {
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

  test("given fewer than five other successes of the endpoint, there is no twin", () => {
    const scene = new Scene();
    for (const index of times(5)) scene.ask({ at: index * 900, target: "/a" });
    for (const index of times(9)) scene.ask({ at: 9_000 + index * 900, target: "/a", status: 500 });
    const { requests } = scene.traffic();
    const [one, , , , , failed] = requests as readonly [Request, ...Request[]];
    assert.is(twinOf(one.facts, requests), null);
    assert.ok(failed !== undefined && twinOf(failed.facts, requests) !== null);
  });
});
