import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";
import { Scene, times } from "../../../../support/scene.ts";
import { lognormal, seeded } from "../../../../support/seeded.ts";

type Draw = (random: () => number, index: number) => number;

function sceneOf(seed: number, paths: readonly string[], draw: Draw): Scene {
  const random = seeded(seed);
  const scene = new Scene();
  for (const index of times(120 * paths.length)) {
    const path = paths[index % paths.length] ?? "/";
    const target = `${path}?n=${Math.floor(random() * 9)}`;
    scene.ask({
      at: index * 20_000 + random() * 9_000,
      path,
      target,
      server: draw(random, Math.floor(index / paths.length)),
    });
  }
  return scene;
}

describe("findings of modes without an attribute", (test) => {
  test("given servers in turn behind several endpoints, it is one possible finding with what it costs", () => {
    for (let seed = 1; seed <= rounds(5); seed += 1) {
      const finding = sceneOf(seed, ["/a", "/b"], (random, index) =>
        lognormal(random, index % 2 === 0 ? 25 : 210, 0.2),
      ).only();
      assert.is(finding.kind, "slow-when");
      assert.is(finding.attribute, null);
      assert.is(finding.confidence, "possible");
      assert.is(finding.origin, "https://api.test");
      assert.match(finding.summary, /^Requests to 2 endpoints of .* have two modes, .* in turn: more than one server/);
      assert.ok(Math.abs((finding.time ?? 0) / (120 * 189) - 1) < 0.15, `${finding.time}`);
    }
  });

  test("given bodies that wait for delayed acknowledgements, the wait is no second mode and hides no cause", () => {
    for (let seed = 1; seed <= rounds(5); seed += 1) {
      const random = seeded(seed);
      const scene = new Scene();
      for (const index of times(300)) {
        const isRare = random() < 0.1;
        const target = `/a?sort=${isRare ? "price" : "name"}`;
        const server = lognormal(random, isRare ? 300 : 20, 0.15);
        const transfer = random() < 0.5 ? 40 + random() * 4 : 0;
        scene.ask({ at: index * 20_000 + random() * 9_000, target, server, transfer, bytes: 200 });
      }
      const { findings } = scene.report();
      assert.match(findings[0]?.basis ?? "", /leave out connection set-up and delayed acknowledgements\.$/);
      assert.equal(
        findings.map(({ kind, attribute }) => [kind, attribute?.name ?? null]),
        [
          ["slow-when", "query:sort"],
          ["slow-transfer", null],
        ],
      );
    }
  });

  test("given a time-out behind the server, its length is named", () => {
    for (let seed = 1; seed <= rounds(5); seed += 1) {
      const length = 400 + 150 * seed;
      let count = 0;
      const finding = sceneOf(seed, ["/a"], (random) => {
        const isLate = random() < 0.2;
        if (isLate) count += 1;
        return lognormal(random, 40, 0.2) + (isLate ? length : 0);
      }).only();
      assert.is(finding.count, count);
      const said = Number(/retry of about ([\d,]+) ms behind this server/.exec(finding.summary)?.[1]?.replace(",", ""));
      assert.ok(Math.abs(said / length - 1) < 0.05, finding.summary);
      assert.ok(Math.abs((finding.time ?? 0) / (count * length) - 1) < 0.1);
    }
  });

  test("given a server of which one answer differs by chance, nothing is said", () => {
    for (let seed = 1; seed <= rounds(10); seed += 1)
      assert.equal(sceneOf(seed, ["/a"], (random) => lognormal(random, 60, 0.7)).kinds(), []);
  });
});
