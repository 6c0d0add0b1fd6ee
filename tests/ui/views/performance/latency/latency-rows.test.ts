import * as assert from "uvu/assert";
import type { LatencyRecord } from "../../../../../src/engine/messages/latency-messages.ts";
import type { EndpointTrend } from "../../../../../src/engine/messages/trend-messages.ts";
import { endpointOf } from "../../../../../src/engine/model/endpoint.ts";
import {
  collectingRowOf,
  latencyHeadersOf,
  latencyRowOf,
  noteOf,
} from "../../../../../src/ui/views/performance/latency/latency-rows.ts";
import { describe } from "../../../../support/describe.ts";

const PRODUCTS: LatencyRecord = {
  endpoint: endpointOf("GET", "https://api.shop.test", "/v1/products"),
  method: "GET",
  origin: "https://api.shop.test",
  path: "/v1/products",
  operation: null,
  requests: 112,
  errors: 0,
  samples: 112,
  p50: 87.2,
  p95: 312.4,
  p99: 1520,
  avgSize: 18_740,
  avgDecodedSize: 78_700,
  avgRequestSize: 0,
  errorRate: 0,
  protocols: ["http/1.1"],
  totalLatency: 13_289.4,
  trend: { kind: "omitted", sessions: 2 },
};

describe("latency table rows", (test) => {
  test("given an endpoint, returns frozen texts in the units of the headers", () => {
    const row = latencyRowOf(PRODUCTS, null);
    assert.equal(
      [
        row.method,
        row.path,
        row.host,
        row.requests,
        row.total,
        row.p50,
        row.p95,
        row.p99,
        row.size,
        row.sizeUnit,
        row.errorRate,
      ],
      ["GET", "/v1/products", "api.shop.test", "112", "13,289", "87", "312", "1,520", "18.3", "KB", "0 %"],
    );
    assert.ok(Object.isFrozen(row));
    assert.is(row.changes, false);
    assert.is(latencyRowOf({ ...PRODUCTS, method: "POST" }, null).changes, true);
  });

  test("given fewer than 100 samples, greys the p99 and explains it in the tooltip and in the note", () => {
    assert.is(latencyRowOf(PRODUCTS, null).unsure, false);
    const few = latencyRowOf({ ...PRODUCTS, samples: 99 }, null);
    assert.is(few.unsure, true);
    assert.is(few.samples, "From 99 latencies; p99 is greyed if it comes from fewer than 100 latencies");
    assert.is(noteOf(""), "p99 is greyed if it comes from fewer than 100 latencies");
    assert.is(
      noteOf("1 of 3 sessions"),
      "Trend: 1 of 3 sessions · p99 is greyed if it comes from fewer than 100 latencies",
    );
  });

  test("given no sample, shows dashes instead of latencies", () => {
    const row = latencyRowOf(
      { ...PRODUCTS, samples: 0, totalLatency: null, p50: null, p95: null, p99: null },
      { low: 0, high: 2 },
    );
    assert.equal([row.total, row.p50, row.p95, row.p99, row.spread, row.spreadText], ["–", "–", "–", "–", "", "–"]);
    // Event streams may have had complete responses.
    assert.is(row.samples, "Failures, event streams and WebSockets have no latency");
  });

  test("given an error rate, marks it from 5 % on and dims it without errors", () => {
    const rate = (errors: number, errorRate: number) => latencyRowOf({ ...PRODUCTS, errors, errorRate }, null);
    assert.equal([rate(0, 0).faultless, rate(0, 0).failing], [true, false]);
    assert.equal([rate(1, 4.9).faultless, rate(1, 4.9).failing], [false, false]);
    assert.equal([rate(6, 5).failing, rate(6, 5).errorTitle], [true, "6 of 112 requests"]);
  });

  test("given a known decoded size, names it in the tooltip beside the transferred and the request's size", () => {
    assert.is(
      latencyRowOf(PRODUCTS, null).sizeTitle,
      "Mean response body 18.3 KB as transferred, 76.9 KB decoded; mean request body 0 B",
    );
    assert.not.match(latencyRowOf({ ...PRODUCTS, avgDecodedSize: null }, null).sizeTitle, "decoded");
  });

  test("given no complete response, shows a dash instead of a size", () => {
    const { size, sizeUnit, sizeTitle } = latencyRowOf({ ...PRODUCTS, avgSize: null }, null);
    assert.equal([size, sizeUnit, sizeTitle], ["–", "", "No complete response yet; mean request body 0 B"]);
  });

  test("given a known trend, shows its direction, size and word", () => {
    const known = {
      kind: "known",
      of: "p95",
      note: null,
      direction: "up",
      baseline: 251,
      change: 61,
      changePercent: 24.3,
      sessions: 10,
    } as const;
    const risen = latencyRowOf({ ...PRODUCTS, trend: known }, null);
    assert.equal([risen.trendKind, risen.trendSize, risen.trendWord], ["is-rising", "24 %", "slower"]);
  });

  test("given percentiles, draws the range and describes it in words", () => {
    const row = latencyRowOf(PRODUCTS, { low: 1, high: 4 });
    assert.ok(row.spread.startsWith("M57.7 11"));
    assert.is(row.spreadText, "p50 87, p95 312, p99 1,520 ms");
  });

  test("given a rising, falling or stable trend, shows a matching mark, size and word", () => {
    const texts = (trend: EndpointTrend) => {
      const { trendKind, trendSize, trendWord } = latencyRowOf({ ...PRODUCTS, trend }, null);
      return [trendKind, trendSize, trendWord];
    };
    const known = { kind: "known", of: "p95", baseline: 251, sessions: 10, note: null } as const;
    assert.equal(texts({ ...known, direction: "up", change: 61, changePercent: 24.3 }), [
      "is-rising",
      "24 %",
      "slower",
    ]);
    assert.equal(texts({ ...known, direction: "down", change: -46, changePercent: -18.3 }), [
      "is-falling",
      "18 %",
      "faster",
    ]);
    assert.equal(texts({ ...known, direction: "stable", change: 3, changePercent: 1.2 }), ["is-stable", "", "stable"]);
    assert.is(
      latencyRowOf({ ...PRODUCTS, trend: { ...known, direction: "up", change: 61, changePercent: 24.3 } }, null)
        .trendTitle,
      "p95 +61 ms against 251 ms, the median of 10 sessions",
    );
  });

  test("given a trend by p50 alone or one that is uncertain, says so", () => {
    const known = { kind: "known", baseline: 100, change: 25, changePercent: 25, sessions: 10 } as const;
    const middle = { ...known, of: "p50", direction: "up", note: "by p50: 100 → 125 ms" } as const;
    const byMiddle = latencyRowOf({ ...PRODUCTS, trend: middle }, null);
    assert.equal(
      [byMiddle.trendSize, byMiddle.trendWord, byMiddle.trendTitle],
      ["25 %", "slower at p50", "p50 +25 ms against 100 ms, the median of 10 sessions"],
    );
    const open = { ...known, of: "p95", direction: "stable", note: "can't tell: n = 7, about 60 needed" } as const;
    const { trendKind, trendWord, trendTitle } = latencyRowOf({ ...PRODUCTS, trend: open }, null);
    assert.equal([trendKind, trendWord], ["is-stable", "can't tell"]);
    assert.match(trendTitle, /; can't tell: n = 7, about 60 needed$/);
  });

  test("given too few sessions for a trend, shows a dash with the number so far in its title", () => {
    const row = latencyRowOf(PRODUCTS, null);
    assert.equal([row.trendKind, row.trendSize, row.trendWord], ["is-omitted", "", "–"]);
    assert.match(row.trendTitle, /^A trend needs 3 completed sessions .*; so far there are 2$/);
  });

  test("given an endpoint without a row, tells its requests and its operation", () => {
    const row = collectingRowOf({ ...PRODUCTS, operation: "GetUser", requests: 3, avgSize: null });
    assert.equal([row.requests, row.path.endsWith(" · GetUser")], ["3 requests", true]);
  });
});

describe("latency table headers", (test) => {
  test("given the default columns, shows the specification's seven in order, the total after the requests, Spread before the size, the trend last", () => {
    const labels = latencyHeadersOf({ column: "p95", descending: true }).map(({ label }) => label);
    assert.equal(labels, [
      "Endpoint",
      "Requests",
      "Time in total",
      "p50",
      "p95",
      "p99",
      "Spread",
      "Avg Size",
      "Error Rate",
      "Trend",
    ]);
  });

  test("given the sorted column, only its header shows an order", () => {
    for (const descending of [true, false]) {
      const order = descending ? "descending" : "ascending";
      const ordered = latencyHeadersOf({ column: "requests", descending }).filter((head) => head.order !== null);
      assert.equal(
        ordered.map((head) => [head.label, head.order, head.icon]),
        [["Requests", order, `#icon-${order}`]],
      );
    }
  });
});
