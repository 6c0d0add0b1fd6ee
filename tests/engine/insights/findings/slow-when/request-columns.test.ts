import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";
import { type Asked, Scene, times } from "../../../../support/scene.ts";
import { lognormal, seeded } from "../../../../support/seeded.ts";

type Random = () => number;
const pick = <One>(random: Random, list: readonly One[]): One => list[Math.floor(random() * list.length)] as One;
const wordOf = (random: Random) => times(7).reduce((word) => word + pick(random, [..."bdfglmnprstvz"]), "");

interface Drawn {
  readonly ask: Partial<Asked>;
  readonly isSlow: boolean;
}

interface Cause {
  readonly name: string;
  readonly value: string | RegExp;
  /** Draws the traffic of one session: its words first, then each request. */
  readonly draw: (random: Random) => () => Drawn;
}

const json = (body: unknown): Partial<Asked> => ({ method: "POST", sent: JSON.stringify(body) });

const CAUSES: readonly Cause[] = [
  {
    name: "body:tenant",
    value: "tenant-a",
    draw: (random) => () => {
      const tenant = pick(random, ["tenant-a", "tenant-b", "tenant-c", "tenant-d"]);
      const body = { tenant, sort: pick(random, ["up", "down"]), page: Math.floor(random() * 9), ref: wordOf(random) };
      return { ask: json(body), isSlow: tenant === "tenant-a" };
    },
  },
  {
    name: "body:filter.status",
    value: "open",
    draw: (random) => () => {
      const status = pick(random, ["open", "closed", "new"]);
      return { ask: json({ filter: { status, since: wordOf(random) }, limit: 20 }), isSlow: status === "open" };
    },
  },
  {
    name: "body:export",
    value: "present",
    draw: (random) => () => {
      const isSlow = random() < 0.3;
      return { ask: json({ of: wordOf(random), ...(isSlow ? { export: wordOf(random) } : {}) }), isSlow };
    },
  },
  {
    name: "body:days",
    value: /^at least \d+$/,
    draw: (random) => () => {
      const days = Math.ceil(random() * 400);
      return { ask: json({ days, of: wordOf(random) }), isSlow: days > 300 };
    },
  },
  {
    name: "body:region",
    value: "north",
    draw: (random) => () => {
      const region = pick(random, ["north", "south", "west"]);
      const sent = `region=${region}&note=${wordOf(random)}`;
      const request = { "content-type": "application/x-www-form-urlencoded" };
      return { ask: { method: "POST", sent, request }, isSlow: region === "north" };
    },
  },
  {
    name: "path:2",
    value: "acme",
    draw: (random) => {
      const tenants = ["acme", ...times(24).map(() => wordOf(random))];
      return () => {
        const tenant = random() < 0.3 ? "acme" : pick(random, tenants);
        const target = `/t/${tenant}/orders/${Math.floor(random() * 5_000)}`;
        return { ask: { target, path: "/t/{id}/orders/{id}" }, isSlow: tenant === "acme" };
      };
    },
  },
  {
    name: "path:1",
    value: "42",
    draw: (random) => () => {
      const user = random() < 0.3 ? 42 : Math.floor(random() * 30) + 100;
      return { ask: { target: `/${user}`, path: "/{id}" }, isSlow: user === 42 };
    },
  },
  {
    name: "cookie:preview",
    value: "present",
    draw: (random) => () => {
      const isSlow = random() < 0.3;
      const cookie = `sid=${wordOf(random)}${isSlow ? `; preview=${wordOf(random)}` : ""}; theme=dark`;
      return { ask: { request: { cookie } }, isSlow };
    },
  },
];

/** 90 requests of three clients. Shuffled: the durations of the same requests in another order. */
function sceneOf({ draw }: Cause, seed: number, isShuffled: boolean): Scene {
  const random = seeded(seed);
  const next = draw(random);
  const drawn = times(90).map(() => {
    const { ask, isSlow } = next();
    return { ask, server: lognormal(random, isSlow ? 190 : 48, 0.35) };
  });
  const order = drawn.map(({ server }) => ({ server, key: isShuffled ? random() : 0 }));
  if (isShuffled) order.sort((one, other) => one.key - other.key);
  const scene = new Scene();
  for (const [index, { ask }] of drawn.entries()) {
    const client = `10.0.0.${index % 3} app`;
    scene.ask({ at: index * 2_600 + random() * 900, target: "/a", client, ...ask, server: order[index]?.server ?? 0 });
  }
  return scene;
}

const slowWhenIn = (scene: Scene) => scene.report().findings.filter(({ kind }) => kind === "slow-when");

describe("request attributes for slow-when", (test) => {
  for (const cause of CAUSES)
    test(`given requests that are slow by ${cause.name}, that is named and nothing else`, () => {
      for (let seed = 1; seed <= rounds(12); seed += 1) {
        const found = slowWhenIn(sceneOf(cause, seed, false));
        const [finding] = found;
        assert.equal(
          found.map(({ attribute }) => attribute?.name),
          [cause.name],
          `seed ${seed}: ${found.map(({ summary }) => summary).join()}`,
        );
        if (typeof cause.value === "string") assert.is(finding?.attribute?.value, cause.value);
        else assert.match(finding?.attribute?.value ?? "", cause.value);
      }
    });

  // 25 sessions of each of eight causes: the correction limits false findings to one in a hundred.
  test("given the same requests with their durations shuffled, hardly ever is one named", () => {
    let found = 0;
    for (const cause of CAUSES)
      for (let seed = 1; seed <= rounds(25); seed += 1) found += slowWhenIn(sceneOf(cause, seed, true)).length;
    assert.ok(found <= 5, `${found} of 200`);
  });

  test("given a body that is unknown for some requests, its presence is not compared", () => {
    const random = seeded(5);
    const scene = new Scene();
    for (const index of times(90)) {
      const isSlow = index % 3 === 0;
      const known = isSlow ? json({ of: wordOf(random) }) : { method: "POST", sentBytes: 20 };
      scene.ask({ at: index * 2_600, target: "/a", ...known, server: lognormal(random, isSlow ? 190 : 48, 0.2) });
    }
    assert.equal(
      slowWhenIn(scene).filter(({ attribute }) => attribute?.name.startsWith("body:")),
      [],
    );
  });

  test("given a last segment that is a word, it must be three times as slow, for it may be another endpoint", () => {
    const foundAt = (slow: number) => {
      const random = seeded(slow);
      const words = times(24).map(() => wordOf(random));
      const scene = new Scene();
      for (const index of times(120)) {
        const word = index % 4 === 0 ? "reports" : pick(random, words);
        const server = lognormal(random, word === "reports" ? slow : 60, 0.1);
        scene.ask({ at: index * 2_600, target: `/v1/${word}`, path: "/v1/{id}", server });
      }
      return slowWhenIn(scene).flatMap(({ attribute }) => attribute ?? []);
    };
    assert.equal(foundAt(130), []);
    assert.equal(foundAt(300), [{ name: "path:2", value: "reports" }]);
  });
});
