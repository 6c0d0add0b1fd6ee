import * as assert from "uvu/assert";
import type {
  SlowGroupCause,
  SlowGroupRecord,
  SlowRecord,
} from "../../../../../src/engine/messages/latency-messages.ts";
import { endpointOf, partsOf } from "../../../../../src/engine/model/endpoint.ts";
import type { ExchangeId, Instant } from "../../../../../src/engine/model/units.ts";
import {
  comparisonText,
  moreText,
  slowGroupRowOf,
  slowMemberRowOf,
} from "../../../../../src/ui/views/performance/slow/slow-group-rows.ts";
import { describe } from "../../../../support/describe.ts";

const MISSES: SlowGroupCause = {
  kind: "attribute",
  name: "response-header:x-cache",
  value: "MISS",
  slowWith: 18,
  slow: 20,
  othersWith: 3,
  others: 212,
  medianWith: 300,
  medianWithout: 40,
};

const GROUP: SlowGroupRecord = {
  key: "1 response-header:x-cache=MISS",
  endpoint: endpointOf("GET", "https://api.shop.test", "/search"),
  method: "GET",
  origin: "https://api.shop.test",
  path: "/search",
  operation: null,
  cause: MISSES,
  count: 18,
  lost: 5_400.4,
  median: 312,
  p50: 40,
  limit: 277.4,
  isP95: true,
  requests: 232,
};

const REQUEST: SlowRecord = {
  id: 7 as ExchangeId,
  endpoint: GROUP.endpoint,
  method: "GET",
  origin: "https://api.shop.test",
  target: "/search?q=a",
  status: 200,
  startTime: 1_700_000_000_123 as Instant,
  latency: 892,
  p50: 40,
  p95: 277,
  reasons: ["p95"],
  timesP50: 22.3,
  fixedThreshold: null,
  cause: null,
  wait: null,
  upload: null,
  requestBodySize: 0,
  encodedBodySize: 46_000,
  avgSize: 47_000,
  spans: [],
  client: "10.0.0.1 shopper/1.0",
};

const saidOf = (cause: SlowGroupCause, change: Partial<SlowGroupRecord> = {}) => {
  const row = slowGroupRowOf({ ...GROUP, ...change, cause });
  return `${row.cause}${row.sentence}`;
};

describe("rows of causes of slow requests", (test) => {
  test("given an attribute, says how many of the slow ones and of the others have it", () => {
    assert.is(
      saidOf(MISSES),
      "response header x-cache: MISS. 18 of 20 requests over p95 (277 ms) have this value, and 3 of 212 others.",
    );
    assert.is(
      saidOf(MISSES, { limit: 100, isP95: false }),
      "response header x-cache: MISS. 18 of 20 requests over the 100 ms threshold have this value, and 3 of 212 others.",
    );
    assert.is(
      saidOf({
        ...MISSES,
        name: "in-flight",
        value: "at least 6 requests",
        slowWith: 1,
        slow: 1,
        others: 1,
        othersWith: 0,
      }),
      "requests in flight: at least 6 requests. 1 of 1 request over p95 (277 ms) has this value, and 0 of 1 other.",
    );
  });

  test("given no attribute, says what took the time, or that nothing is known and why", () => {
    assert.is(
      saidOf({ kind: "connection" }),
      "connection. Waiting for a connection, or setting it up, took longer than usual.",
    );
    assert.is(saidOf({ kind: "transfer" }), "body. Receiving the body took longer than usual.");
    assert.is(
      saidOf({ kind: "none" }),
      "no common cause. Nothing was found that distinguishes the slow requests from the others.",
    );
    assert.is(
      saidOf({ kind: "none" }, { requests: 12 }),
      "no common cause. 12 requests are too few to compare; 20 are needed.",
    );
    assert.is(
      saidOf({ kind: "none" }, { requests: 1 }),
      "no common cause. 1 request is too few to compare; 20 are needed.",
    );
    assert.is(saidOf({ kind: "unknown" }), "not compared yet.");
  });

  test("a request's sentence has only the parts that are known", () => {
    const said = (change: Partial<SlowRecord>) => {
      const { times, separator, cause } = slowMemberRowOf({ ...REQUEST, ...change });
      return `${times}${separator}${cause}`;
    };
    const cause = { phase: "ttfb", length: 900, median: null, excess: 900 } as const;
    assert.is(said({}), "22.3x the endpoint's p50.");
    assert.is(said({ cause }), "22.3x the endpoint's p50; the server took 900 ms.");
    assert.is(said({ cause, p50: null, timesP50: null }), "the server took 900 ms.");
    assert.is(said({ p50: null, timesP50: null }), "");
  });

  test("shows the time lost, and the usual beside the slow latency where there is one", () => {
    const { lost, latencies, count, group } = slowGroupRowOf(GROUP);
    assert.equal([lost, latencies, count, group], ["5,400", "40 → 312", "18", "response-header:x-cache=MISS"]);
    assert.is(slowGroupRowOf({ ...GROUP, p50: null }).latencies, "312");
  });

  test("a group and its requests are named with their operation", () => {
    const endpoint = endpointOf("POST", "https://api.shop.test", "/graphql", "GetUser");
    const { path, title } = slowGroupRowOf({ ...GROUP, ...partsOf(endpoint), endpoint });
    assert.equal([path, title], ["/graphql · GetUser", "POST https://api.shop.test/graphql · GetUser"]);
    const member = slowMemberRowOf({ ...REQUEST, method: "POST", target: "/graphql?v=2", endpoint });
    assert.is(member.target, "/graphql?v=2 · GetUser");
    assert.is(member.title, "POST https://api.shop.test/graphql?v=2 · GetUser\n10.0.0.1 shopper/1.0");
  });

  test("says while requests are compared, and what is not listed", () => {
    assert.is(comparisonText([GROUP]), "");
    assert.is(comparisonText([GROUP, { ...GROUP, cause: { kind: "unknown" } }]), "Comparing requests");
    assert.is(moreText({ total: 80, matched: 62, from: 0, keys: ["a", "b"] }), "and 60 more");
    assert.is(moreText({ total: 2, matched: 2, from: 0, keys: ["a", "b"] }), "");
  });
});
