import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";
import { type Asked, Scene, times } from "../../../../support/scene.ts";
import { lognormal, seeded } from "../../../../support/seeded.ts";

type Random = () => number;

const MINUTES = 4 * 60_000;
const SEEDS = rounds(50);

/** Instants until the end of the session with pauses of about `mean` ms. */
function instantsOf(random: Random, mean: number): readonly number[] {
  const instants: number[] = [];
  for (let at = random() * mean; at < MINUTES; at += mean * (0.3 + 1.4 * random())) instants.push(at);
  return instants;
}

interface Planned extends Asked {
  readonly server: number;
}

/** Requests of two clients to /a, and of others to two more endpoints, whose requests take as long as ever. */
function background(random: Random): readonly Planned[] {
  return ["/b", "/c"].flatMap((target, index) =>
    instantsOf(random, 1_100).map((at) => ({
      at,
      target,
      client: `10.0.1.${index} app`,
      server: lognormal(random, 120, 0.4),
    })),
  );
}

const importsOf = (random: Random): readonly Planned[] =>
  instantsOf(random, 9_000).map((at) => ({
    at,
    method: "POST",
    target: "/import",
    client: "10.0.2.1 job",
    server: lognormal(random, 1_300, 0.3),
  }));

/** A lock: who begins while an import runs waits for its end. */
function locked(random: Random): readonly Planned[] {
  const imports = importsOf(random);
  const reads = instantsOf(random, 700).map((at, index) => {
    const held = imports.find((one) => one.at <= at && at < one.at + one.server);
    const own = lognormal(random, 45, 0.35);
    const server = (held === undefined ? 0 : held.at + held.server - at) + own;
    return { at, target: "/a", client: `10.0.0.${index % 2} app`, server };
  });
  return [...reads, ...imports, ...background(random)];
}

/** A lock that a read needs after its own work, with no other traffic: some that wait for an import began before it. */
function caught(random: Random): readonly Planned[] {
  const imports = instantsOf(random, 9_000).map((at) => ({
    at,
    method: "POST",
    target: "/import",
    client: "10.0.2.1 job",
    server: lognormal(random, 500, 0.2),
  }));
  const reads = instantsOf(random, 700).map((at) => {
    const own = lognormal(random, 45, 0.35);
    const held = imports.find((one) => one.at <= at + own && at + own < one.at + one.server);
    return { at, target: "/a", client: "10.0.0.1 app", server: held === undefined ? own : held.at + held.server - at };
  });
  return [...reads, ...imports];
}

/** A processor: whatever begins while an import runs takes four times as long. */
function slowed(random: Random): readonly Planned[] {
  const imports = importsOf(random);
  const reads = instantsOf(random, 700).map((at, index) => {
    const isHeld = imports.some((one) => one.at <= at && at < one.at + one.server);
    const server = lognormal(random, isHeld ? 240 : 60, 0.35);
    return { at, target: "/a", client: `10.0.0.${index % 2} app`, server };
  });
  return [...reads, ...imports, ...background(random)];
}

/** Waves of traffic to all endpoints, in which each request takes longer the more are running. */
function waves(random: Random): readonly Planned[] {
  const planned: Planned[] = [];
  for (const wave of instantsOf(random, 12_000))
    for (const index of times(12)) {
      const target = ["/a", "/b", "/c", "/d"][Math.floor(random() * 4)] as string;
      planned.push({
        at: wave + random() * 700,
        target,
        client: `10.0.0.${index} app`,
        server: lognormal(random, 90 + 25 * index, 0.3),
      });
    }
  for (const at of instantsOf(random, 3_000))
    planned.push({ at, target: "/a", client: "10.0.0.99 app", server: lognormal(random, 60, 0.3) });
  return planned;
}

/** Whatever begins beside another request takes four times as long; that is nearly always an import. */
function shared(random: Random): readonly Planned[] {
  const others = [
    ...importsOf(random),
    ...instantsOf(random, 11_000).map((at) => ({ at, target: "/b", server: lognormal(random, 500, 0.2) })),
  ];
  const reads = instantsOf(random, 700).map((at) => {
    const isBeside = others.some((one) => one.at <= at && at < one.at + one.server);
    return { at, target: "/a", server: lognormal(random, isBeside ? 240 : 60, 0.35) };
  });
  return [...reads, ...others];
}

