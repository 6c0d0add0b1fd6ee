import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { serverPauses } from "../../../../../src/engine/insights/findings/kinds/server-pauses.ts";
import { describe } from "../../../../support/describe.ts";
import { IS_QUICK, rounds } from "../../../../support/rounds.ts";
import { Scene, times } from "../../../../support/scene.ts";
import { lognormal, seeded } from "../../../../support/seeded.ts";

interface Pause {
  readonly start: number;
  readonly end: number;
}

interface Plan {
  readonly seed: number;
  readonly clients: number;
  readonly endpoints: number;
  readonly noise?: number;
  readonly minutes?: number;
  readonly pauses?: readonly Pause[];
  /** When the answer to a request that begins at `start` and would take `work` begins. */
  readonly answered?: (start: number, work: number, random: () => number, endpoint: number) => number;
  /** How many requests a client sends at once. */
  readonly batch?: number;
  readonly weir?: number;
}

/** When work that begins at `start` ends, if the server stands still in the pauses. */
const afterPauses = (pauses: readonly Pause[], start: number, work: number): number => {
  let end = start + work;
  for (const pause of pauses)
    if (pause.start < end && pause.end > start) end += pause.end - Math.max(pause.start, start);
  return end;
};

/**
 * Clients that send their next requests after a pause of their own; and how long the pauses of the server kept them.
 */
const drawn = ({ seed, clients, endpoints, noise = 0.3, minutes = 2, pauses = [], batch = 1, ...more }: Plan) => {
  const random = seeded(seed);
  const scene = new Scene();
  const usual = times(endpoints).map(() => 8 + random() * 40);
  const { weir, answered = (start, work) => afterPauses(pauses, start, work) } = more;
  const next = times(clients).map(() => random() * 300);
  let cost = 0;
  for (;;) {
    const client = next.indexOf(Math.min(...next));
    const at = next[client] ?? 0;
    if (at > minutes * 60_000) return { scene, cost };
    const sent = times(batch).map((index) => {
      const start = at + index * random();
      const endpoint = Math.floor(random() * endpoints);
      const work = lognormal(random, usual[endpoint] ?? 20, noise);
      const end = answered(start, work, random, endpoint);
      scene.ask({
        at: start,
        server: end - start,
        target: `/part${endpoint}`,
        client: `10.0.0.${client + 1} app/1`,
        ...(weir === undefined ? {} : { weir }),
      });
      return { end, without: start + work };
    });
    const end = Math.max(...sent.map((one) => one.end));
    cost += end - Math.max(...sent.map(({ without }) => without));
    next[client] = end + 5 + random() * 120;
  }
};

const pausesFrom = (
  random: () => number,
  every: number,
  length: number,
  isSteady: boolean,
  minutes = 2,
): readonly Pause[] => {
  const pauses: Pause[] = [];
  for (let start = 3_000 * random(); start < minutes * 60_000; start += every * (isSteady ? 1 : 0.4 + 1.6 * random()))
    pauses.push({ start, end: start + length * (0.9 + 0.2 * random()) });
  return pauses;
};

const pausesIn = (scene: Scene) =>
  serverPauses({ traffic: scene.traffic(), found: [], options: { source: "scene", baseline: new Map() } });

