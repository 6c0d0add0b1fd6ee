import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { PHASES } from "../../../src/engine/model/phases.ts";
import { EndpointTimings, eachPhase } from "../../../src/engine/stats/endpoint-timings.ts";
import { describe } from "../../support/describe.ts";

/** docs/specification.md, Percentile, implemented directly. */
function plainMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(rank)] ?? 0) + (sorted[Math.ceil(rank)] ?? 0)) / 2;
}

const length = fc.option(fc.double({ min: 0, max: 5_000, noNaN: true }), { nil: null });
const timing = fc.record({
  latency: fc.nat(10_000),
  phases: fc.record({ dns: length, connect: length, tls: length, ttfb: length, transfer: length, weir: length }),
});

describe("endpoint timings", (test) => {
  test("a phase's median is over all samples, those without it counting 0", () => {
    fc.assert(
      fc.property(fc.array(timing, { maxLength: 40 }), (timings) => {
        const tally = new EndpointTimings();
        for (const [id, one] of timings.entries()) tally.record({ id, ...one });
        const expected = eachPhase((phase) => {
          const lengths = timings.map(({ phases }) => phases[phase]);
          return lengths.every((one) => one === null) ? null : plainMedian(lengths.map((one) => one ?? 0));
        });
        const medians = tally.medians();
        for (const phase of PHASES) {
          const [actual, wanted] = [medians[phase], expected[phase]];
          const close = actual !== null && wanted !== null && Math.abs(actual - wanted) <= 1e-9 * Math.max(1, wanted);
          assert.ok(actual === wanted || close, `${phase}: ${actual} for ${wanted}`);
        }
      }),
    );
  });
});
