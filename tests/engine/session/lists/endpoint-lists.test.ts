import fc from "fast-check";
import * as assert from "uvu/assert";
import { unwrap } from "../../../../src/engine/model/result.ts";
import { collectingRows, latencyRows } from "../../../../src/engine/session/lists/endpoint-lists.ts";
import { endpointsAt } from "../../../../src/engine/session/lists/matched-rows.ts";
import { TrafficList } from "../../../../src/engine/session/lists/traffic-list.ts";
import { describe } from "../../../support/describe.ts";
import { type ExchangeSketch, exchange } from "../../../support/exchange.ts";
import { filter, judgeOf } from "../../../support/list-questions.ts";
import { recorded } from "../../../support/recorded.ts";

const ALL = { from: 0, count: 100 };

let id = 0;
function requests(count: number, sketch: ExchangeSketch): ReturnType<typeof exchange>[] {
  return Array.from({ length: count }, () => {
    id += 1;
    return exchange({ ...sketch, id });
  });
}

const session = recorded([
  ...requests(5, { target: "/b", end: 30, status: 500 }),
  ...requests(6, { target: "/a?x=1", method: "POST", end: 10 }),
  ...requests(5, { target: "/c", origin: "http://cdn.test", end: null }),
  ...requests(7, { target: "/stream", tags: ["event-stream"] }),
  ...requests(4, { target: "/few" }),
  ...requests(2, { target: "/fewer" }),
]);

function paths(
  text: string,
  column: "endpoint" | "requests" | "totalLatency" | "p95" | "errorRate",
  descending: boolean,
): string[] | string {
  const rows = latencyRows(session, filter(text), { column, descending }, ALL);
  return rows.ok ? rows.value.records.map(({ path }) => path) : rows.problem;
}

describe("endpoint lists", (test) => {
  test("given endpoints, lists those with five ended requests in the requested order", () => {
    assert.equal(paths("", "endpoint", false), ["/a", "/b", "/stream"]);
    assert.equal(paths("", "requests", true), ["/stream", "/a", "/b"]);
    assert.equal(paths("", "errorRate", true), ["/b", "/a", "/stream"]);
  });

  test("given an endpoint without latencies, lists it last in both directions", () => {
    assert.equal(paths("", "p95", false), ["/a", "/b", "/stream"]);
    assert.equal(paths("", "p95", true), ["/b", "/a", "/stream"]);
    assert.equal(paths("", "totalLatency", false), ["/a", "/b", "/stream"]);
  });

  test("given many quick requests and few slow ones, puts the endpoint with the most time in total first", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 5, maxLength: 40 }), (lengths) => {
        const quick = lengths.flatMap((end) => requests(1, { target: "/drawn", end }));
        const slow = requests(5, { target: "/slow", end: 1_000 });
        const rows = latencyRows(recorded([...quick, ...slow]), [], { column: "totalLatency", descending: true }, ALL);
        const total = lengths.reduce((sum, length) => sum + length, 0);
        if (total !== 5_000) assert.is(unwrap(rows).records[0]?.path, total > 5_000 ? "/drawn" : "/slow");
      }),
    );
  });

  test("given endpoints with too few requests, lists them separately, most requests first", () => {
    const rows = unwrap(collectingRows(session, [], ALL));
    assert.equal(
      rows.records.map(({ path, requests: count }) => [path, count]),
      [
        ["/few", 4],
        ["/fewer", 2],
      ],
    );
  });

  test("given a filter, applies terms about endpoints and refuses terms about requests", () => {
    assert.equal(paths("method:post", "endpoint", false), ["/a"]);
    assert.equal(paths("host:api STREAM", "endpoint", false), ["/stream"]);
    assert.equal(paths('endpoint:"GET https://api.test/b"', "endpoint", false), ["/b"]);
    assert.equal(paths("under:api.test/b", "endpoint", false), ["/b"]);
    assert.equal(paths("under:pi.test under:/b", "endpoint", false), []);
    assert.match(String(paths("status:5xx", "endpoint", false)), /shows endpoints/);
    assert.not(collectingRows(session, filter("slow:"), ALL).ok);
  });

  test("given which endpoints have a matching exchange, list those with the figures of all their requests", () => {
    const { table } = session;
    const rows = new TrafficList(session, filter("status:5xx")).rows(judgeOf(session));
    const matching = endpointsAt(table, rows);
    const sort = { column: "requests", descending: true } as const;
    const listed = unwrap(latencyRows(session, filter("status:5xx"), sort, ALL, matching));
    assert.equal(
      listed.records.map(({ path, requests: count }) => [path, count]),
      [["/b", 5]],
    );
    assert.equal([listed.matched, listed.total], [1, 3]);
  });
});
