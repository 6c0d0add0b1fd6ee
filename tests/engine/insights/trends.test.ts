import * as assert from "uvu/assert";
import {
  BASELINE_SESSIONS,
  BaselineFigures,
  bandsOf,
  METRICS,
  MINIMUM_SESSIONS,
  type SampledStats,
} from "../../../src/engine/insights/trends.ts";
import { endpointOf } from "../../../src/engine/model/endpoint.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import type { Trend, TrendMetric } from "../../../src/engine/model/trend.ts";
import { describe } from "../../support/describe.ts";

describe("trends", (test) => {
  test("given the required constants, compares with 10 completed sessions and needs at least 3", () => {
    assert.equal([BASELINE_SESSIONS, MINIMUM_SESSIONS], [10, 3]);
  });

  test("given an endpoint in fewer than 3 earlier sessions, returns no trend", () => {
    assert.equal(trendsOf({}, [{}, {}]), []);
    assert.is(trendsOf({}, [{}, {}, {}]).length, 3);
    assert.equal(trendsOf({ path: "/other" }, [{}, {}, {}]), []);
  });

  test("given earlier p95 values, tells whether the endpoint's p95 rises, falls or is stable", () => {
    const trend = trendOf("latency", { p95: 150 }, [{ p95: 110 }, { p95: 90 }, { p95: 100 }]);
    const change = { direction: "up", baseline: 100, current: 150, change: 50, changePercent: 50, note: null } as const;
    assert.equal(trend, {
      method: "GET",
      origin: "https://api.test",
      path: "/a",
      operation: null,
      metric: "latency",
      ...change,
      n: MANY,
      percentiles: { p50: change, p95: change },
      sessions: 3,
    });
    assert.is(trendOf("latency", { p95: 50 }, [{ p95: 90 }, { p95: 100 }, { p95: 500 }])?.direction, "down");
    assert.is(trendOf("latency", { p95: 150 }, [{ p95: 500 }, { p95: 90 }, { p95: 100 }])?.direction, "stable");
  });

  test("given a change of p50 alone, the trend is that of p50 and its note says so", () => {
    const past = [1, 2, 3].map(() => ({ p50: 100, p95: 400 }));
    const { direction, change, note } = trendOf("latency", { p50: 140, p95: 400 }, past) ?? {};
    assert.equal([direction, change, note], ["up", 0, "by p50: 100 → 140 ms"]);
  });

  test("given five values that spread too far, the note says how many requests are needed", () => {
    const spread = { latencies: { count: 5, values: [10, 40, 100, 250, 600], p50: 100, p95: 530 }, sizes: null };
    const past = [1, 2, 3].map(() => ({ sampled: spread }));
    const { direction, note, n } = trendOf("latency", { sampled: spread }, past) ?? {};
    assert.equal([direction, n], ["stable", 5]);
    assert.match(note ?? "", /^can't tell: n = 5, about \d+ needed$/);
  });

  test("given earlier error rates, returns the change in percentage points", () => {
    const past = [{ errorRate: 1 }, { errorRate: 2 }, { errorRate: 3 }];
    assert.equal(pick(trendOf("errorRate", { errorRate: 5 }, past)), ["up", 3, 150]);
    assert.equal(pick(trendOf("errorRate", { errorRate: 0 }, past)), ["down", -2, -100]);
    assert.equal(pick(trendOf("errorRate", { errorRate: 5 }, [...past, { errorRate: 8 }])), ["stable", 2.5, 100]);
    assert.equal(pick(trendOf("errorRate", { errorRate: 5 }, [{}, {}, {}])), ["up", 5, null]);
  });

  test("given earlier mean sizes, reports that responses grow", () => {
    assert.equal(
      pick(trendOf("payload", { avgSize: 30_720 }, [{ avgSize: 20_480 }, { avgSize: 20_480 }, { avgSize: 20_480 }])),
      ["up", 10_240, 50],
    );
  });

  test("given a change within the stable band, the trend is stable, and beyond the band it is not", () => {
    const table: readonly [TrendMetric, Partial<SampledStats>, Partial<SampledStats>, string][] = [
      ["latency", { p95: 1_000 }, { p95: 1_100 }, "stable"],
      ["latency", { p95: 1_000 }, { p95: 1_100.1 }, "up"],
      ["latency", { p95: 1_000 }, { p95: 899.9 }, "down"],
      ["latency", { p95: 60 }, { p95: 70 }, "stable"],
      ["latency", { p95: 60 }, { p95: 70.1 }, "up"],
      ["latency", { p95: 25 }, { p95: 30 }, "stable"],
      ["latency", { p95: 25 }, { p95: 30.1 }, "up"],
      ["payload", { avgSize: 100_000 }, { avgSize: 105_000 }, "stable"],
      ["payload", { avgSize: 100_000 }, { avgSize: 105_001 }, "up"],
      ["payload", { avgSize: 1_000 }, { avgSize: 2_024 }, "stable"],
      ["payload", { avgSize: 1_025 }, { avgSize: 0 }, "down"],
      ["errorRate", { errorRate: 10 }, { errorRate: 11 }, "stable"],
      ["errorRate", { errorRate: 10 }, { errorRate: 11.1 }, "up"],
      ["errorRate", { errorRate: 10 }, { errorRate: 8.9 }, "down"],
    ];
    for (const [metric, past, now, direction] of table)
      assert.is(trendOf(metric, now, [past, past, past])?.direction, direction, JSON.stringify([metric, past, now]));
  });

  test("given the settings of the stable bands, returns them, and no percentage for error rates", () => {
    const set = { stableLatencyPercent: 1, stableLatencyMs: 2, stableErrorPoints: 3 };
    assert.equal(bandsOf({ ...DEFAULT_SETTINGS, ...set, stablePayloadPercent: 4, stablePayloadBytes: 5 }), {
      latency: { percent: 1, absolute: 2, atMost: 20 },
      errorRate: { percent: 0, absolute: 3 },
      payload: { percent: 4, absolute: 5 },
    });
  });

  test("given more than 10 earlier sessions, the baseline is the median of the latest 10", () => {
    const old = Array.from({ length: 5 }, () => ({ p95: 9_000 }));
    const recent = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100].map((p95) => ({ p95 }));
    const trend = trendOf("latency", { p95: 200 }, [...old, ...recent]);
    assert.equal([trend?.baseline, trend?.sessions], [55, 10]);
  });

  test("given sessions without latency samples, does not count them for the latency trend", () => {
    const past = [{ p95: null }, { p95: 10 }, { p95: 10 }];
    assert.is(trendOf("latency", { p95: 10 }, past), undefined);
    assert.is(trendOf("errorRate", {}, past)?.sessions, 3);
    assert.is(trendOf("latency", { p95: null }, [{}, {}, {}]), undefined);
  });

  test("given an endpoint with only failures, returns no size trend", () => {
    const past = { avgSize: 20_480 };
    assert.is(trendOf("payload", { avgSize: null, errorRate: 100 }, [past, past, past]), undefined);
    assert.is(trendOf("payload", past, [past, past, { avgSize: null }]), undefined);
  });
});

