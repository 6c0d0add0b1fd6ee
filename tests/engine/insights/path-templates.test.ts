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
  test("given twenty rare siblings, folds them; given nineteen, none", () => {
    const [twenty, nineteen] = [words("/tags", 20), words("/tags", 19)];
    const some = Object.keys(nineteen)[3] ?? "";
    assert.is(templates(twenty).templateOf(ORIGIN, some), "/tags/{id}");
    assert.is(templates(nineteen).templateOf(ORIGIN, some), some);
  });

  test("given a literal with five requests of its own among them, keeps it", () => {
    const learned = templates({ ...words("/tags", 30), "/tags/popular": 5, "/tags/newest": 4 });
    assert.is(learned.templateOf(ORIGIN, "/tags/popular"), "/tags/popular");
    assert.is(learned.templateOf(ORIGIN, "/tags/newest"), "/tags/{id}");
  });

  test("given twenty siblings that are asked for often, folds none", () => {
    const often = words("/pages", 20, 5);
    const path = Object.keys(often)[0] ?? "";
    assert.is(templates(often).templateOf(ORIGIN, path), path);
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
    const earlier = templates({ ...words("/tags", 30), "/tags/popular": 5 });
    const later = new PathTemplates([], earlier.folds);
    assert.is(later.templateOf(ORIGIN, "/tags/never-seen"), "/tags/{id}");
    assert.is(later.templateOf(ORIGIN, "/tags/popular"), "/tags/popular");
    assert.is(later.templateOf("https://other.test", "/tags/never-seen"), "/tags/never-seen");
    assert.equal(later.folds, earlier.folds);
  });

  test("given a folded name that is requested five times, keeps it from then on", () => {
    const learned = templates({ ...words("/tags", 20), "/tags/news": 1 });
    for (let request = 2; request <= 5; request += 1) {
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
