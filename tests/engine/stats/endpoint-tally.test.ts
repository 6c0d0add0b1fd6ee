import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { type Exchange, timedLatencyOf } from "../../../src/engine/model/exchange.ts";
import { PHASES } from "../../../src/engine/model/phases.ts";
import {
  EndpointTally,
  EndpointTimings,
  eachPhase,
  MINIMUM_REQUESTS,
} from "../../../src/engine/stats/endpoint-tally.ts";
import type { EndpointSamples } from "../../../src/engine/stats/percentile.ts";
import { anyExchanges, plainPercentile } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";

function tallyOf(exchanges: readonly Exchange[]): EndpointTally {
  const tally = new EndpointTally(exchange().endpoint);
  for (const one of exchanges) tally.record(one);
  return tally;
}

describe("endpoint tally", (test) => {
  test("given fewer than five requests, an endpoint has no figures, and from the fifth on it has", () => {
    assert.is(MINIMUM_REQUESTS, 5);
    const five = Array.from({ length: 5 }, (_, index) => exchange({ id: index + 1, end: 10 * index }));
    assert.is(tallyOf(five.slice(1)).figures(), null);
    assert.is(tallyOf(five).figures()?.p50, 20);
  });

  test("given event streams, counts them as requests but not as latencies", () => {
    const streams = Array.from({ length: 5 }, () => exchange({ end: 90_000, tags: ["event-stream"] }));
    const figures = tallyOf(streams).figures();
    assert.equal([figures?.requests, figures?.samples, figures?.p95], [5, 0, null]);
  });

  test("given any exchanges, the figures equal their plain definitions", () => {
    fc.assert(
      fc.property(anyExchanges(400), (all) => {
        const ended = all.filter(({ outcome }) => outcome !== null);
        const figures = tallyOf(ended).figures();
        if (ended.length < 5) return assert.is(figures, null);
        const responded = ended.filter(({ outcome }) => outcome?.kind === "responded");
        const latencies = responded.flatMap((one) => timedLatencyOf(one) ?? []);
        assert.is(figures?.samples, latencies.length);
        assert.is(figures?.p50, plainPercentile(latencies, 0.5));
        assert.is(figures?.p95, plainPercentile(latencies, 0.95));
        assert.is(figures?.p99, plainPercentile(latencies, 0.99));
        const sized = responded.filter(({ outcome }) => outcome?.status !== 304);
        const bytes = sized.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
        assert.is(figures?.avgSize, sized.length === 0 ? null : bytes / sized.length);
        const errors = ended.filter(({ outcome }) => outcome?.kind === "failed" || (outcome?.status ?? 0) >= 400);
        assert.is(figures?.errorRate, (errors.length / ended.length) * 100);
      }),
    );
  });

  test("given figures that were read before, recomputes figures and medians after each change", () => {
    const steps = fc.array(fc.constantFrom("begin", "end", "decode"), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(anyExchanges(40), steps, (all, taken) => {
        const told: ((tally: EndpointTally) => void)[] = all
          .slice(0, 5)
          .map((one) => (tally) => tally.begin(one.protocol));
        const asked = new EndpointTally(exchange().endpoint);
        const outcome = { kind: "responded", status: 200 } as const;
        for (const tell of told) tell(asked);
        for (const [index, step] of taken.entries()) {
          const one = all[index % all.length] ?? exchange();
          const tell = (tally: EndpointTally): void => {
            if (step === "begin") tally.begin(one.protocol);
            else if (step === "end" && one.outcome !== null) tally.exchangeEnded(one);
            else if (step === "decode")
              tally.recordDecoded({ ...one, outcome, contentEncoding: "gzip" }, 2 * one.encodedBodySize);
          };
          told.push(tell);
          tell(asked);
          const fresh = new EndpointTally(exchange().endpoint);
          for (const again of told) again(fresh);
          assert.equal(asked.figures(), fresh.figures());
          assert.equal(asked.medians(), fresh.medians());
        }
      }),
    );
  });

  test("given several content codings, keeps the latest one other than identity", () => {
    const codings = ["gzip", "br", "identity", null];
    assert.is(tallyOf(codings.map((contentEncoding) => exchange({ contentEncoding }))).contentEncoding, "br");
  });

  test("given any number of requests, finds those above a limit", () => {
    fc.assert(
      fc.property(anyExchanges(20), fc.nat(400), (all, limit) => {
        const ended = all.filter(({ outcome }) => outcome !== null);
        const found: number[] = [];
        tallyOf(ended).forEachAbove(limit, (_, id) => found.push(id));
        const expected = ended.filter((one) => (timedLatencyOf(one) ?? 0) > limit).map(({ id }) => id);
        assert.equal(
          found.toSorted((a, b) => a - b),
          expected,
        );
      }),
    );
  });

  test("given uncertain latencies, uses them in percentiles but not in samples for trends", () => {
    const sketch = fc.record({ end: fc.integer({ min: 1, max: 60 }), uncertainty: fc.constantFrom(0, 7, 19, 20, 45) });
    fc.assert(
      fc.property(fc.array(sketch, { minLength: 5, maxLength: 60 }), (sketches) => {
        const tally = tallyOf(sketches.map((one, index) => exchange({ id: index + 1, ...one })));
        const sure = sketches.filter(({ uncertainty }) => uncertainty < 20).map(({ end }) => end);
        assert.is(tally.figures()?.samples, sketches.length);
        assert.equal(
          Array.from(tally.samples().latencies?.values ?? []),
          sure.toSorted((one, other) => one - other),
        );
        assert.is(tally.samples().latencies?.count ?? 0, sure.length);
      }),
    );
  });

  test("given exchanges in several tallies, merging these equals one tally of all of them", () => {
    const sketch = fc.record({
      end: fc.integer({ min: 1, max: 60 }),
      uncertainty: fc.constantFrom(0, 19, 20, 45),
      encodedBodySize: fc.nat(1_000_000),
      part: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(sketch, { minLength: 1, maxLength: 400 }), (sketches) => {
        const all = sketches.map((one, index) => exchange({ id: index + 1, ...one }));
        const merged = new EndpointTally(exchange().endpoint);
        for (const part of [0, 1, 2, 3])
          merged.absorb(tallyOf(all.filter((_, index) => sketches[index]?.part === part)));
        const one = tallyOf(all);
        assert.equal(merged.figures(), one.figures());
        assert.equal(merged.medians(), one.medians());
        const valuesOf = ({ latencies, sizes }: EndpointSamples) => [
          latencies && { ...latencies, values: [...Array.from(latencies.values)] },
          sizes,
        ];
        assert.equal(valuesOf(merged.samples()), valuesOf(one.samples()));
      }),
    );
  });
});

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
  test("given phases that not every request has, a phase's median counts a missing phase as 0", () => {
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
