import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { SlowRecord } from "../../../../../src/engine/messages/latency-messages.ts";
import { endpointOf } from "../../../../../src/engine/model/endpoint.ts";
import type { ExchangeId, Instant } from "../../../../../src/engine/model/units.ts";
import { barShare, slowBarOf, slowRowOf } from "../../../../../src/ui/views/performance/slow/slow-rows.ts";
import { describe } from "../../../../support/describe.ts";

const RECOMMENDATIONS: SlowRecord = {
  id: 7 as ExchangeId,
  endpoint: endpointOf("GET", "https://api.shop.test", "/v1/recommendations"),
  method: "GET",
  origin: "https://api.shop.test",
  target: "/v1/recommendations?page=2",
  status: 200,
  startTime: 1_700_000_000_123 as Instant,
  latency: 1311,
  p50: 168,
  p95: 277,
  reasons: ["p95"],
  timesP50: 7.8036,
  fixedThreshold: null,
  cause: { phase: "ttfb", length: 1160, median: 160, excess: 1000, isUsual: false },
  wait: null,
  upload: null,
  requestBodySize: 0,
  encodedBodySize: 46_000,
  avgSize: 47_000,
  spans: [
    { phase: "ttfb", from: 1, to: 1161 },
    { phase: "transfer", from: 1161, to: 1311 },
  ],
  client: "10.0.0.1 shopper/1.0",
};

const sentence = (change: Partial<SlowRecord>) => slowRowOf({ ...RECOMMENDATIONS, ...change }).sentence;
const cause = (change: Partial<SlowRecord>) => slowRowOf({ ...RECOMMENDATIONS, ...change }).cause;

describe("rows of slow requests", (test) => {
  test("given a slow request, describes in a sentence how slow it was and why", () => {
    assert.is(sentence({}), "7.8x its p50, 1,034 ms over its p95; the server took 1,000 ms longer than usual.");
    assert.is(
      sentence({ reasons: ["p95", "fixed"], fixedThreshold: 1000 }),
      "7.8x its p50, 1,034 ms over its p95, over the 1,000 ms threshold; the server took 1,000 ms longer than usual.",
    );
  });

  test("given each kind of cause, the sentence has the words of that kind", () => {
    const table: readonly (readonly [Partial<SlowRecord>, string])[] = [
      [
        { cause: { phase: "tls", length: 210, median: 30, excess: 180, isUsual: false } },
        "a new connection: TLS +180 ms.",
      ],
      [
        { cause: { phase: "dns", length: 40, median: null, excess: 40, isUsual: false } },
        "a new connection: DNS +40 ms.",
      ],
      [
        { cause: { phase: "connect", length: 90, median: 20, excess: 70, isUsual: false } },
        "a new connection: Connect +70 ms.",
      ],
      [{ cause: { phase: "ttfb", length: 900, median: null, excess: 900, isUsual: false } }, "the server took 900 ms."],
      [
        { cause: { phase: "transfer", length: 400, median: 100, excess: 300, isUsual: false } },
        "the body took 300 ms longer than usual.",
      ],
      [
        { cause: { phase: "transfer", length: 400, median: null, excess: 400, isUsual: false } },
        "the body took 400 ms.",
      ],
      [
        {
          cause: { phase: "transfer", length: 400, median: 100, excess: 300, isUsual: false },
          encodedBodySize: 3_250_586,
          avgSize: 245_760,
        },
        "the body was 3.1 MB, usually 240 KB.",
      ],
      [
        { cause: null, wait: { waitedFor: "connection", from: 0.2, to: 318.3 } },
        "the request waited 318 ms for a connection that another exchange was opening.",
      ],
      [
        { cause: { phase: "ttfb", length: 1_160, median: 1_159, excess: 1, isUsual: true } },
        "the server took 1,160 ms, about as usual.",
      ],
      [
        { cause: { phase: "tls", length: 180, median: 181, excess: -1, isUsual: true } },
        "a new connection: TLS took 180 ms, about as usual.",
      ],
      [{ upload: 1_100, requestBodySize: 10 * 1024 ** 2 }, "sending the request’s 10.0 MB took 1,100 ms."],
      [{ upload: 60, requestBodySize: 2_048 }, "the server took 1,000 ms longer than usual."],
    ];
    for (const [change, words] of table) assert.is(cause(change), words);
  });

  test("given a wait, draws and names it before the phases", () => {
    const wait = { waitedFor: "stream", from: 0, to: 400 } as const;
    const row = slowRowOf({ ...RECOMMENDATIONS, cause: null, wait });
    assert.equal([row.causeKind, row.parts[0]?.kind], ["phase-wait", "phase-wait"]);
    assert.match(row.barText, /^Waiting 400 ms, TTFB 1,160 ms/);
  });

  test("given no cause, ends the sentence with the reasons", () => {
    assert.is(sentence({ cause: null }), "7.8x its p50, 1,034 ms over its p95.");
    assert.is(slowRowOf({ ...RECOMMENDATIONS, cause: null }).causeKind, "");
    const wait = { waitedFor: "stream", from: 0, to: 0.04 } as const;
    assert.is(sentence({ cause: null, wait }), "7.8x its p50, 1,034 ms over its p95.");
  });

  test("given an endpoint without a p95, measures the request by the fixed threshold", () => {
    const change = { p50: null, p95: null, timesP50: null, reasons: ["fixed"], fixedThreshold: 500 } as const;
    assert.is(sentence(change), "811 ms over the 500 ms threshold; the server took 1,000 ms longer than usual.");
    const row = slowRowOf({ ...RECOMMENDATIONS, ...change });
    assert.is(row.ownP95, false);
    assert.is(row.p50, null);
    assert.is(row.cut, null);
    assert.is(row.parts[0]?.style.left, "0.07%");
  });

  test("given a p95 of 0, still draws a valid bar", () => {
    const row = slowRowOf({ ...RECOMMENDATIONS, p50: 0, p95: 0, timesP50: null });
    assert.is(row.times, "");
    for (const { style } of row.parts) assert.not.match(style.left, "NaN");
  });

  test("given a slow request, shows its path without query, operation, host and failed status", () => {
    const row = slowRowOf(RECOMMENDATIONS);
    assert.equal([row.method, row.path, row.host, row.failure], ["GET", "/v1/recommendations", "api.shop.test", ""]);
    assert.is(row.title, "GET https://api.shop.test/v1/recommendations?page=2");
    assert.is(slowRowOf({ ...RECOMMENDATIONS, status: 504 }).failure, "504");
    const endpoint = endpointOf("GET", "https://api.shop.test", "/v1/recommendations", "GetUser");
    const named = slowRowOf({ ...RECOMMENDATIONS, endpoint });
    assert.is(named.path, "/v1/recommendations · GetUser");
    assert.is(named.title, "GET https://api.shop.test/v1/recommendations?page=2 · GetUser");
  });

  test("given a latency beyond 3x the p95, cuts the bar, marks the p50, and describes the bar in words", () => {
    const row = slowRowOf(RECOMMENDATIONS);
    assert.ok(row.cut);
    assert.is(row.p50?.left, "20.22%");
    assert.is(row.barText, "TTFB 1,160 ms, Transfer 150 ms of 1,311 ms; p50 168 ms, p95 277 ms");
    assert.ok(Object.isFrozen(row));
  });
});

