import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { LEAST_BLOCKS, verdictOf } from "../../../../src/engine/insights/experiment/verdict.ts";
import {
  DEFAULT_LEVELS,
  type Dependence,
  type ExperimentUnit,
  type ExperimentVerdict,
} from "../../../../src/engine/model/experiment.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";
import { seeded } from "../../../support/seeded.ts";
import { noise, SERVICES, type SimulatedService, simulatedUnits } from "../../../support/simulated-experiments.ts";

const PLAN = { levels: DEFAULT_LEVELS, units: 30 };

/**
 * How many experiments a service is simulated with; WEIR_EXPERIMENTS=1000 prints the figures of docs/measurements.md.
 */
const RUNS = Number(process.env["WEIR_EXPERIMENTS"] ?? 8);

/** Runs an experiment as Weir does: judged after each load, until there is a verdict. */
function experiment(units: readonly ExperimentUnit[], plan = PLAN): ExperimentVerdict {
  for (let count = 1; count < units.length; count += 1) {
    const early = verdictOf(units.slice(0, count), plan, false);
    if (early !== null) return early;
  }
  const last = verdictOf(units, plan, true);
  assert.ok(last !== null);
  return last;
}

interface Outcomes {
  readonly kinds: Readonly<Record<Dependence, number>>;
  /** In how many the interval held the true slope. */
  readonly covered: number;
  readonly units: number;
}

function outcomesOf(service: SimulatedService, seed: number): Outcomes {
  const random = seeded(seed);
  const kinds = { "on-path": 0, "not-on-path": 0, partly: 0, unknown: 0 };
  let [covered, units] = [0, 0];
  for (let run = 0; run < RUNS; run += 1) {
    const verdict = experiment(simulatedUnits(service.duration, 10, random));
    kinds[verdict.kind] += 1;
    units += verdict.units;
    const { low, high } = verdict.estimate ?? { low: 0, high: 0 };
    if (low <= service.slope && service.slope <= high) covered += 1;
  }
  if (RUNS >= 1_000)
    process.stdout.write(
      `${service.name}: slope ${service.slope.toFixed(2)}, ${JSON.stringify(kinds)}, covered ${covered} of ${RUNS}, ${(units / RUNS).toFixed(1)} loads\n`,
    );
  return { kinds, covered, units };
}

