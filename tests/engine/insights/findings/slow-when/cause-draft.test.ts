import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";
import { Scene, times } from "../../../../support/scene.ts";
import { lognormal, seeded } from "../../../../support/seeded.ts";

/** Requests to one endpoint; the slow ones have a status or size of their own, and begin while others run. */
function drawn(seed: number, { isLoaded, bytes }: { readonly isLoaded: boolean; readonly bytes: number }): Scene {
  const random = seeded(seed);
  const scene = new Scene();
  for (const index of times(120)) {
    const isSlow = random() < 0.25;
    const at = index * 4_000;
    if (isLoaded && isSlow !== random() < 0.04)
      for (const other of times(6))
        scene.ask({ at: at + other, target: `/other?n=${index}.${other}`, path: "/other", server: 30 });
    scene.ask({
      at: at + 8,
      target: `/a?n=${index}`,
      bytes: isSlow ? bytes : 100,
      server: lognormal(random, isSlow ? 400 : 45, 0.25),
    });
  }
  return scene;
}

describe("response attributes of slow requests", (test) => {
  test("given a size that follows the delay exactly, and load that explains most of it, the load is named", () => {
    for (let seed = 1; seed <= rounds(10); seed += 1) {
      const finding = drawn(seed, { isLoaded: true, bytes: 9_000 })
        .report()
        .findings.find(({ kind }) => kind === "slow-when");
      assert.is(finding?.attribute?.name, "in-flight");
    }
  });

  test("given only a size that goes with the delay, it is named as that and not as the reason", () => {
    for (let seed = 1; seed <= rounds(10); seed += 1) {
      const finding = drawn(seed, { isLoaded: false, bytes: 9_000 }).only();
      assert.is(finding.attribute?.name, "response-size");
      assert.match(finding.summary, / go with response size: /);
      assert.match(finding.basis, /may follow from the delay\.$/);
    }
  });

  test("given a message that is longer by less than a packet, its size is not named", () => {
    for (let seed = 1; seed <= rounds(10); seed += 1) {
      const found = drawn(seed, { isLoaded: false, bytes: 150 + seed * 100 }).report().findings;
      assert.ok(found.every(({ attribute }) => attribute?.name !== "response-size"));
    }
  });

  test("given a header that exactly the slow requests have beside a parameter, names both; given one exception, not", () => {
    for (let seed = 1; seed <= rounds(10); seed += 1) {
      const random = seeded(seed);
      const exception = Math.floor(random() * 40) * 3;
      for (const isExact of [true, false]) {
        const scene = new Scene();
        for (const index of times(120)) {
          const isSlow = index % 3 === 0;
          const isOak = isSlow && (isExact || index !== exception);
          const server = lognormal(random, isSlow ? 400 : 45, 0.25);
          const target = isSlow ? `/a?sort=price&n=${index}` : `/a?n=${index}`;
          scene.ask({
            at: index * 4_000,
            target,
            path: "/a",
            server,
            request: { "x-tenant": isOak ? "oak" : `elm-${index % 2}` },
          });
        }
        const { summary, attribute } = scene.only();
        assert.is(attribute?.name, "query:sort");
        assert.is(
          summary.includes(
            " have `?sort=price` and request header `x-tenant: oak`, either of which may be the cause; ",
          ),
          isExact,
          summary,
        );
      }
    }
  });
});
