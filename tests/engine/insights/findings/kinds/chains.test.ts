import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";
import { type Asked, Scene, times } from "../../../../support/scene.ts";
import { lognormal, seeded } from "../../../../support/seeded.ts";

const NAMES = ["/me", "/news", "/friends", "/shop", "/ads"];

/** The same sequence of requests, this many times. */
const runs = (
  sketch: (index: number) => Partial<Asked>,
  { gap = 10, kind = "order", count = 5 }: { gap?: number; kind?: "order" | "value"; count?: number } = {},
) => {
  const scene = new Scene();
  for (const run of times(count)) {
    let at = run * 30_000;
    let before = null;
    for (const index of times(NAMES.length)) {
      const id = scene.ask({ at, target: NAMES[index] ?? "/", server: 99, ...sketch(index) });
      if (before !== null && kind === "order") scene.follow(before, id);
      if (before !== null && kind === "value") scene.prove(before, id);
      at += 100 + gap;
      before = id;
    }
  }
  return scene;
};

describe("sequential-requests", (test) => {
  test("given independent reads one after another, all but the longest of a run could be saved", () => {
    const finding = runs(() => ({})).only();
    assert.is(finding.kind, "sequential-requests");
    assert.equal([finding.count, finding.time, finding.confidence], [5, 5 * 400, "possible"]);
    assert.equal([finding.origin, finding.client], ["https://api.test", "10.0.0.1 test/1.0"]);
    assert.match(finding.basis, /^Up to/);
    assert.match(finding.summary, /sent 5 independent requests one after another, 5 times/);
  });

  test("given runs of different lengths, the shortest and the longest are told, and what the list leaves out", () => {
    const scene = runs(() => ({}), { count: 6 });
    const more = ["/tips", "/mail"].map((target, index) => scene.ask({ at: 540 + index * 110, target, server: 99 }));
    for (const [index, id] of more.entries()) scene.follow((index === 0 ? 5 : more[0]) as typeof id, id);
    const finding = scene.only();
    assert.match(finding.summary, /sent 5 to 7 independent requests one after another, 6 times/);
    assert.match(finding.evidence.find(({ name }) => name === "requests")?.value ?? "", /, then 3 more$/);
  });

  test("given two of the endpoints that depend elsewhere, writes, short requests, or the same endpoint, nothing is said", () => {
    const refuted = runs(() => ({}));
    const first = refuted.ask({ at: 500_000, target: "/news" });
    refuted.prove(first, refuted.ask({ at: 500_100, target: "/friends" }));
    assert.equal(refuted.kinds(), []);
    assert.equal(runs((index) => ({ method: index === 2 ? "POST" : "GET", sent: "x" })).kinds(), []);
    assert.equal(runs(() => ({ server: 20 })).kinds(), []);
    assert.equal(runs(() => ({ target: "/entries" })).kinds(), []);
    assert.equal(
      runs((index) => ({ status: index === 2 ? 500 : 200 }))
        .kinds()
        .filter((kind) => kind !== "errors"),
      [],
    );
  });

  test("given neighbours that all ran at once elsewhere, it is likely that they need not wait", () => {
    const scene = runs(() => ({}));
    for (const [index, target] of NAMES.entries()) scene.ask({ at: 400_000 + index, target });
    const finding = scene.only();
    assert.equal([finding.kind, finding.confidence], ["sequential-requests", "likely"]);
  });

  test("given an order that is chance, nothing is said", () => {
    const scene = runs(() => ({}), { count: 1 });
    for (const index of times(40)) scene.ask({ at: 60_000 + index * 7_000, target: NAMES[index % 5] ?? "/" });
    assert.equal(scene.kinds(), []);
  });
});

