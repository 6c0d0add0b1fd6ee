import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";
import { Scene, times } from "../../../../support/scene.ts";
import { lognormal, seeded } from "../../../../support/seeded.ts";

interface Plan {
  /** How long the first request of each connection takes to connect; `null` if all connections are reused. */
  readonly roundTrip?: number | null;
  readonly bursts: number;
  readonly size: number;
  /** The time after the start of the burst at which each request is answered. */
  readonly ends: (random: () => number) => readonly number[];
  readonly target?: (index: number) => string;
}

const drawn = (
  { bursts, size, ends, target = (index) => `/render?n=${index}`, roundTrip = null }: Plan,
  seed: number,
) => {
  const random = seeded(seed);
  const scene = new Scene();
  for (const burst of times(bursts)) {
    const answers = [...ends(random)].sort(() => random() - 0.5);
    for (const index of times(size)) {
      const late = random() * 4;
      scene.ask({
        at: burst * 20_000 + late,
        target: target(burst * size + index),
        server: Math.max(1, (answers[index] ?? 0) - late),
        clientConnection: index,
        connection: index,
        ...(roundTrip !== null && burst === 0 ? { connect: roundTrip } : {}),
      });
    }
  }
  return scene;
};

/** The ends of requests that `pool` workers answer in turn. */
const queued = (size: number, pool: number, service: (random: () => number) => number) => (random: () => number) => {
  const free = new Array<number>(pool).fill(0);
  return times(size).map(() => {
    free.sort((left, right) => left - right);
    free[0] = (free[0] ?? 0) + service(random);
    return free[0];
  });
};

describe("one-at-a-time", (test) => {
  test("given parts that are numbered by their place in the queue, the number is no second cause", () => {
    for (const seed of times(rounds(10))) {
      const random = seeded(seed + 1);
      const scene = new Scene();
      for (const burst of times(6)) {
        let answered = 0;
        for (const part of times(6)) {
          answered += lognormal(random, 80, 0.06);
          const asked = { method: "POST", target: "/render", sent: `{"burst":${burst},"part":${part}}` };
          const request = { "content-type": "application/json" };
          scene.ask({ ...asked, request, at: burst * 20_000 + part, server: answered - part, clientConnection: part });
        }
      }
      assert.equal(scene.kinds(), ["one-at-a-time"]);
    }
  });

  test("given a lock, the time of each and that of the burst are named, in place of a slow server", () => {
    for (const seed of times(rounds(10))) {
      const finding = drawn(
        { bursts: 5, size: 6, ends: queued(6, 1, (random) => lognormal(random, 80, 0.06)) },
        seed + 1,
      ).only();
      assert.equal([finding.kind, finding.count, finding.endpoint?.path], ["one-at-a-time", 30, "/render"]);
      assert.match(
        finding.summary,
        /^GET \/render is answered one at a time, (?:7\d|8\d) ms each: 6 requests at once take 4\d\d ms\.$/,
      );
      assert.ok((finding.time ?? 0) > 5 * 330 && (finding.time ?? 0) < 5 * 470, String(finding.time));
    }
  });

  test("given a pool of workers, their number is named", () => {
    for (const pool of [2, 3, 4])
      for (const seed of times(5)) {
        const ends = queued(pool * 4, pool, (random) => lognormal(random, 150, 0.04));
        const finding = drawn({ bursts: 4, size: pool * 4, ends }, seed + 1)
          .report()
          .findings.find(({ kind }) => kind === "one-at-a-time");
        assert.match(finding?.summary ?? "", new RegExp(` is answered ${pool} at a time`));
      }
  });

  test("given one worker behind many endpoints, the origin is named", () => {
    const target = (index: number) => `/asset${index}`;
    const finding = drawn(
      { bursts: 2, size: 9, ends: queued(9, 1, (random) => lognormal(random, 60, 0.05)), target },
      3,
    )
      .report()
      .findings.find(({ kind }) => kind === "one-at-a-time");
    assert.equal([finding?.endpoint, finding?.origin], [null, "https://api.test"]);
  });

  test("given times that vary widely around a growing load, no large pool is named", () => {
    for (const seed of times(rounds(100))) {
      const ends = (random: () => number) => times(24).map((index) => lognormal(random, 69 + index * 34, 0.3));
      assert.not.ok(
        drawn({ bursts: 1, size: 24, ends }, seed + 1)
          .kinds()
          .includes("one-at-a-time"),
        String(seed),
      );
    }
  });

  test("given a lock far away, the round trip is no part of the time of each", () => {
    for (const seed of times(rounds(10))) {
      const trip = 90 + 10 * seed;
      const service = queued(6, 1, (random) => lognormal(random, 40, 0.06));
      const ends = (random: () => number) => service(random).map((end) => end + trip);
      const findings = drawn({ bursts: 5, size: 6, ends, roundTrip: trip }, seed + 1).report().findings;
      assert.match(
        findings.map(({ summary }) => summary).join(),
        /^GET \/render is answered one at a time, (?:3|4)\d ms each/,
      );
    }
  });

  test("given a time that grows with the requests in flight, and longer alone, nothing is said of a queue", () => {
    for (const seed of times(rounds(20))) {
      const [alone, each] = [1.8 + (seed % 5) * 0.4, 20 + seed * 2];
      const size = 6 + (seed % 8);
      const ends = (random: () => number) =>
        times(size).map((index) => lognormal(random, (alone + index) * each, 0.005));
      assert.not.ok(
        drawn({ bursts: 6, size, ends }, seed + 1)
          .kinds()
          .includes("one-at-a-time"),
        String(seed),
      );
    }
  });

  test("given requests at once that do not wait for each other, nothing is said of a queue", () => {
    const independent = (size: number, sigma: number) => (random: () => number) =>
      times(size).map(() => lognormal(random, 260, sigma));
    for (const seed of times(rounds(40)))
      for (const [size, sigma] of [
        [4, 0.5],
        [6, 0.3],
        [10, 0.6],
        [16, 0.8],
      ] as const)
        assert.not.ok(
          drawn({ bursts: 6, size, ends: independent(size, sigma) }, seed + 100)
            .kinds()
            .includes("one-at-a-time"),
          `${seed} ${size}`,
        );
  });

  test("given requests sent in even steps to a steady server, nothing is said of a queue", () => {
    const scene = new Scene();
    for (const burst of times(6))
      for (const index of times(6))
        scene.ask({ at: burst * 20_000 + index * 80, target: `/a?n=${burst * 6 + index}`, server: 480 });
    assert.not.ok(scene.kinds().includes("one-at-a-time"));
  });

  test(
    "given 4,000 overlapping requests in even steps, nothing is said of a queue",
    () => {
      const scene = new Scene();
      for (const index of times(4_000)) scene.ask({ at: index, target: `/a?n=${index}`, server: 30_000 });
      assert.not.ok(scene.kinds().includes("one-at-a-time"));
    },
    { isLong: true },
  );
});
