import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import { InsightEvaluator } from "../../../../src/engine/session/evaluation/insight-evaluator.ts";
import { EndpointDetails } from "../../../../src/engine/session/queries/endpoint-detail.ts";
import { plainPercentile } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";

const { endpoint } = exchange();

describe("endpoint detail", (test) => {
  test("given an endpoint with too few requests or none, returns no detail", () => {
    const session = recorded([exchange()]);
    const evaluator = new InsightEvaluator(session, DEFAULT_SETTINGS);
    assert.is(new EndpointDetails().of(session, endpoint, evaluator), null);
    assert.is(new EndpointDetails().of(session, exchange({ target: "/none" }).endpoint, evaluator), null);
  });

  test("given any requests, the series has exact percentiles of at most 40 slices", () => {
    const points = fc.array(fc.tuple(fc.nat(9_000), fc.nat(500)), { minLength: 5, maxLength: 200 });
    fc.assert(
      fc.property(points, (all) => {
        let start = 0;
        const exchanges = all.map(([gap, latency], index) => {
          start += gap;
          return exchange({ id: index + 1, start, end: start + latency });
        });
        const session = recorded(exchanges);
        const detail = new EndpointDetails().of(session, endpoint, new InsightEvaluator(session, DEFAULT_SETTINGS));
        const series = detail?.series ?? [];
        assert.ok(series.length > 0 && series.length <= 40);
        assert.is(
          series.reduce((sum, { samples }) => sum + samples, 0),
          all.length,
        );
        let position = 0;
        for (const { at, p50, p95, samples } of series) {
          // A figure's time range contains the requests it is computed from, and no others.
          const starts = exchanges.map(({ instants }) => instants.startTime);
          const within = starts.filter((one) => one >= at && one < at + (detail?.sliceLength ?? 0));
          assert.equal(within, starts.slice(position, position + samples));
          const latencies = all.slice(position, position + samples).map(([, latency]) => latency);
          assert.is(p50, plainPercentile(latencies, 0.5));
          assert.is(p95, plainPercentile(latencies, 0.95));
          position += samples;
        }
      }),
    );
  });

  test("given the latest start first, the series still reaches to that start", () => {
    const exchanges = Array.from({ length: 10 }, (_, index) => exchange({ id: index + 1, start: 100_000 * index }));
    const [forward, backward] = [exchanges, exchanges.toReversed()].map((ordered) => {
      const session = recorded(ordered);
      return new EndpointDetails().of(session, endpoint, new InsightEvaluator(session, DEFAULT_SETTINGS))?.series;
    });
    assert.is(backward?.length, 10);
    assert.equal(backward, forward);
  });

  test("given exchanges, returns their mean latency and phases, connections, compression and slow count", () => {
    const made = [10, 20, 30, 40, 100].map((end, index) =>
      exchange({
        id: index + 1,
        end,
        reused: index > 0,
        encodedBodySize: 100,
        contentEncoding: "br",
        contentType: "text/css",
        instants: { responseStart: end / 2, ...(index === 0 ? { domainLookupStart: 0, domainLookupEnd: 5 } : {}) },
      }),
    );
    const session = recorded(made);
    session.apply(made.map(({ id }) => ({ type: "body-decoded" as const, id, size: 300 })));
    const detail = new EndpointDetails().of(session, endpoint, new InsightEvaluator(session, DEFAULT_SETTINGS));
    assert.is(detail?.meanLatency, 40);
    assert.equal(detail?.meanPhases, { dns: 1, connect: null, tls: null, ttfb: 20, transfer: 20, weir: 0 });
    assert.equal([detail?.reused, detail?.connected, detail?.slow], [4, 1, 1]);
    assert.equal([detail?.compressionRatio, detail?.contentEncoding], [3, "br"]);
    const bars = detail?.histogram.filter(({ count }) => count > 0) ?? [];
    assert.equal(
      bars.map(
        ({ lo, hi, count }) => [10, 20, 30, 40, 100].filter((ms) => ms >= lo && ms < (hi ?? Infinity)).length - count,
      ),
      bars.map(() => 0),
    );
    assert.is(bars.length, 5, "each is told apart");
    const sums = detail?.histogram.map((_, bar) =>
      detail.series.reduce((sum, { counts }) => sum + (counts[bar] ?? 0), 0),
    );
    assert.equal(
      sums,
      detail?.histogram.map(({ count }) => count),
      "the slices hold what the histogram does",
    );
  });

  test("given few samples, the p95's bounds are the samples at binomial ranks", () => {
    const ends = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 5, maxLength: 120 });
    fc.assert(
      fc.property(ends, (lengths) => {
        const session = recorded(lengths.map((end, index) => exchange({ id: index + 1, end })));
        const detail = new EndpointDetails().of(session, endpoint, new InsightEvaluator(session, DEFAULT_SETTINGS));
        const { low, high } = detail?.p95Between ?? { low: Number.NaN, high: Number.NaN };
        const p95 = detail?.stats.p95 ?? Number.NaN;
        assert.ok(lengths.includes(low) && low <= p95, `${low} and ${p95}`);
        // With fewer than 72 samples, the chance that the p95 exceeds the largest is too high.
        assert.is(high === null, lengths.length < 72);
        assert.ok(high === null || (lengths.includes(high) && high >= p95));
        const ascending = lengths.toSorted((a, b) => a - b);
        // The rank of the smallest number of smaller samples whose chance is above 2.5 %, by the binomial distribution
        // itself.
        const chances = lengths.map((_, below) => chanceOf(below, lengths.length));
        const sums = chances.map((_, below) => chances.slice(0, below + 1).reduce((sum, chance) => sum + chance, 0));
        assert.is(low, ascending[sums.findLastIndex((sum) => sum <= 0.025)] ?? ascending[0]);
        const rank = sums.findIndex((sum) => sum >= 0.975);
        assert.is(high, rank < 0 ? null : ascending[rank]);
      }),
    );
  });
});

/** The chance that this many of `count` samples are below the 95th percentile. */
function chanceOf(below: number, count: number): number {
  let chance = 0.95 ** below * 0.05 ** (count - below);
  for (let each = 1; each <= below; each += 1) chance *= (count - below + each) / each;
  return chance;
}
