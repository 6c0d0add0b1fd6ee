import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { Scene, times } from "../../../../support/scene.ts";

describe("rate-limited", (test) => {
  test("given 429s that succeed later, they cost the time until success, and are no errors and no retries", () => {
    const scene = new Scene();
    for (const index of times(5)) {
      const target = `/quota?n=${index}`;
      scene.ask({
        at: index * 10_000,
        target,
        path: "/quota",
        status: 429,
        server: 20,
        response: { "retry-after": "1" },
      });
      scene.ask({ at: index * 10_000 + 1_021, target, path: "/quota", server: 30 });
    }
    const finding = scene.only();
    assert.is(finding.kind, "rate-limited");
    assert.is(finding.count, 5);
    assert.is(finding.time, 5 * 1_021);
    assert.is(finding.endpoint?.path, "/quota");
  });

  test("given a list whose items are refused and asked for again, the items are no second finding", () => {
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 30 }), fc.integer({ min: 300, max: 3_000 }), (items, pause) => {
        const scene = new Scene();
        const list = scene.ask({ at: 0, target: "/items" });
        for (const index of times(items)) {
          const asked = { target: `/items/${index + 100}`, path: "/items/{id}" };
          const refused = scene.ask({ ...asked, at: 60 + index, status: 429, server: 20 });
          const again = scene.ask({ ...asked, at: 60 + pause + index * 5, server: 30 });
          for (const id of [refused, again]) scene.prove(list, id);
        }
        assert.equal(scene.kinds(), ["rate-limited"]);
      }),
    );
  });

  test("given a 503, it is a rate limit with Retry-After, and none without", () => {
    for (const [response, kind] of [
      [{ "retry-after": "2" }, "rate-limited"],
      [{}, "errors"],
    ] as const) {
      const scene = new Scene();
      for (const index of times(6)) scene.ask({ at: index * 5_000, target: `/a?n=${index}`, status: 503, response });
      assert.equal(scene.kinds(), [kind]);
    }
  });

  test("given a single 429, nothing is said", () => {
    const scene = new Scene();
    scene.ask({ at: 0, status: 429, server: 5 });
    for (const index of times(40))
      scene.ask({ at: 5_000 + index * 4_000, target: `/?n=${index}`, server: 40 + (index % 7) });
    assert.equal(scene.kinds(), []);
  });
});
