import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { acceptableIn, acceptedCostOf, growthIn } from "../../../src/engine/budget/accepted-growth.ts";
import type { Finding } from "../../../src/engine/model/finding.ts";
import { figuresOf } from "../../../src/engine/session/lists/figures.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { findingOf } from "../../support/found.ts";
import { recorded } from "../../support/recorded.ts";
import { rounds } from "../../support/rounds.ts";
import { times } from "../../support/scene.ts";
import { lognormal, seeded } from "../../support/seeded.ts";

const FINGERPRINT = "a".repeat(16);
const ENDPOINT = "b".repeat(16);

/** A run of 60 requests around a median with a log standard deviation of 0.25; `count` of them show the finding. */
function run(random: () => number, median: number, count: number, requests = 60) {
  const all = times(requests).map((index) =>
    exchange({ id: index + 1, target: "/n-plus-one", end: lognormal(random, median, 0.25) }),
  );
  const finding: Finding = { ...findingOf("n-plus-one", [1]), fingerprint: FINGERPRINT, count, time: count * median };
  const report = { findings: [finding], exchanges: requests };
  return acceptableIn(report, figuresOf(recorded(all)).endpoints, () => ENDPOINT);
}

type Run = ReturnType<typeof run>;

/** What is said of `now`, of an entry that was made of `accepted`. */
function grewSince(accepted: Run, now: Run, fingerprint = FINGERPRINT) {
  const cost = acceptedCostOf(accepted.get(fingerprint) ?? { cost: null, latencies: null });
  const entry = { fingerprint, reason: "Known.", cost };
  return growthIn(now, new Map(), new Set(), [entry])(entry);
}

describe("growth of accepted findings", (test) => {
  test("given 50 equal runs, at most one grew; given 50 that are slower by 1.5x or show it more often, all did", () => {
    const random = seeded(12);
    let wrong = 0;
    for (const _ of times(rounds(50))) {
      const accepted = run(random, 80, 20);
      if (grewSince(accepted, run(random, 80, 20)) !== null) wrong += 1;
      for (const grown of [run(random, 120, 20), run(random, 80, 50)]) {
        assert.match(grewSince(accepted, grown)?.from ?? "", "1.6 s in 60 requests");
        assert.match(grewSince(accepted, grown)?.to ?? "", /^(?:2\.4|4\.0) s in 60 requests$/);
      }
      assert.match(grewSince(accepted, run(random, 120, 20), ENDPOINT)?.from ?? "", /^a p50 of \d/);
    }
    assert.ok(wrong <= 1, `${wrong} of 50`);
  });

  test("given more requests with as many more occurrences, or a lower cost, does not say that it grew", () => {
    const random = seeded(13);
    const accepted = run(random, 80, 20);
    assert.is(grewSince(accepted, run(random, 80, 200, 600)), null);
    assert.is(grewSince(accepted, run(random, 40, 5)), null);
    assert.is(growthIn(new Map(), new Map(), new Set(), [])({ fingerprint: FINGERPRINT, reason: "Known." }), null);
  });

  test("given an entry without a cost, compares with the baseline", () => {
    const random = seeded(14);
    const [before, now] = [run(random, 80, 20), run(random, 80, 50)];
    const entry = { fingerprint: FINGERPRINT, reason: "Known." };
    const grew = (worse: readonly string[]) => growthIn(now, before, new Set(worse), [entry])(entry);
    assert.equal(grew([FINGERPRINT]), { from: "1.6 s in 60 requests", to: "4.0 s in 60 requests" });
    assert.is(grew([]), null);
  });

  test("given any cost that a file can hold, says something or nothing, without failing", () => {
    const random = seeded(15);
    const now = run(random, 80, 50);
    const amount = fc.double({ min: 0, max: 1e9, noNaN: true });
    const number = fc.integer({ min: 1, max: 9_999 });
    const cost = fc.record(
      { time: amount, bytes: amount, count: number, requests: number, p50: amount, latencies: number },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(cost, fc.constantFrom(FINGERPRINT, ENDPOINT), (drawn, fingerprint) => {
        const entry = { fingerprint, reason: "Known.", cost: drawn };
        const grew = growthIn(now, new Map(), new Set(), [entry])(entry);
        if (grew !== null) assert.not.match(JSON.stringify(grew), /NaN|undefined|null/);
      }),
    );
  });
});
