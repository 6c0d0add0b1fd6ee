import * as assert from "uvu/assert";
import type { Walk } from "../../../src/engine/insights/links/walks.ts";
import { exchangeJsonOf } from "../../../src/engine/interchange/exchange-json.ts";
import { piecesOf, type Table } from "../../../src/engine/interchange/table.ts";
import {
  chainsTable,
  exchangeTable,
  groupsTable,
  latencyTable,
  payloadTable,
  repeatsTable,
  slowTable,
  trendsTable,
} from "../../../src/engine/interchange/tables.ts";
import type { EndpointStats, SlowRecord } from "../../../src/engine/messages/latency-messages.ts";
import { NO_ANNOTATION } from "../../../src/engine/model/annotation.ts";
import { endpointOf } from "../../../src/engine/model/endpoint.ts";
import type { Repeat } from "../../../src/engine/model/repeat.ts";
import type { ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";

const ENDPOINT = { method: "GET", origin: "https://a.test", path: "/x", operation: null };
const id = (value: number) => value as ExchangeId;

const stats: EndpointStats = {
  ...ENDPOINT,
  endpoint: endpointOf("GET", "https://a.test", "/x"),
  requests: 6,
  errors: 3,
  samples: 6,
  p50: 1.25,
  p95: null,
  p99: 3,
  avgSize: 10.5,
  avgDecodedSize: null,
  avgRequestSize: 0,
  errorRate: 50,
  protocols: ["http/1.1"],
};

const slow: SlowRecord = {
  id: id(3),
  endpoint: stats.endpoint,
  method: "GET",
  origin: "https://a.test",
  target: "/x?token=secret",
  status: 200,
  startTime: 0 as Instant,
  latency: 100,
  p50: 25,
  p95: 50,
  reasons: ["p95", "fixed"],
  timesP50: 4,
  fixedThreshold: 60,
  cause: { phase: "ttfb", length: 90, median: 20, excess: 70, isUsual: false },
  wait: null,
  upload: null,
  requestBodySize: 0,
  encodedBodySize: 0,
  avgSize: 0,
  spans: [],
  client: "c",
};

const walk: Walk = {
  count: 3,
  median: 25,
  longest: {
    client: "c",
    duration: 30,
    clientTime: 2,
    retryAfterTime: 0,
    steps: [
      { id: id(1), endpoint: { ...ENDPOINT, operation: null }, start: 0 as Instant, end: 10 as Instant },
      { id: id(2), endpoint: { ...ENDPOINT, operation: null }, start: 12 as Instant, end: 30 as Instant },
    ],
    links: [
      {
        from: id(1),
        to: id(2),
        gap: 2,
        kind: "proven",
        basis: "value",
        evidence: { source: "set-cookie", name: "sid", value: "secret" },
      },
    ],
  },
  first: id(1),
  isProven: true,
  couldSave: null,
};

const repeat: Repeat = {
  kind: "duplicate-requests",
  template: "GET https://a.test/?token=secret",
  exchanges: [id(1), id(2)],
  time: 12.5,
  isUpTo: false,
  bytes: null,
  summary: "was sent again",
};

describe("exchange table export", (test) => {
  test("given an exchange, the table has the fields and values of its JSON form, in order", () => {
    const outcome = { kind: "failed", errorType: "server-closed", detail: "", status: 502 } as const;
    const failed = exchange({ end: 7, outcome, tags: ["resent"] });
    const table = exchangeTable([failed], () => NO_ANNOTATION, true);
    const json = exchangeJsonOf(failed, NO_ANNOTATION);
    assert.equal(table.columns, Object.keys(json));
    assert.equal(JSON.parse([...piecesOf(table, "json")].join("")), [{ ...json }]);
  });
});

describe("finding table export", (test) => {
  test("given findings, each table has the promised columns with unrounded values", () => {
    const change = { direction: "up", baseline: 1, current: 2, change: 1, changePercent: 100, note: "why" } as const;
    const percentiles = { p50: { ...change, current: 1.5 }, p95: change };
    const trend = {
      ...ENDPOINT,
      operation: null,
      metric: "latency",
      ...change,
      sessions: 3,
      n: 40,
      percentiles,
    } as const;
    const payload = { ...ENDPOINT, avgRequestSize: 1, avgResponseSize: 2, compressionRatio: 4.2, oversized: [id(3)] };
    const table: readonly [Table, object][] = [
      [latencyTable([stats]), { ...ENDPOINT, requests: 6, p50: 1.25, p95: null, p99: 3, avgSize: 10.5, errorRate: 50 }],
      [
        slowTable([slow]),
        {
          id: 3,
          ...ENDPOINT,
          latency: 100,
          p95: 50,
          reasons: ["p95", "fixed"],
          timesP50: 4,
          cause: { phase: "ttfb", excess: 70 },
        },
      ],
      [payloadTable([payload]), payload],
      [
        groupsTable([{ client: "c", exchanges: [id(1), id(2)], start: 1 as Instant, end: 5 as Instant }]),
        { exchanges: [1, 2], start: 1, end: 5 },
      ],
      [
        repeatsTable([repeat], false),
        { kind: "duplicate-requests", template: repeat.template, exchanges: [1, 2], time: 12.5, bytes: null },
      ],
      [
        trendsTable([trend]),
        {
          ...ENDPOINT,
          operation: null,
          metric: "latency",
          direction: "up",
          baseline: 1,
          current: 2,
          change: 1,
          changePercent: 100,
          sessions: 3,
          n: 40,
          p50: 1.5,
          note: "why",
        },
      ],
      [
        chainsTable([walk], false),
        {
          count: 3,
          median: 25,
          duration: 30,
          exchanges: [1, 2],
          edges: [
            {
              from: 1,
              to: 2,
              gap: 2,
              kind: "proven",
              evidence: { source: "set-cookie", name: "sid", value: "secret" },
            },
          ],
        },
      ],
    ];
    for (const [found, row] of table) {
      const [read] = JSON.parse([...piecesOf(found, "json")].join(""));
      assert.equal(read, row);
      assert.equal(Object.keys(read), [...found.columns]);
      assert.equal(Object.keys(read), Object.keys(row));
    }
  });

  test("given captured values, tables of chains, slow requests and repeats omit them by default", () => {
    for (const table of [chainsTable([walk]), slowTable([slow]), repeatsTable([repeat])])
      assert.not.match([...piecesOf(table, "json")].join(""), /secret/);
  });

  test("given a slow request without a cause, its cause is null", () => {
    assert.match([...piecesOf(slowTable([{ ...slow, cause: null }]), "json")].join(""), /"cause":null/);
  });
});
