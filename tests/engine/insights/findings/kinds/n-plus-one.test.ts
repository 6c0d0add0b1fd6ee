import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";
import type { Asked } from "../../../../support/scene.ts";
import { Scene, times } from "../../../../support/scene.ts";
import { seeded } from "../../../../support/seeded.ts";

/** Bursts of a list and one request per item, one after another. */
const bursts = (
  scene: Scene,
  item: (burst: number, index: number) => Partial<Asked>,
  { size = 8, count = 4, gap = 5 } = {},
) => {
  for (const burst of times(count)) {
    const list = scene.ask({ at: burst * 20_000, target: `/list?of=${burst}` });
    for (const index of times(size)) {
      const id = scene.ask({ at: burst * 20_000 + 60 + index * (41 + gap), ...item(burst, index) });
      scene.prove(list, id);
    }
  }
};

describe("n-plus-one", (test) => {
  const shapes: readonly (readonly [string, string, (burst: number, index: number) => Partial<Asked>])[] = [
    [
      "numbers in the path",
      "/users/{id}",
      (burst, index) => ({ target: `/users/${burst * 100 + index}`, path: "/users/{id}" }),
    ],
    [
      "names that no template knows",
      "/users/{id}",
      (burst, index) => ({ target: `/users/${"abcdefgh"[index]}lice${"klmn"[burst]}` }),
    ],
    ["a segment in the middle", "/users/{id}/photo", (burst, index) => ({ target: `/users/u${burst}x${index}/photo` })],
    [
      "the last segment, below a parent that differs from burst to burst",
      "/teams/{id}/users/{id}",
      (burst, index) => ({ target: `/teams/${burst}/users/${burst}${index}`, path: "/teams/{id}/users/{id}" }),
    ],
    ["the query", "/user", (burst, index) => ({ target: `/user?id=${burst * 100 + index * 7}` })],
    [
      "variables of an operation",
      "/graphql",
      (burst, index) => ({ method: "POST", target: "/graphql", operation: "User", sent: `${burst}-${index}` }),
    ],
    [
      "a body with a value of the list",
      "/price",
      (burst, index) => ({ method: "POST", target: "/price", sent: `item ${burst}-${index}` }),
    ],
  ];
  for (const [what, path, item] of shapes)
    test(`given items that differ in ${what}, the shape is named and all but the longest request of a burst is the cost`, () => {
      const scene = new Scene();
      bursts(scene, item);
      const finding = scene.only();
      assert.is(finding.kind, "n-plus-one");
      assert.is(finding.endpoint?.path, path);
      assert.is(finding.count, 32);
      assert.is(Math.round(finding.time ?? 0), 4 * 7 * 41);
      assert.is(finding.confidence, "likely");
    });

  const healthy: readonly (readonly [string, (burst: number, index: number) => Partial<Asked>])[] = [
    ["pictures of a page", (burst, index) => ({ target: `/img/${burst}${index}`, type: "image/png" })],
    ["pages by their number", (_, index) => ({ target: `/entries?page=${index + 1}` })],
    ["a word as it is typed", (_, index) => ({ target: `/suggest?q=${"abcdefghij".slice(0, index + 1)}` })],
    ["ranges of one file", (_, index) => ({ target: "/song?v=1", status: 206, request: { range: `bytes=${index}-` } })],
    [
      "pages loaded ahead",
      (burst, index) => ({ target: `/p/${burst}${index}`, request: { "sec-purpose": "prefetch" } }),
    ],
  ];
  for (const [what, item] of healthy)
    test(`given ${what}, nothing is said`, () => {
      const scene = new Scene();
      bursts(scene, item);
      assert.equal(scene.kinds(), []);
    });

  test("given a client that works on each item that one list gave, it is still one burst", () => {
    const scene = new Scene();
    bursts(scene, (burst, index) => ({ target: `/boxes/${burst}${index}7` }), { gap: 200 });
    const finding = scene.only();
    assert.is(finding.kind, "n-plus-one");
    assert.is(Math.round(finding.time ?? 0), 4 * 7 * 41);
    scene.links.length = 0;
    assert.equal(scene.kinds(), []);
  });

  test("given items whose cause is only a script that ran before, counts none as named by an earlier response", () => {
    fc.assert(
      fc.property(fc.constantFrom("script", "url", "path", "file"), fc.integer({ min: 5, max: 12 }), (source, size) => {
        const scene = new Scene();
        bursts(scene, (burst, index) => ({ target: `/users/${burst * 100 + index}`, path: "/users/{id}" }), { size });
        const evidence = { source, name: null, value: "https://api.test/app.js" };
        const links = scene.links.splice(0).map((link) => ({ ...link, basis: "initiator" as const, evidence }));
        scene.links.push(...links);
        const figure = scene.only().evidence.find(({ name }) => /value or URL/.test(name));
        assert.is(figure?.value, `${source === "script" ? 0 : 4 * size} of ${4 * size}`);
      }),
      { numRuns: rounds(20) },
    );
  });

  test("given items that are also asked for one by one, the sentence counts those in the bursts and all of them", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 }), (alone) => {
        const scene = new Scene();
        bursts(scene, (burst, index) => ({ target: `/boxes/${burst}${index}7`, path: "/boxes/{id}" }));
        for (const index of times(alone))
          scene.ask({ at: 200_000 + index * 5_000, target: `/boxes/9${index}7`, path: "/boxes/{id}" });
        const finding = scene.only();
        assert.is(finding.count, 32);
        const counted = alone === 0 ? "32 requests" : `32 of its ${32 + alone} requests`;
        assert.match(finding.summary, `once per item: ${counted} in 4 bursts of up to 8.`);
      }),
      { numRuns: rounds(20) },
    );
  });

  test("given writes or events whose bodies no response gave, or parts of a file, nothing is said", () => {
    const events = new Scene();
    const parts = new Scene();
    bursts(parts, (burst, index) => ({
      method: "POST",
      target: "/upload",
      sent: `part ${burst}-${index}`,
      sentBytes: 60_000,
    }));
    bursts(parts, (burst, index) => ({ method: "PUT", target: `/parts?of=${burst}&part=${index}`, sentBytes: 60_000 }));
    for (const burst of times(4))
      for (const index of times(8))
        events.ask({ at: burst * 20_000 + index * 46, method: "POST", target: "/collect", sent: `${burst}-${index}` });
    assert.equal(events.kinds(), []);
    assert.equal(parts.kinds(), []);
  });

  test("given pages that each need a value of the one before, nothing is said", () => {
    const scene = new Scene();
    for (const burst of times(4)) {
      let before = scene.ask({ at: burst * 20_000, target: `/feed?cursor=${burst}0` });
      for (const index of times(9)) {
        const next = scene.ask({ at: burst * 20_000 + 50 * (index + 1), target: `/feed?cursor=${burst}${index + 1}x` });
        scene.prove(before, next);
        before = next;
      }
    }
    assert.equal(scene.kinds(), []);
  });

  test("given the fixed endpoints of a start screen, nothing is said", () => {
    const scene = new Scene();
    for (const burst of times(5))
      for (const [index, name] of ["me", "news", "mail", "menu", "tips", "ads"].entries())
        scene.ask({ at: burst * 20_000 + index * 50, target: `/api/${name}` });
    assert.equal(scene.kinds(), []);
  });

  test("given requests without bursts, or a steady load, nothing is said", () => {
    const scene = new Scene();
    for (const index of times(200)) scene.ask({ at: index * 150 + (index % 4) * 60, target: `/user?id=${index}` });
    assert.equal(scene.kinds(), []);
  });

  test("given bursts whose ids are unknown, they are named only if they come again with their list", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 6, max: 14 }), (count, size) => {
        const scene = new Scene();
        bursts(scene, (burst, index) => ({ target: `/users/${burst}${index}7` }), { size, count });
        scene.links.length = 0;
        assert.equal(scene.kinds(), count >= 3 ? ["n-plus-one"] : []);
        if (count >= 3) assert.is(scene.only().confidence, "possible");
      }),
    );
  });

  test("given an endpoint that is asked often, in bursts by chance, between lists of which few lead to a burst, nothing is said", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 60, max: 250 }), (seed, count) => {
        const random = seeded(seed);
        const scene = new Scene();
        let at = 0;
        for (const index of times(count)) {
          at += random() < 0.15 ? 500 + random() * 4_000 : 42 + random() * 30;
          const target = random() < 0.15 ? `/list?n=${index}` : `/items/${Math.floor(random() * 90_000)}`;
          scene.ask({ at, target, path: target.startsWith("/items") ? "/items/{id}" : "/list" });
        }
        assert.equal(
          scene.kinds().filter((kind) => kind === "n-plus-one"),
          [],
        );
      }),
      { numRuns: rounds(30) },
    );
  });

  test("given users behind one client, each with a list and one of its items, nothing is said", () => {
    const random = seeded(3);
    const scene = new Scene();
    for (const index of times(80)) {
      const at = index * 60 + random() * 20;
      const list = scene.ask({ at, target: `/list?u=${index}` });
      scene.prove(list, scene.ask({ at: at + 60, target: `/items/${1_000 + index * 13}`, path: "/items/{id}" }));
    }
    assert.equal(scene.kinds(), []);
  });

  test("given a crawler that follows the links of its pages, nothing is said", () => {
    const scene = new Scene();
    let at = 0;
    let page = scene.ask({ at, target: "/", type: "text/html" });
    for (const index of times(120)) {
      at += 45;
      const next = scene.ask({ at, target: `/articles/${index * 31}`, path: "/articles/{id}", type: "text/html" });
      scene.prove(page, next, "initiator");
      if (index % 12 === 0) page = next;
    }
    assert.equal(scene.kinds(), []);
  });
});