describe("server-pauses", (test) => {
  test("given a server that stands still, its pauses are named once, with their length and cost", () => {
    const ratios: number[] = [];
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.integer({ min: 1, max: 1e6 }),
          clients: fc.integer({ min: 3, max: 10 }),
          endpoints: fc.integer({ min: 2, max: 8 }),
          every: fc.integer({ min: 2_000, max: IS_QUICK ? 6_000 : 12_000 }),
          length: fc.integer({ min: 250, max: 900 }),
          isSteady: fc.boolean(),
        }),
        ({ seed, clients, endpoints, every, length, isSteady }) => {
          // About twenty pauses or more. With few clients, chance explains fewer.
          const minutes = every / 3_000;
          const pauses = pausesFrom(seeded(seed + 1), every, length, isSteady, minutes);
          const { scene, cost } = drawn({ seed, clients, endpoints, minutes, pauses });
          const { findings } = scene.report();
          const finding = findings.find(({ kind }) => kind === "server-pauses");
          assert.is(finding?.origin, "https://api.test");
          const others = ["slow-when", "slow-server", "one-at-a-time", "server-pauses"];
          assert.is(findings.filter(({ kind }) => others.includes(kind)).length, 1);
          const told = Number(/for about ([\d,]+) ms/.exec(finding?.summary ?? "")?.[1]?.replace(",", ""));
          assert.ok(Math.abs(told / length - 1) < 0.3, `${told} ${length}`);
          // Where slow requests of few clients end together by chance, a pause too many is counted.
          const count = finding?.count ?? 0;
          assert.ok(count >= 0.6 * pauses.length && count <= 1.1 * pauses.length, `${count} of ${pauses.length}`);
          ratios.push((finding?.time ?? 0) / cost);
          assert.ok((finding?.time ?? 0) < 1.3 * cost, `${finding?.time} ${cost}`);
        },
      ),
      { numRuns: rounds(10) },
    );
    const close = ratios.filter((ratio) => Math.abs(ratio - 1) < 0.3).length;
    assert.ok(close >= 0.8 * ratios.length, ratios.map((ratio) => ratio.toFixed(2)).join(" "));
  });

  test("given pauses at a steady period, the period is named", () => {
    for (const seed of times(rounds(3))) {
      const pauses = pausesFrom(seeded(seed), 4_000, 500, true);
      const { scene } = drawn({ seed, clients: 6, endpoints: 4, pauses });
      assert.match(pausesIn(scene)[0]?.summary ?? "", / ms, about every (?:3\.9|4\.0|4\.1) s: /);
    }
  });

  test("given concurrent traffic without pauses, however noisy, nothing is said", () => {
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.integer({ min: 1, max: 1e6 }),
          clients: fc.integer({ min: 1, max: 30 }),
          endpoints: fc.integer({ min: 1, max: 10 }),
          noise: fc.constantFrom(0.1, 0.3, 0.6, 1),
          batch: fc.constantFrom(1, 2, 6),
        }),
        (plan) => {
          const minutes = Math.min(1, 20 / (plan.clients * plan.batch));
          assert.equal(pausesIn(drawn({ ...plan, minutes }).scene), []);
        },
      ),
      { numRuns: rounds(20) },
    );
  });

  test("given a lock, a pool of workers, or slow modes of single requests, nothing is said of pauses", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom(1, 3, 8),
        fc.integer({ min: 2, max: 12 }),
        (seed, workers, batch, clients) => {
          const free = times(workers).map(() => 0);
          const queued = (start: number, work: number) => {
            free.sort((left, right) => left - right);
            free[0] = Math.max(free[0] ?? 0, start) + work + 60;
            return free[0];
          };
          const slow = (start: number, work: number, random: () => number) =>
            start + work + (random() < 0.2 ? lognormal(random, 400, 0.1) : 0);
          const fixed = (start: number, work: number, random: () => number) => start + (random() < 0.1 ? 900 : work);
          for (const answered of [queued, slow, fixed])
            assert.equal(
              pausesIn(
                drawn({ seed, clients, endpoints: 4, batch, minutes: Math.min(1, 20 / (clients * batch)), answered })
                  .scene,
              ),
              [],
            );
        },
      ),
      { numRuns: rounds(8) },
    );
  });

  test("given requests that wait for a long one of another endpoint, it is no pause of the server", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 3, max: 8 }), (seed, clients) => {
        const pauses = pausesFrom(seeded(seed), 6_000, 700, false);
        const { scene } = drawn({ seed, clients, endpoints: 4, pauses });
        for (const { start, end } of pauses)
          scene.ask({ at: start, server: end - start, method: "POST", target: "/import", client: "10.0.1.1 job/1" });
        assert.equal(pausesIn(scene), []);
      }),
      { numRuns: rounds(10) },
    );
  });

  test("given one client that reads nothing meanwhile, it is not the server's pause", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
        const random = seeded(seed);
        const scene = new Scene();
        for (let block = 1_000; block < 60_000; block += 3_000 + random() * 2_000)
          for (const index of times(5)) {
            const at = block - random() * 30;
            const origin = `https://${index % 2 === 0 ? "api" : "img"}.test`;
            scene.ask({ at, origin, target: `/part${index}`, server: block + 400 - at + random() * 3 });
            for (const quick of times(4))
              scene.ask({ at: block + 600 + quick * 90, origin, target: `/part${index}`, server: 20 + random() * 9 });
          }
        assert.equal(pausesIn(scene), []);
      }),
      { numRuns: rounds(20) },
    );
  });
});