/** Pages that ask six endpoints at once, in any order, and a poll of one of them in between. */
function pages(random: Random): readonly Planned[] {
  const planned: Planned[] = [];
  const paths = ["/a", "/b", "/c", "/d", "/e", "/f"];
  for (const load of instantsOf(random, 7_000)) {
    const order = paths.map((target) => ({ target, key: random() })).sort((one, other) => one.key - other.key);
    for (const [index, { target }] of order.entries())
      planned.push({
        at: load + 2 * index + random() * 40,
        target,
        client: "10.0.0.1 browser",
        server: lognormal(random, 200, 0.3),
      });
  }
  for (const at of instantsOf(random, 2_500))
    planned.push({ at, target: "/a", client: "10.0.0.2 app", server: lognormal(random, 60, 0.3) });
  return planned;
}

/** Pages that ask two endpoints at the same time, one of which usually takes a little longer. */
function pairs(random: Random): readonly Planned[] {
  return instantsOf(random, 5_000).flatMap((at) => [
    { at, target: "/a", client: "10.0.0.1 browser", server: lognormal(random, 42, 0.35) },
    { at, target: "/b", client: "10.0.0.1 browser", server: lognormal(random, 30, 0.3) },
  ]);
}

/** A slow half of the session, and an import now and then in both halves. */
function slowHalf(random: Random): readonly Planned[] {
  const reads = instantsOf(random, 700).map((at) => ({
    at,
    target: "/a",
    server: lognormal(random, at < MINUTES / 2 ? 240 : 60, 0.35),
  }));
  return [...reads, ...importsOf(random), ...background(random)];
}

/** The same requests; the durations of those to /a in another order. */
function shuffled(random: Random, planned: readonly Planned[]): readonly Planned[] {
  const durations = planned
    .filter(({ target }) => target === "/a")
    .map(({ server }) => ({ server, key: random() }))
    .sort((one, other) => one.key - other.key);
  return planned.map((one) => (one.target === "/a" ? { ...one, server: durations.pop()?.server ?? 0 } : one));
}

function foundIn(planned: readonly Planned[]) {
  const scene = new Scene();
  for (const [index, one] of planned.entries()) scene.ask({ body: `${index}`, ...one });
  const { findings } = scene.report();
  return findings.flatMap(({ kind, endpoint, attribute, summary }) =>
    kind === "slow-when" ? { path: endpoint?.path, name: attribute?.name ?? "", summary } : [],
  );
}

describe("slow while another endpoint runs", (test) => {
  for (const [name, draw] of Object.entries({ locked, caught, slowed }))
    test(`given requests that are ${name} by an import, the import is named`, () => {
      for (let seed = 1; seed <= rounds(15); seed += 1) {
        const [finding] = foundIn(draw(seeded(seed)));
        assert.is(finding?.name, "while:POST /import", `seed ${seed}: ${finding?.summary}`);
        assert.match(
          finding?.summary ?? "",
          /requests to GET \/a over .* ran while `POST \/import` was in flight; (?:so did \d+ of \d+ others|none of \d+ others did)\./,
        );
      }
    });

  for (const [name, draw] of Object.entries({ waves, shared, pages, pairs, slowHalf }))
    test(`given ${name} in which everything is slow together, no endpoint is named`, () => {
      let found = 0;
      for (let seed = 1; seed <= SEEDS; seed += 1)
        found += foundIn(draw(seeded(seed))).filter((one) => one.name.startsWith("while:")).length;
      assert.ok(found <= 1, `${found} of ${SEEDS}`);
    });

  test(
    "given the same requests with their durations shuffled, hardly ever is one named",
    () => {
      let found = 0;
      for (const draw of [locked, slowed])
        for (let seed = 1; seed <= SEEDS; seed += 1)
          found += foundIn(shuffled(seeded(-seed), draw(seeded(seed)))).length;
      assert.ok(found <= 2, `${found} of ${2 * SEEDS}`);
    },
    { isLong: true },
  );

  test("given one import in the whole session, it is not named: it may coincide with anything", () => {
    const random = seeded(3);
    const planned = [
      ...instantsOf(random, 700).map((at) => ({
        at,
        target: "/a",
        server: lognormal(random, at > 100_000 && at < 120_000 ? 240 : 60, 0.3),
      })),
      { at: 100_000, method: "POST", target: "/import", client: "10.0.2.1 job", server: 20_000 },
    ];
    assert.equal(
      foundIn(planned).filter(({ name }) => name.startsWith("while:")),
      [],
    );
  });
});
