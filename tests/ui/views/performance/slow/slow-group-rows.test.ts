import * as assert from "uvu/assert";
import type {
  SlowEndpointRecord,
  SlowGroupCause,
  SlowOverview,
  SlowRecord,
} from "../../../../../src/engine/messages/latency-messages.ts";
import { endpointOf, partsOf } from "../../../../../src/engine/model/endpoint.ts";
import type { ExchangeId, Instant } from "../../../../../src/engine/model/units.ts";
import {
  comparisonText,
  moreText,
  slowEndpointRowOf,
  slowMemberRowOf,
} from "../../../../../src/ui/views/performance/slow/slow-group-rows.ts";
import { describe } from "../../../../support/describe.ts";

const MISSES = {
  kind: "attribute",
  name: "response-header:x-cache",
  value: "MISS",
  slowWith: 18,
  slow: 20,
  othersWith: 3,
  others: 212,
  medianWith: 300,
  medianWithout: 40,
  cut: null,
} as const satisfies SlowGroupCause;

const ROW: SlowEndpointRecord = {
  key: "1",
  endpoint: endpointOf("GET", "https://api.shop.test", "/search"),
  method: "GET",
  origin: "https://api.shop.test",
  path: "/search",
  operation: null,
  causes: [{ cause: MISSES, count: 18, lost: 5_400.4, median: 312 }],
  isWithoutCause: false,
  arrived: 0,
  count: 20,
  lost: 5_600.4,
  median: 312,
  p50: 40,
  limit: 277.4,
  isP95: true,
  requests: 232,
};

