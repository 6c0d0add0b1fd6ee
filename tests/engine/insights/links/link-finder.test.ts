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

describe("link finder", (test) => {
  test("given a session with known dependencies, finds exactly those", () => {
    fc.assert(
      fc.property(known, ({ talks, expected }) => assert.equal(linksIn(talks).toSorted(), expected.toSorted())),
    );
  });

  test("given any order of the exchanges, finds the same links", () => {
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

  test("given any exchanges, links each by order at most once, never beside a proven link, and within one client", () => {
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

  test(
    "given 10,000 concurrent exchanges, finds no links within the test's time limit",
    () => {
      // Ten thousand at once: comparing all pairs would take a hundred million steps.
      const talks = Array.from({ length: 10_000 }, (_, index) => ({
        at: index / 100,
        lasts: 1_000,
        target: `/${index % 50}`,
      }));
      assert.equal(linksIn(talks), []);
    },
    { isLong: true },
  );
});

const ID = "7f3a9c21e4b8d605";

describe("links through cached responses", (test) => {
  test("given a page that is loaded again with a 304, links each load to the page as the first", () => {
    const drawn = fc.property(
      fc.integer({ min: 2, max: 5 }),
      fc.constantFrom('ETag: "1"', "Last-Modified: Mon"),
      (loads, validator) => {
        const html = '<script src="/app/main.js"></script><img src="/app/one-picture.png">';
        const talks = Array.from({ length: loads }, (_, load): readonly Talk[] => {
          const page = { at: load * 10_000, target: "/", sends: ["sec-fetch-dest: document", "accept: text/html"] };
          const first = { ...page, gives: ["content-type: text/html", validator], answer: html };
          const again = { ...page, gives: [validator], status: 304 };
          const parts = ["/app/main.js", "/app/one-picture.png"].map((target) => ({
            at: load * 10_000 + 100,
            target,
            sends: ["referer: https://api.test/"],
          }));
          return [load === 0 ? first : again, ...parts];
        }).flat();
        const expected = Array.from({ length: loads }, (_, load) => {
          const page = load * 3 + 1;
          return [`${page}>${page + 1} initiator`, `${page}>${page + 2} initiator`];
        }).flat();
        assert.equal(linksIn(talks), expected);
      },
    );
    fc.assert(drawn);
  });

  test("given a 304 whose response was never seen, links nothing", () => {
    const talks = [
      { at: 0, target: "/list", status: 304 },
      { at: 1_000, target: `/items/${ID}` },
    ];
    assert.equal(linksIn(talks), []);
  });
});
