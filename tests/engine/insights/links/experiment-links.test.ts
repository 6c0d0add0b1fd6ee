import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { ExchangeFacts } from "../../../../src/engine/insights/exchange-facts.ts";
import { type KnownOrder, withExperiments } from "../../../../src/engine/insights/links/experiment-links.ts";
import { describe } from "../../../support/describe.ts";
import { factsOf, foundIn, named, type Talk } from "../../../support/linked.ts";

const FIGURES = "each ms costs 0.97 ms, 0.84 to 1.10, 30 loads";
const keyOf = ({ endpoint }: ExchangeFacts) => `${endpoint.method} ${endpoint.path}`;

const judged = (talks: readonly Talk[], known: readonly KnownOrder[]) =>
  withExperiments(
    foundIn(talks),
    factsOf(talks).map(({ facts }) => facts),
    known,
    keyOf,
  );

/** Loads of one client, each with a request of `/prices`, and one of `/names` that starts `gap` ms after its end. */
function loads(count: number, gap: number): readonly Talk[] {
  return Array.from({ length: count }, (_, index): Talk[] => {
    const at = 10_000 * index;
    return [
      { target: "/prices", at, lasts: 50 },
      { target: "/names", at: at + 50 + gap, lasts: 20 },
    ];
  }).flat();
}

const order = (follows: boolean, client: string | null = null): KnownOrder => ({
  from: "GET /prices",
  to: "GET /names",
  client,
  follows,
  figures: FIGURES,
});

describe("links by experiment", (test) => {
  test("given a request that follows the target, it has a proven link instead of the order link", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.integer({ min: -1, max: 1_900 }), (count, gap) => {
        const { links } = judged(loads(count, gap), [order(true)]);
        assert.equal(
          links.map(named),
          Array.from({ length: count }, (_, index) => `${2 * index + 1}>${2 * index + 2} experiment`),
        );
        for (const { kind, evidence, gap: found } of links) {
          assert.is(kind, "proven");
          assert.is(evidence.value, FIGURES);
          assert.is(found, gap);
        }
      }),
    );
  });

  test("given a request that does not wait for the target, its order link is refuted, with the figures", () => {
    const talks = loads(4, 5);
    assert.equal(judged(talks, []).links.map(named), ["1>2 order", "3>4 order", "5>6 order", "7>8 order"]);
    const { links, refuted } = judged(talks, [order(false)]);
    assert.equal(links, []);
    assert.equal(refuted.map(named), ["1>2 order", "3>4 order", "5>6 order", "7>8 order"]);
    assert.ok(
      refuted.every(({ evidence }) => evidence.source === "refuted by experiment" && evidence.value === FIGURES),
    );
  });

  test("given a link that is proven otherwise, an experiment changes nothing about it", () => {
    const talks: readonly Talk[] = [
      { target: "/prices", at: 0, status: 302, gives: ["location: /names"] },
      { target: "/names", at: 55 },
    ];
    const before = foundIn(talks).links.map(named);
    for (const follows of [true, false]) assert.equal(judged(talks, [order(follows)]).links.map(named), before);
  });

  test("given several responses of the target, the request waited for the one that ended last before it", () => {
    const talks: readonly Talk[] = [
      { target: "/prices", at: 0, lasts: 100 },
      { target: "/prices", at: 10, lasts: 40 },
      { target: "/prices", at: 20, lasts: 400 },
      { target: "/prices", at: 30, client: "another", lasts: 95 },
      { target: "/names", at: 130 },
      { target: "/names", at: 5_000 },
    ];
    const { links } = judged(talks, [order(true)]);
    assert.equal(links.filter(({ basis }) => basis === "experiment").map(named), ["1>5 experiment"]);
  });

  test("given experiments with other results, the first one about the client counts", () => {
    const talks = [
      ...loads(2, 5).map((talk) => ({ ...talk, client: "one" })),
      ...loads(2, 5).map((talk) => ({ ...talk, at: talk.at + 100_000, client: "two" })),
    ];
    const all = (basis: string, from: number) => [`${from}>${from + 1} ${basis}`, `${from + 2}>${from + 3} ${basis}`];
    const cases: readonly (readonly [readonly KnownOrder[], readonly string[]])[] = [
      [[order(true, "one")], [...all("experiment", 1), ...all("order", 5)]],
      [[order(false, "two")], all("order", 1)],
      [[order(false), order(true)], []],
      [
        [order(true), order(false)],
        [...all("experiment", 1), ...all("experiment", 5)],
      ],
      [[order(true, "two"), order(false)], all("experiment", 5)],
    ];
    for (const [known, expected] of cases) assert.equal(judged(talks, known).links.map(named), expected);
  });
});