/** Requests per session: enough that any change beyond the band is significant. */
const MANY = 20_000;

/** A row whose values are equal unless given. */
function stats(change: Partial<SampledStats>): SampledStats {
  const { method = "GET", origin = "https://api.test", path = "/a", p95 = 1, errorRate = 0, avgSize = 0 } = change;
  const { p50 = p95 } = change;
  const latencies = p50 === null || p95 === null ? null : { count: MANY, values: [p50, p50, p50, p95], p50, p95 };
  const sizes = avgSize === null ? null : { count: MANY, values: [avgSize], mean: avgSize };
  return {
    endpoint: endpointOf(method, origin, path),
    method,
    origin,
    path,
    operation: null,
    requests: MANY,
    errors: Math.round((errorRate / 100) * MANY),
    samples: MANY,
    p50,
    p95,
    p99: 1,
    avgSize,
    avgDecodedSize: null,
    avgRequestSize: 0,
    errorRate,
    protocols: ["http/1.1"],
    sampled: { latencies, sizes },
    ...change,
  };
}

/** The trends of one endpoint against its earlier sessions, with the default bands. */
function trendsOf(now: Partial<SampledStats>, past: readonly Partial<SampledStats>[]): readonly Trend[] {
  const baseline = new BaselineFigures(past.map((row) => ({ endpoints: [stats(row)] })));
  return METRICS.flatMap((metric) => baseline.trendOf(stats(now), metric, bandsOf(DEFAULT_SETTINGS)) ?? []);
}

function trendOf(
  metric: TrendMetric,
  now: Partial<SampledStats>,
  past: readonly Partial<SampledStats>[],
): Trend | undefined {
  return trendsOf(now, past).find((trend) => trend.metric === metric);
}

function pick(trend: Trend | undefined) {
  return [trend?.direction, trend?.change, trend?.changePercent];
}
