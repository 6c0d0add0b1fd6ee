import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";
import { type Asked, Scene, times } from "../../../../support/scene.ts";
import { lognormal, seeded } from "../../../../support/seeded.ts";

type Random = () => number;

/** How a request names what it uses. */
const PARTS: Readonly<Record<string, (key: number, random: Random) => Partial<Asked>>> = {
  "path:2": (key) => ({ target: `/items/${1_000 + key}`, path: "/items/{id}" }),
  "query:sku": (key, random) => ({ target: `/item?sku=s${key}&page=${Math.floor(random() * 3)}` }),
  "body:sku": (key, random) => ({
    method: "POST",
    target: "/price",
    sent: JSON.stringify({ sku: `s${key}`, day: Math.floor(random() * 3) }),
  }),
};

interface Use {
  readonly ask: Partial<Asked>;
  readonly key: number;
  readonly isFirst: boolean;
}

/** 160 uses of about 45 keys, some of them far more popular than others. */
function usesOf(random: Random, askOf: (key: number, random: Random) => Partial<Asked>): readonly Use[] {
  const seen = new Set<number>();
  return times(160).map(() => {
    const key = Math.floor(45 * random() ** 1.7);
    const isFirst = !seen.has(key);
    seen.add(key);
    return { ask: askOf(key, random), key, isFirst };
  });
}

function sceneOf(random: Random, uses: readonly Use[], serverOf: (use: Use, index: number) => number): Scene {
  const scene = new Scene();
  for (const [index, use] of uses.entries())
    scene.ask({
      at: index * 2_000 + random() * 900,
      client: `10.0.0.${index % 3} app`,
      body: `${use.key}`,
      ...use.ask,
      server: serverOf(use, index),
    });
  return scene;
}

const attributesIn = (scene: Scene) =>
  scene.report().findings.flatMap(({ kind, attribute }) => (kind === "slow-when" ? (attribute ?? []) : []));
const server = (random: Random, isSlow: boolean) => lognormal(random, isSlow ? 210 : 50, 0.35);

describe("slow first use", (test) => {
  for (const [part, askOf] of Object.entries(PARTS)) {
    test(`given a cache that is cold for each ${part}, the first use is named`, () => {
      for (let seed = 1; seed <= rounds(15); seed += 1) {
        const random = seeded(seed);
        const scene = sceneOf(random, usesOf(random, askOf), ({ isFirst }) => server(random, isFirst));
        assert.equal(attributesIn(scene), [{ name: "first-use", value: part }], `seed ${seed}`);
      }
    });

    test(`given the same uses of ${part} with their durations shuffled, hardly ever is anything named`, () => {
      let found = 0;
      for (let seed = 1; seed <= rounds(70); seed += 1) {
        const random = seeded(seed);
        const uses = usesOf(random, askOf);
        const durations = uses.map(({ isFirst }) => ({ server: server(random, isFirst), key: random() }));
        durations.sort((one, other) => one.key - other.key);
        found += attributesIn(sceneOf(random, uses, (_, index) => durations[index]?.server ?? 0)).length;
      }
      assert.ok(found <= 1, `${found} of 70`);
    });

    test(`given a server that warms up, the time is named, not the first use of ${part}`, () => {
      for (let seed = 1; seed <= rounds(30); seed += 1) {
        const random = seeded(seed);
        const inTurn = times(160).map((index) => ({
          ask: askOf(index % 12, random),
          key: index % 12,
          isFirst: index < 12,
        }));
        for (const [uses, slow] of [
          [usesOf(random, askOf), 40],
          [inTurn, 12],
        ] as const)
          assert.equal(
            attributesIn(sceneOf(random, uses, (_, index) => server(random, index < slow))).map(({ name }) => name),
            ["time-in-session"],
            `seed ${seed}`,
          );
      }
    });

    test(`given connections that are new at the first use of ${part}, the connection is named`, () => {
      for (let seed = 1; seed <= rounds(15); seed += 1) {
        const random = seeded(seed);
        const uses = usesOf(random, askOf).map((use) => ({ ...use, ask: { ...use.ask, reused: !use.isFirst } }));
        const scene = sceneOf(random, uses, ({ isFirst }) => server(random, isFirst));
        assert.equal(
          attributesIn(scene).map(({ name }) => name),
          ["connection"],
          `seed ${seed}`,
        );
      }
    });
  }

  test("given rare keys that are slow at each use, the first use is not named", () => {
    for (let seed = 1; seed <= rounds(30); seed += 1) {
      const random = seeded(seed);
      const uses = usesOf(random, (key) => ({ target: `/items/${1_000 + key}`, path: "/items/{id}" }));
      const scene = sceneOf(random, uses, ({ key }) => server(random, key >= 20));
      assert.not(
        attributesIn(scene).some(({ name }) => name === "first-use"),
        `seed ${seed}`,
      );
    }
  });
});