describe("bar of a slow request", (test) => {
  test("given any p95, places it at a third of the axis", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 1e5, noNaN: true }), fc.double({ min: 1, max: 2.5 }), (p95, times) => {
        assert.ok(Math.abs(barShare(p95, p95 * times, p95) - 1 / 3) < 1e-9);
      }),
    );
  });

  test("given a latency below 3x the p95, draws the whole bar to scale", () => {
    const bar = slowBarOf({ spans: [{ phase: "ttfb", from: 0, to: 150 }], wait: null, latency: 200, p50: 50 }, 100);
    assert.equal(bar.parts, [{ kind: "phase-ttfb", style: { left: "0%", width: "calc(50% - 1px)" } }]);
    assert.is(bar.cut, null);
    assert.is(bar.p50, 50 / 300);
  });

  test("given a latency beyond 3x the p95, leaves out the middle and keeps both ends to scale", () => {
    const spans = [
      { phase: "ttfb", from: 0, to: 990 },
      { phase: "transfer", from: 990, to: 1000 },
    ] as const;
    const bar = slowBarOf({ spans, wait: null, latency: 1000, p50: null }, 100);
    assert.ok(bar.cut !== null && bar.cut > 0.8 && bar.cut < 1);
    assert.is(barShare(50, 1000, 100), 50 / 300);
    assert.is(barShare(1000, 1000, 100), 1);
    assert.ok(Math.abs(barShare(990, 1000, 100) - (1 - 10 / 300)) < 1e-9);
  });

  test("given a wait, draws it as a part of its own before the phases", () => {
    const wait = { waitedFor: "stream", from: 3, to: 150 } as const;
    const bar = slowBarOf({ spans: [{ phase: "ttfb", from: 150, to: 300 }], wait, latency: 300, p50: null }, 100);
    assert.equal(
      bar.parts.map(({ kind, style }) => [kind, style.left]),
      [
        ["phase-wait", "1%"],
        ["phase-ttfb", "50%"],
      ],
    );
  });

  test("given any moments, keeps their order and places them on the axis", () => {
    const moments = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(
        moments,
        fc.double({ min: 0.1, max: 1e5, noNaN: true }),
        fc.double({ min: 0.1, max: 1e4, noNaN: true }),
        (at, latency, scale) => {
          const shares = at.sort((a, b) => a - b).map((each) => barShare(each * latency, latency, scale));
          for (const [index, share] of shares.entries()) {
            assert.ok(share >= 0 && share <= 1);
            assert.ok(index === 0 || share >= (shares[index - 1] ?? 0) - 1e-12);
          }
        },
      ),
    );
  });
});
