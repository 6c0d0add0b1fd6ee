import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { PathTemplates } from "../../../src/engine/insights/path-templates.ts";
import { pathRulesOf } from "../../../src/engine/model/path-rule.ts";
import { describe } from "../../support/describe.ts";

const ORIGIN = "https://api.test";

function templates(counts: Readonly<Record<string, number>>): PathTemplates {
  const learned = new PathTemplates();
  learned.learn(Object.entries(counts).map(([path, requests]) => ({ origin: ORIGIN, path, requests })));
  return learned;
}

/** This many rare segments below a parent. */
function words(parent: string, count: number, requests = 1): Record<string, number> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `${parent}/${"abcdefgh"[index % 8]}o${"mnrst"[index % 5]}e${"aeiou"[(index >> 3) % 5]}l`,
      requests,
    ]),
  );
}

describe("learned path templates", (test) => {
  test("given twenty siblings, folds them, however often they are asked for; given nineteen, none", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), (requests) => {
        const [twenty, nineteen] = [words("/tags", 20, requests), words("/tags", 19, requests)];
        const some = Object.keys(nineteen)[3] ?? "";
        assert.is(templates(twenty).templateOf(ORIGIN, some), "/tags/{id}");
        assert.is(templates(nineteen).templateOf(ORIGIN, some), some);
      }),
    );
  });

  test("given a name among them, keeps it from 20 requests and ten times the median of its siblings on", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 120 }), (usual, own) => {
        const learned = templates({ ...words("/tags", 30, usual), "/tags/all": own });
        const isKept = own >= 20 && own >= 10 * usual;
        assert.is(learned.templateOf(ORIGIN, "/tags/all"), isKept ? "/tags/all" : "/tags/{id}");
      }),
    );
  });

  test("looks below a folded segment at all of its siblings together", () => {
    const counts = Object.fromEntries(
      Object.keys(words("/shops", 20)).flatMap((path) => [
        [`${path}/items`, 1],
        [`${path}/items/7`, 1],
      ]),
    );
    const learned = templates(counts);
    const [path = ""] = Object.keys(counts);
    assert.is(learned.templateOf(ORIGIN, path), "/shops/{id}/items");
    assert.is(learned.templateOf(ORIGIN, `${path}/7`), "/shops/{id}/items/{id}");
  });

  test("given a path of 30,000 segments, folds within the first 64 and keeps the rest as sent", () => {
    const path = `/7${"/a".repeat(30_000)}/7`;
    assert.is(templates({ [path]: 1 }).templateOf(ORIGIN, path), `/{id}${"/a".repeat(30_000)}/7`);
  });

  test("given a path that was not learned, folds what has an id's form", () => {
    assert.is(templates({}).templateOf(ORIGIN, "/users/7/posts"), "/users/{id}/posts");
  });

  test("gives the same whatever the order of the paths", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^\/[a-c]\/[a-z]{2,6}(\/[a-z\d]{1,4})?$/), { maxLength: 80 }),
        (paths) => {
          const counts = paths.map((path) => ({ origin: ORIGIN, path, requests: 1 }));
          const [one, other] = [new PathTemplates(), new PathTemplates()];
          one.learn(counts);
          other.learn(counts.toReversed());
          for (const path of paths) assert.is(one.templateOf(ORIGIN, path), other.templateOf(ORIGIN, path));
        },
      ),
    );
  });

  test("given what an earlier session has folded, folds names that were never seen, and keeps what it kept", () => {
    const earlier = templates({ ...words("/tags", 30), "/tags/popular": 20 });
    const later = new PathTemplates([], earlier.folds);
    assert.is(later.templateOf(ORIGIN, "/tags/never-seen"), "/tags/{id}");
    assert.is(later.templateOf(ORIGIN, "/tags/popular"), "/tags/popular");
    assert.is(later.templateOf("https://other.test", "/tags/never-seen"), "/tags/never-seen");
    assert.equal(later.folds, earlier.folds);
  });

  test("given a folded name that comes to be asked for ten times as often as its siblings, keeps it from then on", () => {
    const learned = templates({ ...words("/tags", 20), "/tags/news": 1 });
    for (let request = 2; request <= 20; request += 1) {
      assert.not(learned.hasFrequent);
      learned.requested(ORIGIN, "/tags/news");
    }
    assert.ok(learned.hasFrequent);
    const mayFallApart = learned.keepFrequent();
    assert.is(learned.templateOf(ORIGIN, "/tags/news"), "/tags/news");
    assert.equal(
      ["/tags/{id}", "/tags/{id}/x", "/tags", "/other/{id}"].map((path) => mayFallApart(ORIGIN, path)),
      [true, true, false, false],
    );
    assert.not(learned.hasFrequent);
  });

  test("given folded names that are all asked for often, or whose siblings are unknown, keeps none", () => {
    const [learned, later] = [
      templates(words("/tags", 20)),
      new PathTemplates([], templates(words("/tags", 20)).folds),
    ];
    for (let request = 2; request <= 60; request += 1) {
      for (const path of Object.keys(words("/tags", 20))) learned.requested(ORIGIN, path);
      later.requested(ORIGIN, "/tags/news");
    }
    assert.equal([learned.hasFrequent, later.hasFrequent], [false, false]);
  });

  test("given the user's rules, follows the first that matches, before anything else", () => {
    const rules = pathRulesOf(["!/tags/*", "api.test/shop/*/item/*", "/shop/*/*/*"]);
    const learned = new PathTemplates(rules);
    learned.learn(Object.entries(words("/tags", 30)).map(([path, requests]) => ({ origin: ORIGIN, path, requests })));
    assert.is(learned.templateOf(ORIGIN, "/tags/42"), "/tags/42");
    assert.is(learned.templateOf(ORIGIN, "/shop/a/item/b"), "/shop/{id}/item/{id}");
    assert.is(learned.templateOf("https://other.test", "/shop/a/item/b"), "/shop/{id}/{id}/{id}");
    assert.is(learned.templateOf(ORIGIN, "/shop/a/item/7/x"), "/shop/a/item/{id}/x");
    assert.equal(learned.folds, []);
  });
});
