import * as assert from "uvu/assert";
import type { EndpointDetail } from "../../../../src/engine/messages/latency-messages.ts";
import type { TrendRecord } from "../../../../src/engine/messages/trend-messages.ts";
import { endpointOf } from "../../../../src/engine/model/endpoint.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { absenceOf, endpointFactsOf, LINE_TEXTS } from "../../../../src/ui/views/performance/endpoint-facts.ts";
import { describe } from "../../../support/describe.ts";

const DETAIL: EndpointDetail = {
  stats: {
    endpoint: endpointOf("GET", "https://api.shop.test", "/v1/products"),
    method: "GET",
    origin: "https://api.shop.test",
    path: "/v1/products",
    operation: null,
    requests: 112,
    errors: 0,
    samples: 112,
    p50: 87,
    p95: 200,
    p99: 520,
    avgSize: 18_740,
    avgDecodedSize: null,
    avgRequestSize: 512,
    errorRate: 0,
    protocols: ["http/1.1"],
  },
  sliceLength: 20_000,
  histogram: [
    { lo: 50, hi: 100, count: 80 },
    { lo: 100, hi: 200, count: 26 },
    { lo: 200, hi: 500, count: 0 },
    { lo: 500, hi: 1000, count: 6 },
  ],
  p95Between: null,
  series: [
    { at: 0 as Instant, p50: 80, p95: 190, samples: 50, counts: [40, 10, 0, 0] },
    { at: 32_000 as Instant, p50: 90, p95: 210, samples: 62, counts: [40, 16, 0, 6] },
  ],
  meanPhases: { dns: 0.2, connect: 0.9, tls: 1.4, ttfb: 106.7, transfer: 5.8, weir: 0.2 },
  meanLatency: 116,
  findings: [],
  slow: 6,
  models: [],
  http3: null,
  reused: 109,
  connected: 3,
  compressionRatio: 4.2,
  contentEncoding: "br",
};

const facts = (change: Partial<EndpointDetail> = {}) => endpointFactsOf({ ...DETAIL, ...change }, null);