const REQUEST: SlowRecord = {
  id: 7 as ExchangeId,
  endpoint: ROW.endpoint,
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

const OVERVIEW: SlowOverview = { key: "overview", progress: 1 };

const saidOf = (cause: SlowGroupCause, change: Partial<SlowEndpointRecord> = {}) => {
  const causes = [{ cause, count: 18, lost: 5_400.4, median: 312 }];
  const [line] = slowEndpointRowOf({ ...ROW, ...change, causes }).lines;
  return `${line?.cause}${line?.sentence}`;
};

/** The words of each sentence of a text. */
const wordsOf = (text: string) => text.split(/\. /).map((sentence) => sentence.split(" ").length);

describe("rows of slow requests by cause", (test) => {
  test("given an attribute, says how many of the slow ones and of the others have it", () => {
    assert.is(
      saidOf(MISSES),
      "Response header x-cache: MISS. 18 of 20 above p95 (277 ms) have this value, and 3 of 212 others.",
    );
    assert.is(
      saidOf(MISSES, { limit: 100, isP95: false }),
      "Response header x-cache: MISS. 18 of 20 above the 100 ms threshold have this value, and 3 of 212 others.",
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
      "Requests in flight: at least 6 requests. 1 of 1 above p95 (277 ms) has this value, and 0 of 1 other.",
    );
  });

  test("given a query parameter, shows it as received, though the sentence begins with it", () => {
    const value = { name: "query:sort", value: "price" };
    assert.match(saidOf({ ...MISSES, ...value }), /^\?sort=price\. 18 of 20/);
  });

  test("given a cut elsewhere than the limit, gives both counts in a short sentence", () => {
    const cut = { at: 900.4, slowWith: 18, slow: 20, othersWith: 3, others: 212 };
    const said = saidOf({ ...MISSES, slowWith: 6, slow: 7, cut });
    assert.is(
      said,
      "Response header x-cache: MISS. 18 of 20 above 900 ms have this value, and 3 of 212 others; 6 are above p95 (277 ms).",
    );
    assert.ok(Math.max(...wordsOf(said)) <= 20);
    assert.match(
      saidOf({ ...MISSES, slowWith: 1, cut }, { limit: 100, isP95: false }),
      /; 1 is above the 100 ms threshold\.$/,
    );
  });

  test("given no attribute, says what took the time, or that nothing is known and why", () => {
    assert.is(
      saidOf({ kind: "connection" }),
      "Connection. Waiting for a connection, or setting it up, took longer than usual, or most of the time.",
    );
    assert.is(saidOf({ kind: "transfer" }), "Body. Receiving the body took longer than usual, or most of the time.");
    assert.is(
      saidOf({ kind: "none" }),
      "No cause stands out. Nothing was found that distinguishes the slow requests from the others.",
    );
    assert.is(
      saidOf({ kind: "none" }, { requests: 12 }),
      "No cause stands out. 12 requests are too few to compare; 20 are needed.",
    );
    assert.is(
      saidOf({ kind: "none" }, { requests: 1 }),
      "No cause stands out. 1 request is too few to compare; 20 are needed.",
    );
  });

  test("given a slow request, its sentence contains only the parts that are known", () => {
    const said = (change: Partial<SlowRecord>) => {
      const { times, separator, cause } = slowMemberRowOf({ ...REQUEST, ...change });
      return `${times}${separator}${cause}`;
    };
    const cause = { phase: "ttfb", length: 900, median: null, excess: 900, isUsual: false } as const;
    assert.is(said({}), "22.3x its p50.");
    assert.is(said({ cause }), "22.3x its p50; the server took 900 ms.");
    assert.is(said({ cause, p50: null, timesP50: null }), "the server took 900 ms.");
    assert.is(said({ p50: null, timesP50: null }), "");
  });

  test("given an endpoint, shows the time lost, and the usual latency beside the slow one where it is known", () => {
    const { lost, latencies, count, group, lines } = slowEndpointRowOf(ROW);
    assert.equal([lost, latencies, count, group], ["5,600", "40 → 312", "20", null]);
    assert.equal(
      lines.map((line) => [line.lost, line.count, line.group, line.scope]),
      [["5,400", "18", "response-header:x-cache=MISS", "GET /search, response header x-cache: MISS"]],
    );
    assert.is(slowEndpointRowOf({ ...ROW, p50: null }).latencies, "312");
  });

  test("given an endpoint whose usual latency is over the threshold, says how many are, and no usual latency", () => {
    const slow = { ...ROW, p50: 2_278, median: 2_278, limit: 500, isP95: false, isWithoutCause: false };
    const { latencies, note } = slowEndpointRowOf({ ...slow, count: 6, requests: 6 });
    assert.equal([latencies, note], ["2,278", "all 6 are over 500 ms"]);
    assert.is(slowEndpointRowOf({ ...slow, count: 5, requests: 6 }).note, "most requests are over 500 ms");
  });

  test("given newly arrived requests too few to compare or no cause, shows a note", () => {
    const none = [{ cause: { kind: "none" }, count: 1, lost: 40, median: 90 }] as const;
    assert.is(slowEndpointRowOf(ROW).note, "");
    assert.is(slowEndpointRowOf({ ...ROW, arrived: 2 }).note, "2 just arrived");
    const few = slowEndpointRowOf({ ...ROW, causes: none, isWithoutCause: true, requests: 12 });
    assert.equal([few.note, few.lines], ["12 requests, compared from 20 on", []]);
    assert.is(slowEndpointRowOf({ ...ROW, causes: none, isWithoutCause: true }).note, "no cause stands out");
  });

  test("given an operation, names it with the endpoint and its requests", () => {
    const endpoint = endpointOf("POST", "https://api.shop.test", "/graphql", "GetUser");
    const { path, title } = slowEndpointRowOf({ ...ROW, ...partsOf(endpoint), endpoint });
    assert.equal([path, title], ["/graphql · GetUser", "POST https://api.shop.test/graphql · GetUser"]);
    const member = slowMemberRowOf({ ...REQUEST, method: "POST", target: "/graphql?v=2", endpoint });
    assert.is(member.target, "/graphql?v=2 · GetUser");
    const [request, client, sentence] = member.title.split("\n");
    assert.equal([request, client], ["POST https://api.shop.test/graphql?v=2 · GetUser", "10.0.0.1 shopper/1.0"]);
    assert.match(sentence ?? "", /^22\.3x its p50, .* over its p95\.$/);
  });

  test("given an overview, says how far the comparison is, and what is not listed", () => {
    assert.is(comparisonText(OVERVIEW), "");
    assert.is(comparisonText({ ...OVERVIEW, progress: 0.349 }), "Comparing requests, 34 % of the session so far");
    assert.is(moreText(62, 2), "and 60 more");
    assert.is(moreText(2, 2), "");
  });
});
