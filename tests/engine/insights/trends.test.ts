import * as assert from "uvu/assert";
import {
  BASELINE_SESSIONS,
  BaselineFigures,
  bandsOf,
  directionFrom,
  METRICS,
  MINIMUM_SESSIONS,
} from "../../../src/engine/insights/trends.ts";
import type { EndpointStats } from "../../../src/engine/messages/latency-messages.ts";
import { endpointOf } from "../../../src/engine/model/endpoint.ts";
import type { Trend, TrendMetric } from "../../../src/engine/model/findings.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import { describe } from "../../support/describe.ts";

describe("trends", (test) => {
  test("the seed's numbers: the most recent 10 completed sessions, at least 3 of an endpoint", () => {
    assert.equal([BASELINE_SESSIONS, MINIMUM_SESSIONS], [10, 3]);
  });

  test("trend data is omitted for an endpoint with fewer than 3 historical sessions", () => {
    assert.equal(trendsOf({}, [{}, {}]), []);
    assert.is(trendsOf({}, [{}, {}, {}]).length, 3);
    assert.equal(trendsOf({ path: "/other" }, [{}, {}, {}]), []);
  });

  test("is the endpoint's p95 rising or falling versus previous sessions", () => {
    const trend = trendOf("latency", { p95: 150 }, [{ p95: 500 }, { p95: 90 }, { p95: 100 }]);
    assert.equal(trend, {
      method: "GET",
      origin: "https://api.test",
      path: "/a",
      metric: "latency",
      direction: "up",
      baseline: 100,
      current: 150,
      change: 50,
      changePercent: 50,
      sessions: 3,
    });
    assert.is(trendOf("latency", { p95: 50 }, [{ p95: 90 }, { p95: 100 }, { p95: 500 }])?.direction, "down");
  });

  test("are errors more or less frequent, in percentage points", () => {
    const past = [{ errorRate: 1 }, { errorRate: 2 }, { errorRate: 3 }];
    assert.equal(pick(trendOf("errorRate", { errorRate: 5 }, past)), ["up", 3, 150]);
    assert.equal(pick(trendOf("errorRate", { errorRate: 0 }, past)), ["down", -2, -100]);
    assert.equal(pick(trendOf("errorRate", { errorRate: 5 }, [{}, {}, {}])), ["up", 5, null]);
  });

  test("are responses growing", () => {
    assert.equal(
      pick(trendOf("payload", { avgSize: 30_720 }, [{ avgSize: 20_480 }, { avgSize: 20_480 }, { avgSize: 20_480 }])),
      ["up", 10_240, 50],
    );
  });

  test("a change within the stable band is stable", () => {
    const table: readonly [TrendMetric, Partial<EndpointStats>, Partial<EndpointStats>, string][] = [
      ["latency", { p95: 1_000 }, { p95: 1_100 }, "stable"],
      ["latency", { p95: 1_000 }, { p95: 1_100.1 }, "up"],
      ["latency", { p95: 1_000 }, { p95: 899.9 }, "down"],
      ["latency", { p95: 20 }, { p95: 30 }, "stable"],
      ["latency", { p95: 20 }, { p95: 30.1 }, "up"],
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

  test("where a user wants no band the least change has a direction", () => {
    const none = { percent: 0, absolute: 0 };
    assert.equal(
      [20.5, 20, 19.5].map((now) => directionFrom(20, now, none)),
      ["up", "stable", "down"],
    );
  });

  test("each band is as it was set; of error rates no share counts", () => {
    const set = { stableLatencyPercent: 1, stableLatencyMs: 2, stableErrorPoints: 3 };
    assert.equal(bandsOf({ ...DEFAULT_SETTINGS, ...set, stablePayloadPercent: 4, stablePayloadBytes: 5 }), {
      latency: { percent: 1, absolute: 2 },
      errorRate: { percent: 0, absolute: 3 },
      payload: { percent: 4, absolute: 5 },
    });
  });

  test("the baseline is the median, of the latest 10 sessions only", () => {
    const old = Array.from({ length: 5 }, () => ({ p95: 9_000 }));
    const recent = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100].map((p95) => ({ p95 }));
    const trend = trendOf("latency", { p95: 200 }, [...old, ...recent]);
    assert.equal([trend?.baseline, trend?.sessions], [55, 10]);
  });

  test("sessions count per endpoint, of those 10; a session without latency samples counts for no latency", () => {
    const past = [{ p95: null }, { p95: 10 }, { p95: 10 }];
    assert.is(trendOf("latency", { p95: 10 }, past), undefined);
    assert.is(trendOf("errorRate", {}, past)?.sessions, 3);
    assert.is(trendOf("latency", { p95: null }, [{}, {}, {}]), undefined);
  });

  test("an endpoint that only fails has not become smaller", () => {
    const past = { avgSize: 20_480 };
    assert.is(trendOf("payload", { avgSize: null, errorRate: 100 }, [past, past, past]), undefined);
    assert.is(trendOf("payload", past, [past, past, { avgSize: null }]), undefined);
  });
});

function stats(change: Partial<EndpointStats>): EndpointStats {
  const { method = "GET", origin = "https://api.test", path = "/a" } = change;
  return {
    endpoint: endpointOf(method, origin, path),
    method,
    origin,
    path,
    requests: 5,
    errors: 0,
    samples: 5,
    p50: 1,
    p95: 1,
    p99: 1,
    avgSize: 0,
    avgDecodedSize: null,
    avgRequestSize: 0,
    errorRate: 0,
    protocols: ["http/1.1"],
    ...change,
  };
}

/** Of one endpoint, against what it was in each session; with the bands that a user has who has set none. */
function trendsOf(now: Partial<EndpointStats>, past: readonly Partial<EndpointStats>[]): readonly Trend[] {
  const baseline = new BaselineFigures(past.map((row) => ({ endpoints: [stats(row)] })));
  return METRICS.flatMap((metric) => baseline.trendOf(stats(now), metric, bandsOf(DEFAULT_SETTINGS)) ?? []);
}

function trendOf(
  metric: TrendMetric,
  now: Partial<EndpointStats>,
  past: readonly Partial<EndpointStats>[],
): Trend | undefined {
  return trendsOf(now, past).find((trend) => trend.metric === metric);
}

function pick(trend: Trend | undefined) {
  return [trend?.direction, trend?.change, trend?.changePercent];
}