describe("client-time", (test) => {
  test("given long gaps in chains of proven links, the client's own time is the finding", () => {
    const finding = runs(() => ({}), { gap: 400, kind: "value" }).only();
    assert.is(finding.kind, "client-time");
    assert.is(finding.time, 5 * 4 * 400);
    assert.match(finding.summary, /10\.0\.0\.1 itself took 8,000 ms/);
  });

  test("given gaps for which the server asked, nothing is said of the client", () => {
    const told = runs(() => ({ status: 429, response: { "retry-after": "1" } }), { gap: 1_000, kind: "value" });
    assert.not(told.kinds().includes("client-time"));
    const untold = runs(() => ({ status: 429 }), { gap: 1_000, kind: "value" });
    assert.ok(untold.kinds().includes("client-time"));
  });

  test("given gaps in which other requests were in flight, nothing is said of the client", () => {
    const scene = runs(() => ({}), { gap: 400, kind: "value" });
    for (const run of times(5)) scene.ask({ at: run * 30_000 + 50, target: "/report", server: 2_000 });
    assert.not.ok(scene.kinds().includes("client-time"));
  });

  test("given 2 s and more between two requests, the chain goes on unless the client had nothing in flight for 2 s", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2_000, max: 9_000 }), fc.integer({ min: 0, max: 4_000 }), (pause, idle) => {
        const scene = new Scene();
        const starts = [0, 900, 1_000 + pause, 1_900 + pause];
        const ids = starts.map((at, index) => scene.ask({ at, target: NAMES[index] ?? "/", server: 99 }));
        for (const [index, id] of ids.slice(1).entries()) scene.prove(ids[index] ?? id, id);
        if (idle < pause) scene.ask({ at: 1_000, target: "/report", server: pause - idle - 1 });
        const found = scene.report().findings.find(({ kind }) => kind === "client-time");
        assert.is(found?.time, Math.min(idle, pause) < 2_000 ? 1_600 : undefined);
      }),
      { numRuns: rounds(50) },
    );
  });

  test("given short gaps, or gaps that a person makes, nothing is said", () => {
    assert.equal(runs(() => ({}), { gap: 40, kind: "value" }).kinds(), []);
    assert.equal(runs(() => ({}), { gap: 2_400, kind: "value" }).kinds(), []);
  });

  const pairs = (
    seed: number,
    {
      work,
      pause,
      rounds = 12,
    }: { work: (random: () => number) => number; pause: (random: () => number) => number; rounds?: number },
  ) => {
    const random = seeded(seed);
    const scene = new Scene();
    let [at, truth] = [0, 0];
    for (const round of times(rounds)) {
      const lengths = [lognormal(random, 40, 0.3), lognormal(random, 50, 0.3)] as const;
      const from = scene.ask({ at, target: "/list", server: lengths[0] - 1 });
      const gap = work(random);
      const to = scene.ask({
        at: at + lengths[0] + gap,
        target: `/parts/${round}`,
        path: "/parts/{id}",
        server: lengths[1] - 1,
      });
      scene.prove(from, to);
      truth += gap;
      at += lengths[0] + gap + lengths[1] + pause(random);
    }
    return { scene, truth };
  };

  test("given work between two requests again and again, its time and link are named", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 150, max: 1_500 }),
        fc.constantFrom<(random: () => number) => number>(
          () => 2,
          (random) => 20 + random() * 40,
          (random) => 3_000 + random() * 6_000,
        ),
        (seed, length, pause) => {
          const { scene, truth } = pairs(seed, { work: (random) => length * (0.9 + 0.2 * random()), pause });
          const finding = scene.report().findings.find(({ kind }) => kind === "client-time");
          assert.ok(Math.abs((finding?.time ?? 0) / truth - 1) < 0.05, `${finding?.time} ${truth}`);
          assert.is(finding?.count, 12);
          assert.match(finding?.summary ?? "", /came after GET \/list, before GET \/parts\/\{id\}\.$/);
        },
      ),
      { numRuns: rounds(40) },
    );
  });

  test("given a client that always pauses, a person, or few such pairs, nothing is said of the client", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 150, max: 1_500 }),
        fc.constantFrom<(length: number, random: () => number) => number>(
          (length) => length,
          (length, random) => length * (0.98 + 0.04 * random()),
          (_, random) => 1_200 + random() * 4_000,
        ),
        (seed, length, think) => {
          const { scene } = pairs(seed, {
            rounds: 40,
            work: (random) => think(length, random),
            pause: (random) => think(length, random),
          });
          assert.not.ok(scene.kinds().includes("client-time"));
          const few = pairs(seed, { rounds: 4, work: () => length, pause: () => 5 });
          assert.not.ok(few.scene.kinds().includes("client-time"));
        },
      ),
      { numRuns: rounds(40) },
    );
  });
});
