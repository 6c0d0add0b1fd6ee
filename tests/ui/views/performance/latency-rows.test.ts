import * as assert from "uvu/assert";
import type { LatencyRecord } from "../../../../src/engine/messages/latency-messages.ts";
import type { EndpointTrend } from "../../../../src/engine/messages/trend-messages.ts";
import { endpointOf } from "../../../../src/engine/model/endpoint.ts";
import { collectingRowOf, latencyRowOf } from "../../../../src/ui/views/performance/latency-rows.ts";
import { describe } from "../../../support/describe.ts";

const PRODUCTS: LatencyRecord = {
  endpoint: endpointOf("GET", "https://api.shop.test", "/v1/products"),
  method: "GET",
  origin: "https://api.shop.test",
  path: "/v1/products",
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
  trend: { kind: "omitted", sessions: 2 },
};

describe("rows of the latency table", (test) => {
  test("a row is text, in the units of the heads, and frozen", () => {
    const row = latencyRowOf(PRODUCTS, null);
    assert.equal(
      [row.method, row.path, row.host, row.requests, row.p50, row.p95, row.p99, row.size, row.sizeUnit, row.errorRate],
      ["GET", "/v1/products", "api.shop.test", "112", "87", "312", "1,520", "18.3", "KB", "0 %"],
    );
    assert.ok(Object.isFrozen(row));
    assert.is(row.changes, false);
    assert.is(latencyRowOf({ ...PRODUCTS, method: "POST" }, null).changes, true);
  });

  test("the p99 stands quiet below 100 samples, and the tooltip says how many there are", () => {
    assert.is(latencyRowOf(PRODUCTS, null).unsure, false);
    const few = latencyRowOf({ ...PRODUCTS, samples: 99 }, null);
    assert.is(few.unsure, true);
    assert.is(few.samples, "From 99 latencies; p99 is greyed below 100");
  });

  test("without a sample a dash stands where a latency would", () => {
    const row = latencyRowOf({ ...PRODUCTS, samples: 0, p50: null, p95: null, p99: null }, { low: 0, high: 2 });
    assert.equal([row.p50, row.p95, row.p99, row.spread, row.spreadText], ["–", "–", "–", "", "–"]);
    // Event streams may well have been answered whole.
    assert.is(row.samples, "No latency: of failures, event streams and WebSockets there is none");
  });

  test("errors are marked from 5 % up and stand quiet at none", () => {
    const rate = (errors: number, errorRate: number) => latencyRowOf({ ...PRODUCTS, errors, errorRate }, null);
    assert.equal([rate(0, 0).faultless, rate(0, 0).failing], [true, false]);
    assert.equal([rate(1, 4.9).faultless, rate(1, 4.9).failing], [false, false]);
    assert.equal([rate(6, 5).failing, rate(6, 5).errorTitle], [true, "6 of 112 requests"]);
  });

  test("the size's tooltip tells the decoded mean where it is known, and the request's", () => {
    assert.is(
      latencyRowOf(PRODUCTS, null).sizeTitle,
      "Mean response body 18.3 KB as transferred, 76.9 KB decoded; mean request body 0 B",
    );
    assert.not.match(latencyRowOf({ ...PRODUCTS, avgDecodedSize: null }, null).sizeTitle, "decoded");
  });

  test("without a whole response a dash stands where a size would", () => {
    const { size, sizeUnit, sizeTitle } = latencyRowOf({ ...PRODUCTS, avgSize: null }, null);
    assert.equal([size, sizeUnit, sizeTitle], ["–", "", "No whole response yet; mean request body 0 B"]);
  });

  test("the trend is told in words, and as a count of sessions while there are too few", () => {
    const omitted = latencyRowOf(PRODUCTS, null);
    assert.match(`${omitted.trendSize} ${omitted.trendWord}`, "2 of 3");
    const known = {
      kind: "known",
      direction: "up",
      baseline: 251,
      change: 61,
      changePercent: 24.3,
      sessions: 10,
    } as const;
    const risen = latencyRowOf({ ...PRODUCTS, trend: known }, null);
    assert.equal([risen.trendKind, risen.trendSize, risen.trendWord], ["is-rising", "24 %", "slower"]);
  });

  test("the spread is drawn and told in words", () => {
    const row = latencyRowOf(PRODUCTS, { low: 1, high: 4 });
    assert.ok(row.spread.startsWith("M61.4 11"));
    assert.is(row.spreadText, "p50 87, p95 312, p99 1,520 ms");
  });

  test("the trend is a mark, a size and a word that agree", () => {
    const texts = (trend: EndpointTrend) => {
      const { trendKind, trendSize, trendWord } = latencyRowOf({ ...PRODUCTS, trend }, null);
      return [trendKind, trendSize, trendWord];
    };
    const known = { kind: "known", baseline: 251, sessions: 10 } as const;
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

  test("a trend that cannot be told yet says how far it is", () => {
    const row = latencyRowOf(PRODUCTS, null);
    assert.equal([row.trendKind, row.trendSize, row.trendWord], ["is-omitted", "", "2 of 3 sessions"]);
  });

  test("an endpoint without a row tells how far it is", () => {
    const { endpoint, method, origin, path } = PRODUCTS;
    assert.is(collectingRowOf({ endpoint, method, origin, path, requests: 3 }).progress, "collecting 3/5");
  });
});
