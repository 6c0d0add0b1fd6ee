import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { trafficOf } from "../../../../src/engine/insights/findings/traffic.ts";
import { criticalPathsOf } from "../../../../src/engine/insights/links/critical-paths.ts";
import { type Unit, unitsOf } from "../../../../src/engine/insights/what-if/timed-units.ts";
import { type LoadedAt, loadsOf } from "../../../../src/engine/insights/where/page-loads.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import { describe } from "../../../support/describe.ts";
import { factsOf, foundIn, type Talk } from "../../../support/linked.ts";

const JSON_TYPE = ["Content-Type: application/json"];

function unitsIn(talks: readonly Talk[], loadedAt: LoadedAt = () => null): readonly Unit[] {
  const facts = factsOf(talks).map((one) => one.facts);
  const found = foundIn(talks);
  const traffic = trafficOf(facts, found.links);
  return unitsOf(traffic, loadsOf(traffic, criticalPathsOf(facts, found), loadedAt));
}

/** A page of 400 ms, without a request in flight for 10 ms and 40 ms. */
const page = (at: number): readonly Talk[] => [
  {
    at,
    lasts: 100,
    target: "/home",
    sends: ["Sec-Fetch-Dest: document"],
    gives: ["Content-Type: text/html"],
    answer: '<script src="/app.js"></script>',
  },
  {
    at: at + 110,
    lasts: 50,
    target: "/app.js",
    initiators: ["https://api.test/home"],
    gives: ["Content-Type: text/javascript"],
    answer: 'load("/prices")',
  },
  { at: at + 200, lasts: 200, target: "/prices", initiators: ["https://api.test/app.js"] },
];

/** An API client's walk: a list, two items beside each other that the list names, and a sum after both. */
const walk = (at: number, [one, other]: readonly [number, number], name = "k7d9f2q1"): readonly Talk[] => [
  { at, lasts: 60, target: "/list", gives: JSON_TYPE, answer: JSON.stringify([`${name}a`, `${name}b`]) },
  { at: at + 70, lasts: one, target: `/sizes?of=${name}a`, gives: JSON_TYPE, answer: "{}" },
  { at: at + 70, lasts: other, target: `/colors?of=${name}b`, gives: JSON_TYPE, answer: "{}" },
  { at: at + 80 + Math.max(one, other), lasts: 30, method: "POST", target: "/sum" },
];

const shapeOf = ({ kind, start, end, exchanges, ownTime }: Unit) => [kind, start, end, exchanges.length, ownTime];
const pathsOf = ({ exchanges }: Unit) => exchanges.map(({ path }) => path);

describe("what-if units", (test) => {
  test("given page loads, each is a unit with its requests, proven links and the client's own time", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 2_000, max: 60_000 }), { minLength: 1, maxLength: 5 }), (pauses) => {
        const starts = pauses.map((_, load) => pauses.slice(0, load).reduce((sum, pause) => sum + 400 + pause, 0));
        const units = unitsIn(starts.flatMap(page));
        assert.equal(
          units.map(shapeOf),
          starts.map((start) => ["load", start, start + 400, 3, 50]),
        );
        for (const { exchanges, links } of units) {
          const [document, script, prices] = exchanges.map(({ id }) => id);
          assert.equal(
            links.map(({ from, to }) => [from, to]),
            [
              [document, script],
              [script, prices],
            ],
          );
        }
        assert.is(new Set(units.map(({ key }) => key)).size, 1);
      }),
    );
  });

  test("given a load event, the unit ends there", () => {
    const [unit] = unitsIn(page(0), (id) => (id === (1 as ExchangeId) ? (650 as Instant) : null));
    assert.equal(unit && shapeOf(unit), ["load", 0, 650, 3, 300]);
  });

  test("given a walk that occurs three times and more, each occurrence is a unit, whichever request ends first", () => {
    const times = fc.tuple(fc.integer({ min: 10, max: 200 }), fc.integer({ min: 10, max: 200 }));
    fc.assert(
      fc.property(fc.array(times, { minLength: 1, maxLength: 6 }), (drawn) => {
        const units = unitsIn(drawn.flatMap((lasts, index) => walk(index * 5_000, lasts, `k7d9f2q${index}`)));
        assert.equal(
          units.map(shapeOf),
          drawn.length < 3
            ? []
            : drawn.map((lasts, index) => {
                const end = index * 5_000 + 110 + Math.max(...lasts);
                return ["walk", index * 5_000, end, 4, 20];
              }),
        );
        assert.ok(units.every(({ key }) => key === units[0]?.key));
      }),
    );
  });

  test("given a long gap in a walk, it goes on unless nothing was in flight for two seconds of it", () => {
    const time = (min: number, max: number) => fc.integer({ min, max });
    const turn = (at: number, name: string, busy: number, idle: number): readonly Talk[] => [
      { at, target: "/list", gives: JSON_TYPE, answer: JSON.stringify([name]) },
      { at: at + 10, lasts: 40 + busy, target: "/beside" },
      { at: at + 50 + busy + idle, target: `/item?of=${name}` },
    ];
    fc.assert(
      fc.property(time(0, 10_000), time(400, 4_000), (busy, idle) => {
        const units = unitsIn([0, 1, 2].flatMap((index) => turn(index * 60_000, `k7d9f2q${index}`, busy, idle)));
        assert.equal(units.map(pathsOf), idle < 2_000 ? [0, 1, 2].map(() => ["/list", "/item"]) : []);
      }),
    );
  });

  test("given a program that loops without a pause, each turn is a unit", () => {
    const turn = (at: number): readonly Talk[] => [
      { at, target: "/a" },
      { at: at + 60, target: "/b" },
      { at: at + 120, target: "/c" },
    ];
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 8 }), fc.integer({ min: 180, max: 400 }), (turns, apart) => {
        const units = unitsIn(Array.from({ length: turns }, (_, index) => turn(index * apart)).flat());
        assert.equal(
          units.map(pathsOf),
          Array.from({ length: turns }, () => ["/a", "/b", "/c"]),
        );
      }),
    );
  });

  test("given a lone request again and again, a page's requests, or another client's, there is no walk", () => {
    const lone = Array.from({ length: 6 }, (_, index): Talk => ({ at: index * 60, target: "/poll" }));
    assert.equal(unitsIn(lone), []);
    const pages = [page(0), page(5_000), page(10_000)].flat();
    assert.ok(unitsIn(pages).every(({ kind }) => kind === "load"));
    const apart = [0, 5_000, 10_000].flatMap((at): readonly Talk[] => [
      { at, target: "/a", client: "10.0.0.1 one" },
      { at: at + 60, target: "/b", client: "10.0.0.2 two" },
    ]);
    assert.equal(unitsIn(apart), []);
  });
});
