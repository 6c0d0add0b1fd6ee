import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  isIdSegment,
  isTemplate,
  MOST_SEGMENTS,
  PathTemplates,
  pathByRules,
  patternOf,
  segmentsOf,
  templateOf,
} from "../../../src/engine/insights/path-templates.ts";
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

  test("given a folded segment, looks for further ids below all of its siblings together", () => {
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

  test("given the same paths in another order, learns the same templates", () => {
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

describe("path templates by rules", (test) => {
  test("given a path of other segments or another host, matches nothing", () => {
    const rules = pathRulesOf(["api.test/shop/*/item"]);
    for (const path of ["/shop/a", "/shop/a/items", "/shop//item", "/x/shop/a/item"]) {
      assert.is(pathByRules(rules, ORIGIN, path), null);
    }
    assert.is(pathByRules(rules, "https://api.test:8443", "/shop/a/item"), null);
    assert.is(pathByRules(rules, "https://API.test", "/shop/a/item"), "/shop/{id}/item");
  });

  test("given the pattern of a template, matches the paths that the template stands for", () => {
    const part = fc.stringMatching(/^[a-z\d]{1,6}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(part, fc.boolean()), { minLength: 1, maxLength: 5 }), part, (parts, id) => {
        fc.pre(parts.some(([, isId]) => isId));
        const template = parts.map(([name, isId]) => `/${isId ? "{id}" : name}`).join("");
        const path = parts.map(([name, isId]) => `/${isId ? id : name}`).join("");
        const pattern = patternOf(ORIGIN, template);
        assert.is(pathByRules(pathRulesOf([pattern]), ORIGIN, path), template);
        assert.is(pathByRules(pathRulesOf([`!${pattern}`]), ORIGIN, path), path);
      }),
    );
  });
});

const IDS = [
  ...["42", "42.json", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "deadbeef1"],
  ...["507f1f77bcf86cd799439011", "cus_9s6XKzkNRiz8i3", "V1StGXR8_Z5jdHi6B-myT", "2026-03-04"],
  ...["P10037", "sku-4411", "item_001"],
  ...["anna@example.test", "anna%40example.test"],
];

const NAMES = [
  ...["users", "v1", "user_settings", "how-to-write-a-letter", "getHTTPResponse", "deadbeef", "summer-sale"],
  ...["index.html", "", "main.js", "en-US", "2nd-edition", "search", "favicon.ico", "v10", "mp3", "win-32"],
];

describe("path templates", (test) => {
  for (const segment of IDS) {
    test(`given "${segment}", sees an id`, () => {
      assert.ok(isIdSegment(segment));
      assert.is(templateOf(`/users/${segment}/x`), "/users/{id}/x");
    });
  }

  for (const segment of NAMES) {
    test(`given "${segment}", sees a name`, () => {
      assert.not.ok(isIdSegment(segment));
      assert.is(templateOf(`/users/${segment}/x`), `/users/${segment}/x`);
    });
  }

  test("given any path, splits it into at most 64 segments and a rest that together are the path", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z\d]{0,3}$/), { minLength: 1, maxLength: 200 }), (parts) => {
        const segments = segmentsOf(parts.join("/"));
        assert.is(segments.join("/"), parts.join("/"));
        assert.equal(segments.slice(0, MOST_SEGMENTS), parts.slice(0, MOST_SEGMENTS));
        assert.is(segments.length, Math.min(parts.length, MOST_SEGMENTS + 1));
      }),
    );
  });

  test("given a path with a placeholder, is a template", () => {
    assert.equal([isTemplate("/users/{id}"), isTemplate("/users/7"), isTemplate("/{id}x")], [true, false, true]);
  });
});
