import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { foundIn, linksIn, type Talk } from "../../../support/linked.ts";

const JSON_TYPE = ["content-type: application/json"];

/**
 * A session of known dependencies: each request after the first uses an id from an earlier response, long after that
 * response.
 */
const known = fc
  .array(
    fc.record({
      before: fc.nat(),
      client: fc.integer({ min: 0, max: 2 }),
      pause: fc.integer({ min: 400, max: 3_000 }),
      lasts: fc.integer({ min: 1, max: 300 }),
    }),
    { minLength: 2, maxLength: 30 },
  )
  .map((drawn) => {
    const talks: Talk[] = [];
    const expected: string[] = [];
    let at = 1_000;
    const last = new Map<number, number[]>();
    for (const [index, { before, client, pause, lasts }] of drawn.entries()) {
      const own = last.get(client) ?? [];
      const from = own.length === 0 ? null : (own[before % own.length] ?? null);
      talks.push({
        at,
        lasts,
        client: `10.0.0.${client} app`,
        target: from === null ? `/first/${index}` : `/next?id=${idOf(from)}`,
        gives: JSON_TYPE,
        answer: JSON.stringify({ id: idOf(index) }),
      });
      if (from !== null) expected.push(`${from + 1}>${index + 1} value`);
      // An id counts once: a client that uses the id again no longer waits for it.
      last.set(client, [...own.filter((one) => one !== from), index]);
      at += lasts + pause;
    }
    return { talks, expected };
  });

function idOf(index: number): string {
  return `id-${(index + 1) * 7_919}f${index}a9b8c7`;
}

describe("finding links", (test) => {
  test("finds exactly the dependencies of a session that has known ones", () => {
    fc.assert(
      fc.property(known, ({ talks, expected }) => assert.equal(linksIn(talks).toSorted(), expected.toSorted())),
    );
  });

  test("gives the same whatever the order in which exchanges are given", () => {
    fc.assert(
      fc.property(known, fc.array(fc.nat(), { minLength: 30, maxLength: 30 }), ({ talks }, keys) => {
        const named = talks.map((talk, index) => ({ ...talk, id: index + 1 }));
        const mixed = named
          .map((talk, index) => ({ talk, key: keys[index] ?? 0 }))
          .sort((one, other) => one.key - other.key);
        assert.equal(linksIn(mixed.map(({ talk }) => talk)), linksIn(named));
      }),
    );
  });

  test("gives each exchange one order link at most, and none where a proof is", () => {
    const talk = fc.record({
      at: fc.integer({ min: 0, max: 3_000 }),
      lasts: fc.integer({ min: 0, max: 400 }),
      client: fc.constantFrom("10.0.0.1 a", "10.0.0.2 b"),
      target: fc.constantFrom("/a", "/b", "/c?id=9f8e7d6c5b", "/d"),
      answer: fc.constantFrom("{}", '{"id":"9f8e7d6c5b"}'),
    });
    fc.assert(
      fc.property(fc.array(talk, { maxLength: 40 }), (talks) => {
        const { links } = foundIn(talks.map((one) => ({ ...one, gives: JSON_TYPE })));
        for (const { to, kind, basis } of links) {
          const own = links.filter((link) => link.to === to);
          assert.ok(kind === "proven" ? basis !== "order" : own.length === 1);
        }
        for (const { from, to } of links) assert.is(talks[from - 1]?.client, talks[to - 1]?.client);
      }),
    );
  });

  test("looks at an exchange a few times only, however many run at once", () => {
    // Ten thousand at once: comparing all pairs would take a hundred million steps.
    const talks = Array.from({ length: 10_000 }, (_, index) => ({
      at: index / 100,
      lasts: 1_000,
      target: `/${index % 50}`,
    }));
    assert.equal(linksIn(talks), []);
  });
});