describe("facts of the endpoint panel", (test) => {
  test("given buckets, marks those wholly above p95 as slow and scales them to the highest one", () => {
    assert.equal(
      facts().buckets.map(({ label, isSlow, style }) => [label, isSlow, style.height]),
      [
        ["80", false, "100%"],
        ["26", false, "32.5%"],
        ["", true, "0%"],
        ["6", true, "7.5%"],
      ],
    );
  });

  test("given calls of language models, each model has figures and distributions, and a dash where calls are too few", () => {
    const firstTokens = [
      { lo: 500, hi: 1_000, count: 30 },
      { lo: 1_000, hi: 2_000, count: 10 },
      { lo: 2_400.6, hi: null, count: 1 },
    ];
    const large = { model: "large", calls: 1_240, firstToken: { p50: 812.4, p95: 2_400.6 }, rate: 48.2 };
    const small = { model: "small", calls: 3, firstToken: null, rate: null };
    const models = [
      { ...large, firstTokens, rates: [{ lo: 20, hi: 1_500, count: 41 }] },
      { ...small, firstTokens: [], rates: [] },
    ];
    assert.equal(facts().models, []);
    const shown = facts({ models }).models;
    assert.equal(
      shown.map(({ charts: _, ...figures }) => figures),
      [
        { model: "large", calls: "1,240", p50: "812", p95: "2,401", rate: "48" },
        { model: "small", calls: "3", p50: "–", p95: "–", rate: "–" },
      ],
    );
    assert.equal(
      shown.map(({ charts }) => charts.map(({ title, buckets }) => [title, ...buckets.map((one) => one.title)])),
      [
        [
          [
            "First token, ms",
            "500 to 1,000 ms: 30 calls",
            "1,000 to 2,000 ms: 10 calls",
            "2,400.6 ms and more: 1 call",
          ],
          ["Rate, tokens/s", "20 to 1,500 tokens/s: 41 calls"],
        ],
        [],
      ],
    );
    const [first, rate] = shown[0]?.charts ?? [];
    assert.equal(
      first?.bars.markers.map(({ name, value }) => [name, value]),
      [
        ["p50", "812"],
        ["p95", "2,401"],
      ],
    );
    assert.equal(
      first?.buckets.map(({ isSlow }) => isSlow),
      [false, false, true],
    );
    assert.equal(
      rate?.bars.markers.map(({ name, value }) => [name, value]),
      [["p50", "48"]],
    );
    assert.ok(rate?.edges.some(({ text }) => text === "1,000"));
    assert.equal([facts({ models }).isOnlyStreams, facts().isOnlyStreams], [false, false]);
    const streams = { ...DETAIL.stats, samples: 0 };
    assert.is(facts({ models, stats: streams }).isOnlyStreams, true);
  });

  test("given a server that offers HTTP/3, says what browsers use and what was used here", () => {
    const http3 = (used: EndpointDetail["http3"]) =>
      facts({ http3: used }).figures.find(({ name }) => name === "HTTP/3")?.value;
    assert.is(http3("HTTP/2"), "browsers use HTTP/3 with this server; through Weir HTTP/2");
    assert.is(http3(null), undefined);
  });

  test("given percentiles, places their markers between the edges, with labels on the roomier side", () => {
    assert.equal(
      facts().bars.markers.map(({ name, value, kind, style }) => [
        name,
        value,
        kind,
        Number.parseFloat(style.left).toFixed(0),
      ]),
      [
        ["p50", "87", "is-p50 is-left", "19"],
        ["p95", "200", "is-p95", "50"],
        ["p99", "520", "is-p99", "76"],
      ],
    );
  });

  test("given charts, provides the same figures as text", () => {
    const { buckets, moments, percentiles } = facts();
    assert.is(percentiles, "Latency of requests: p50 87, p95 200, p99 520 ms");
    assert.is(buckets[0]?.title, "50 to 100 ms: 80 requests, show in Traffic");
    assert.equal(
      moments.map(({ p50, p95 }) => [p50, p95]),
      [
        ["80", "190"],
        ["90", "210"],
      ],
    );
  });

  test("given a known trend, shows the baseline in the chart and the change in words", () => {
    const p95 = { direction: "up", baseline: 251, current: 311, change: 60, changePercent: 24, note: null } as const;
    const p50 = { ...p95, direction: "stable", change: 2, note: "can't tell: n = 7, about 60 needed" } as const;
    const trend: TrendRecord = {
      key: "latency",
      endpoint: DETAIL.stats.endpoint,
      method: "GET",
      origin: "https://api.shop.test",
      path: "/v1/products",
      operation: null,
      metric: "latency",
      ...p95,
      percentiles: { p50, p95 },
      n: 112,
      sessions: 10,
      series: [],
      uncertain: 0,
      band: { low: 226, high: 276 },
    };
    const { lines, figures } = endpointFactsOf(DETAIL, trend);
    assert.equal(lines.baseline, { value: 251, name: "baseline p95" });
    assert.equal(
      figures.slice(0, 3).map(({ name, value, kind }) => [name, value, kind]),
      [
        ["p50 against baseline", "can't tell, n = 7, about 60 needed", "is-stable"],
        ["p95 against baseline", "+60 ms, slower", "is-rising"],
        ["Sessions compared", "10", ""],
      ],
    );
    assert.is(facts().lines.baseline, null);
  });

  test("given percentiles over time, they are two named lines", () => {
    const { strong, quiet } = facts().lines;
    assert.equal([strong.name, strong.points.at(-1)?.value], ["p95", 210]);
    assert.equal([quiet.name, quiet.points.at(-1)?.value], ["p50", 90]);
  });

  test("given mean phases, names those of at least 5 % and sums up the others", () => {
    const { meanTitle, mean } = facts();
    assert.is(meanTitle, "Where the mean latency of 116 ms goes");
    assert.equal(
      mean.shares.map(({ text }) => text),
      ["TTFB 92 %", "Transfer 5 %"],
    );
    assert.is(mean.other, "other 3 %");
    assert.is(mean.parts.length, 5);
  });

  test("given sizes, compression and reuse, shows them in words", () => {
    assert.equal(
      facts().figures.map(({ name, value }) => `${name}: ${value}`),
      ["Mean response, request: 18.3 KB, 512 B", "Brotli: 76 % smaller (4.2x)", "Connections reused: 109 of 112"],
    );
    assert.is(facts({ compressionRatio: 0.8, contentEncoding: "gzip" }).figures[1]?.value, "25 % larger (0.8x)");
  });

  test("given a confidence interval of p95, shows its bounds, or only the lower one", () => {
    const said = (high: number | null) => facts({ p95Between: { low: 173, high } }).figures[0];
    assert.equal(said(199.4), { name: "p95, 95 % confidence", value: "173 to 199 ms", kind: "" });
    assert.equal(said(null)?.value, "173 ms or more");
  });

  test("given no latencies and no known figures, shows none", () => {
    const noSample = { ...DETAIL.stats, samples: 0, p50: null, p95: null, p99: null };
    const none = facts({
      stats: noSample,
      histogram: [],
      series: [],
      meanLatency: null,
      slow: 0,
      reused: 0,
      connected: 0,
      compressionRatio: null,
      contentEncoding: null,
    });
    assert.equal([none.slow, none.meanTitle, none.mean.other], ["", "", ""]);
    assert.equal([none.bars.markers.length, none.mean.parts.length, none.figures.length], [0, 0, 1]);
  });

  test("given an interval, labels moments to the second if it is short, and to the minute if it is long", () => {
    assert.is(LINE_TEXTS.moment(0, 60_000).length, 8);
    assert.is(LINE_TEXTS.moment(0, 600_000).length, 5);
    assert.is(LINE_TEXTS.value(1234.4), "1,234");
  });
});

describe("empty state of the endpoint panel", (test) => {
  test("given an endpoint's figures, explains a refusal or a missing row, and is empty while loading or loaded", () => {
    assert.is(absenceOf(undefined, "Too much is asked."), "Too much is asked.");
    assert.match(absenceOf(null), /^This session has fewer than 5 requests/);
    assert.equal([absenceOf(undefined), absenceOf({})], ["", ""]);
  });
});