describe("experiment verdict", (test) => {
  for (const [index, service] of SERVICES.entries())
    test(
      `given 30 loads at most (${service.name}), the verdict is hardly ever false`,
      () => {
        const { kinds, covered } = outcomesOf(service, 500 + index);
        // Of 8 runs with a chance of 2 % each, three are wrong once in 2,500 times.
        const wrong = RUNS >= 1_000 ? 0.02 * RUNS : Math.floor(RUNS / 4);
        if (service.slope < 0.7) assert.ok(kinds["on-path"] <= wrong, JSON.stringify(kinds));
        if (service.slope > 0.3) assert.ok(kinds["not-on-path"] <= wrong, JSON.stringify(kinds));
        assert.ok(covered >= (RUNS >= 1_000 ? 0.925 : 0.6) * RUNS, `${covered} of ${RUNS}`);
        if (service.name === "needed, noise 50 ms") assert.ok(kinds["on-path"] >= (RUNS >= 1_000 ? 0.95 : 0.7) * RUNS);
      },
      { isLong: true },
    );

  test("given little noise, it ends after the fewest blocks, in either direction and between", () => {
    const random = seeded(9);
    for (let run = 0; run < 5; run += 1)
      for (const [slope, kind] of [
        [1, "on-path"],
        [0, "not-on-path"],
        [0.5, "partly"],
      ] as const) {
        const units = simulatedUnits((level, drawn) => 900 + slope * level + noise(drawn, 5), 10, random);
        const found = experiment(units);
        assert.is(found.kind, kind);
        assert.is(found.units, LEAST_BLOCKS * 3);
        assert.is(found.needed, null);
      }
  });

  test("given any durations, the verdict is what its interval allows", () => {
    const durations = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 24, maxLength: 24 });
    fc.assert(
      fc.property(durations, fc.integer({ min: 0, max: 100 }), fc.constantFrom(0, 0.5, 1, 2), (drawn, share, slope) => {
        const units = drawn.map((duration, index): ExperimentUnit => {
          const level = DEFAULT_LEVELS[index % 3] ?? 0;
          const block = Math.floor(index / 3);
          return { block, level, leftOut: null, duration: slope * level + (duration * share) / 100, starts: new Map() };
        });
        const found = verdictOf(units, PLAN, true);
        assert.ok(found !== null && found.estimate !== null);
        const { low, slope: middle, high } = found.estimate;
        assert.ok(low <= middle && middle <= high && Number.isFinite(high - low));
        const tolerance = 0.05 * (high - low) + 1e-9;
        if (found.kind === "on-path") assert.ok(low > 0.7 - tolerance, `${low}`);
        if (found.kind === "not-on-path") assert.ok(high < 0.3 + tolerance, `${high}`);
        if (found.kind === "partly") assert.ok(high - low <= 0.3 && low < 0.7 + tolerance && high > 0.3 - tolerance);
        if (found.kind !== "unknown") assert.is(found.needed, null);
        else
          assert.ok(found.needed !== null && found.needed > found.units && found.needed % 3 === 0, `${found.needed}`);
      }),
      { numRuns: rounds(12) },
    );
  });

  test("given fewer blocks than the least, the end is no verdict, and the least number is needed", () => {
    const random = seeded(10);
    for (let blocks = 0; blocks < LEAST_BLOCKS; blocks += 1) {
      const units = simulatedUnits((level, drawn) => 900 + level + noise(drawn, 5), blocks, random);
      const found = verdictOf(units, PLAN, true);
      assert.is(found?.kind, "unknown");
      assert.is(found?.units, 3 * blocks);
      assert.is(found?.needed, 3 * LEAST_BLOCKS);
      assert.is(found?.estimate === null, blocks < 3);
    }
  });

  test(
    "given too few loads to tell, the number needed leads to a verdict in most experiments",
    () => {
      const random = seeded(11);
      for (const duration of [
        (level: number, drawn: () => number) => 900 + level + noise(drawn, 100),
        (level: number, drawn: () => number) => 900 + (drawn() < 0.5 ? level : 0) + noise(drawn, 10),
      ]) {
        let [told, tried] = [0, 0];
        while (tried < rounds(10)) {
          const few = experiment(simulatedUnits(duration, 10, random));
          if (few.kind !== "unknown") continue;
          tried += 1;
          assert.ok(few.needed !== null && few.needed > few.units);
          const plan = { levels: DEFAULT_LEVELS, units: few.needed };
          if (experiment(simulatedUnits(duration, few.needed / 3, random), plan).kind !== "unknown") told += 1;
        }
        assert.ok(told >= 0.4 * tried, `${told} of ${tried}`);
      }
    },
    { isLong: true },
  );

  test("given units that are left out, they are counted by reason and change no figure", () => {
    const reasons = ["failed", "reloaded", "other-traffic"] as const;
    const leftOut = fc.array(fc.constantFrom(...reasons), { maxLength: 12 });
    fc.assert(
      fc.property(leftOut, fc.integer(), fc.nat(2), (reasonsDrawn, seed, more) => {
        const units = simulatedUnits((level, drawn) => 900 + level + noise(drawn, 30), 8, seeded(seed));
        const counted = units.slice(0, 21 + more);
        const left = reasonsDrawn.map(
          (reason, index): ExperimentUnit => ({
            block: index % 8,
            level: 100,
            leftOut: reason,
            duration: 60_000,
            starts: new Map(),
          }),
        );
        const found = verdictOf([...left, ...counted], PLAN, true);
        assert.equal({ ...found, leftOut: null }, { ...verdictOf(units.slice(0, 21), PLAN, true), leftOut: null });
        for (const reason of reasons)
          assert.is(found?.leftOut[reason], reasonsDrawn.filter((one) => one === reason).length);
        assert.is(found?.leftOut.unfinished, more);
      }),
      { numRuns: rounds(10) },
    );
  });

  test("given loads behind slack, the shift at each level shows from which delay on it costs", () => {
    const units = simulatedUnits((level) => Math.max(500 + level, 700), 7, seeded(2));
    const found = verdictOf(units, PLAN, true);
    assert.equal(found?.shifts, [
      { level: 0, shift: 0 },
      { level: 100, shift: 0 },
      { level: 300, shift: 100 },
    ]);
  });
});
