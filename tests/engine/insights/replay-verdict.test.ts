import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { type ReplayEvidence, replayVerdictOf } from "../../../src/engine/insights/replay-verdict.ts";
import type { ReplayVerdict } from "../../../src/engine/messages/replay-messages.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";
import { lognormal, seeded } from "../../support/seeded.ts";

const USUAL: ReplayEvidence = {
  latency: 900,
  isSlow: true,
  beside: 0,
  recorded: { alone: [], beside: [] },
  replays: [],
  otherwise: 0,
  uncertain: 0,
  atOnce: 1,
  before: null,
};

const verdict = (part: Partial<ReplayEvidence>): ReplayVerdict => replayVerdictOf({ ...USUAL, ...part });
const kindOf = (part: Partial<ReplayEvidence>): string => {
  const found = verdict(part);
  return found.kind === "unknown" ? found.doubt : found.kind;
};

/** Latencies around a median, with a usual spread. */
function around(random: () => number, median: number, count: number, sigma = 0.2): number[] {
  return Array.from({ length: count }, () => lognormal(random, median, sigma));
}

/** How often each verdict is given in `runs` simulated runs (fewer in the quick loop). */
function shares(runs: number, draw: (random: () => number) => Partial<ReplayEvidence>): Record<string, number> {
  const random = seeded(31);
  const found: Record<string, number> = {};
  const played = rounds(runs);
  for (let run = 0; run < played; run += 1) {
    const kind = kindOf(draw(random));
    found[kind] = (found[kind] ?? 0) + 1 / played;
  }
  return found;
}

const atLeast = (found: Record<string, number>, kind: string, share: number) =>
  assert.ok((found[kind] ?? 0) >= share, `${kind}: ${JSON.stringify(found)}`);
const atMost = (found: Record<string, number>, kind: string, share: number) =>
  assert.ok((found[kind] ?? 0) <= share, `${kind}: ${JSON.stringify(found)}`);

describe("replay verdict", (test) => {
  for (const count of [20, 100, 1_000]) {
    test(`given ${count} repeats as slow as the recorded request, it is always slow`, () => {
      atLeast(
        shares(300, (random) => ({ replays: around(random, 1_000, count) })),
        "always",
        0.95,
      );
    });

    test(`given ${count} fast repeats after a slow first one, it is slow only at first`, () => {
      const draw = (random: () => number) => ({
        replays: [...around(random, 1_000, 1, 0.1), ...around(random, 50, count - 1)],
      });
      atLeast(shares(300, draw), "at-first", 0.99);
    });

    test(`given ${count} fast repeats, it is not slow now`, () => {
      atLeast(
        shares(300, (random) => ({ replays: around(random, 50, count) })),
        "not-now",
        0.99,
      );
    });

    test(`given ${count} repeats in any order, a slow beginning is found in at most one of twenty`, () => {
      for (const share of [0.02, 0.05, 0.1]) {
        const draw = (random: () => number) => ({
          replays: Array.from({ length: count }, () => lognormal(random, random() < share ? 1_000 : 50, 0.1)),
        });
        atMost(shares(1_000, draw), "at-first", 0.06);
      }
    });

    test(`given ${count} repeats of which half are slow, it gives no verdict`, () => {
      const draw = (random: () => number) => ({
        replays: Array.from({ length: count }, () => lognormal(random, random() < 0.5 ? 1_000 : 50, 0.1)),
      });
      atLeast(shares(300, draw), "mixed", 0.99);
    });
  }

  test("given fast repeats one after another and slow ones at once, it is slow only beside others", () => {
    const draw = (random: () => number) => ({
      before: around(random, 50, 20),
      replays: around(random, 1_000, 20),
      atOnce: 10,
    });
    atLeast(shares(300, draw), "beside-others", 0.99);
    atLeast(
      shares(300, (random) => ({ ...draw(random), before: null })),
      "only-at-once",
      0.9,
    );
  });

  test("given slow repeats one after another and at once, it is always slow", () => {
    const draw = (random: () => number) => ({
      before: around(random, 1_000, 20),
      replays: around(random, 1_000, 20),
      atOnce: 10,
    });
    atLeast(shares(300, draw), "always", 0.9);
    atMost(shares(300, draw), "beside-others", 0);
  });

  test("given recorded requests that were slow only beside others, and fast repeats, it says so; else that it is not slow now", () => {
    const draw = (random: () => number) => ({
      beside: 3,
      replays: around(random, 50, 20),
      recorded: { alone: around(random, 50, 12), beside: around(random, 900, 12) },
    });
    atLeast(shares(300, draw), "beside-others", 0.99);
    const alike = (random: () => number) => ({
      ...draw(random),
      recorded: { alone: around(random, 900, 12), beside: around(random, 900, 12) },
    });
    atLeast(shares(300, alike), "not-now", 0.99);
    const few = (random: () => number) => ({
      ...draw(random),
      recorded: { alone: around(random, 50, 4), beside: around(random, 900, 12) },
    });
    atLeast(shares(300, few), "not-now", 0.99);
    const before = (random: () => number) => ({ ...draw(random), beside: 0 });
    atLeast(shares(300, before), "not-now", 0.99);
    const unknown = (random: () => number) => ({ ...draw(random), beside: null });
    atLeast(shares(300, unknown), "not-now", 0.99);
  });

  test("given what allows no verdict, it says why", () => {
    const slow = (count: number) => Array.from({ length: count }, () => 900);
    assert.is(kindOf({ latency: null, replays: slow(20) }), "no-latency");
    assert.is(kindOf({ latency: 20, replays: slow(20) }), "not-slow");
    assert.is(kindOf({ latency: 99, isSlow: false, replays: slow(20) }), "not-slow");
    assert.is(kindOf({ latency: 100, isSlow: false, replays: slow(20) }), "always");
    assert.is(kindOf({ replays: slow(18), otherwise: 2 }), "always");
    assert.is(kindOf({ replays: slow(17), otherwise: 3 }), "answered-otherwise");
    assert.is(kindOf({ replays: [], otherwise: 20 }), "answered-otherwise");
    assert.is(kindOf({ replays: slow(10) }), "too-few");
    assert.is(kindOf({ replays: slow(11) }), "always");
    assert.is(kindOf({ replays: [] }), "too-few");
    assert.is(kindOf({ replays: slow(20), uncertain: 3 }), "uncertain-times");
  });

  test("given any evidence, its counts are those of the repeats, and few repeats prove nothing", () => {
    const latencies = fc.array(fc.double({ min: 0, max: 10_000, noNaN: true }), { maxLength: 60 });
    fc.assert(
      fc.property(
        fc.record({
          latency: fc.option(fc.double({ min: 0, max: 10_000, noNaN: true })),
          isSlow: fc.boolean(),
          beside: fc.option(fc.nat(5)),
          recorded: fc.record({ alone: latencies, beside: latencies }),
          replays: latencies,
          otherwise: fc.nat(3),
          uncertain: fc.constant(0),
          atOnce: fc.integer({ min: 1, max: 100 }),
          before: fc.option(latencies),
        }),
        (evidence) => {
          const found = replayVerdictOf(evidence);
          if (found.kind !== "beside-others") assert.is(found.count, evidence.replays.length);
          if (evidence.replays.length < 11) assert.is(found.kind, "unknown");
          if (found.kind === "always") assert.ok(found.slow >= 0.9 * found.count);
          if (found.kind === "not-now") assert.ok(found.slow <= 0.1 * found.count);
          if (found.kind === "at-first") assert.ok(found.first <= found.count / 2);
        },
      ),
    );
  });
});
