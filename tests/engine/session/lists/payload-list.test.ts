import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { isOversized } from "../../../../src/engine/insights/oversized-responses.ts";
import { unwrap } from "../../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import { InsightEvaluator, OversizedCounter } from "../../../../src/engine/session/evaluation/insight-evaluator.ts";
import { filterOf } from "../../../../src/engine/session/filter/filter.ts";
import { payloadFindings, payloadRows } from "../../../../src/engine/session/lists/payload-list.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { anyExchanges } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";

const ALL = { from: 0, count: 500 };

describe("payload list", (test) => {
  test("given exchanges of an endpoint, returns mean sizes, ratio, largest and number of oversized responses", () => {
    const sizes = [10_000, 10_000, 10_000, 10_000, 60_000];
    const session = recorded(
      sizes.map((encodedBodySize, index) =>
        exchange({
          id: index + 1,
          target: "/a",
          requestBodySize: 100,
          encodedBodySize,
          contentEncoding: "gzip",
          decodedBodySize: 4 * encodedBodySize,
        }),
      ),
    );
    for (const id of [1, 2, 3, 4, 5]) {
      session.apply([{ type: "body-decoded", id: id as never, size: 4 * (sizes[id - 1] ?? 0) }]);
    }
    assert.equal(rowsOf(session), [
      {
        endpoint: "GET https://api.test/a",
        method: "GET",
        origin: "https://api.test",
        path: "/a",
        operation: null,
        requests: 5,
        avgRequestSize: 100,
        avgResponseSize: 20_000,
        compressionRatio: 4,
        contentEncoding: "gzip",
        largest: 60_000,
        oversized: 1,
        isCollecting: false,
      },
    ]);
  });

  test("given an endpoint with fewer than 5 requests, lists it too, with its largest body", () => {
    const session = recorded([...five(1, { target: "/a" }), exchange({ id: 6, target: "/b", encodedBodySize: 900 })]);
    const found = rowsOf(session, "largest").map(({ path, largest, isCollecting }) => [path, largest, isCollecting]);
    assert.equal(found, [
      ["/b", 900, true],
      ["/a", 0, false],
    ]);
  });

  test("given no Content-Encoding, there is no compression ratio", () => {
    const five = [1, 2, 3, 4, 5].map((id) => exchange({ id, encodedBodySize: 5_000, contentType: "text/html" }));
    assert.is(rowsOf(recorded(five))[0]?.compressionRatio, null);
  });

  test("given any column, sorts by it and lists rows without a value last", () => {
    const session = recorded([
      ...five(1, { target: "/a", encodedBodySize: 10 }),
      ...five(6, { target: "/b", encodedBodySize: 20, requestBodySize: 9 }),
      ...five(11, { target: "/c", encodedBodySize: 30 }),
      exchange({ id: 16, target: "/c", encodedBodySize: 30 }),
    ]);
    const paths = (column: Parameters<typeof rowsOf>[1], descending: boolean) =>
      rowsOf(session, column, descending).map(({ path }) => path);
    assert.equal(paths("largest", true), ["/c", "/b", "/a"]);
    assert.equal(paths("avgResponseSize", false), ["/a", "/b", "/c"]);
    assert.equal(paths("requests", true)[0], "/c");
    assert.equal(paths("avgRequestSize", true)[0], "/b");
    assert.equal(paths("endpoint", false), ["/a", "/b", "/c"]);
    assert.equal(paths("compressionRatio", true).length, 3);
  });

  test("given a filter, applies terms about endpoints and refuses terms about requests", () => {
    const session = recorded([...five(1, { target: "/a" }), ...five(6, { target: "/b" })]);
    const filter = unwrap(filterOf("/b"));
    const sort = { column: "endpoint", descending: false } as const;
    const rows = unwrap(payloadRows(session, filter, sort, ALL, new Uint32Array(9)));
    assert.equal([rows.total, rows.matched, rows.records[0]?.path], [2, 1, "/b"]);
    const judged = unwrap(filterOf("status:500"));
    assert.not(payloadFindings(session, judged, new InsightEvaluator(session, DEFAULT_SETTINGS)).ok);
  });

  test("given any exchanges, oversized responses equal their plain definition", () => {
    const settings = { ...DEFAULT_SETTINGS, oversizedFloor: 1_000, oversizedFactor: 1.5 };
    fc.assert(
      fc.property(anyExchanges(80), fc.constantFrom(30, 1_000), (exchanges, cap) => {
        const session = recorded(exchanges, cap);
        const { table } = session;
        const plain = new Map<number, number[]>();
        for (let row = table.firstRow; row < table.nextRow; row += 1) {
          const { payload } = session.tallyAt(row);
          if (!table.countsAt(row) || !table.respondedAt(row) || table.statusAt(row) === 304) continue;
          if (!isOversized(table.encodedBodySize.at(row), payload, settings)) continue;
          const number = table.endpoint.at(row);
          plain.set(number, [...(plain.get(number) ?? []), table.ids.at(row)]);
        }
        const evaluator = new InsightEvaluator(session, settings);
        const counts = new OversizedCounter().counts(session, settings, evaluator);
        for (const [number, count] of counts.entries()) assert.is(count, plain.get(number)?.length ?? 0);
        const found = unwrap(payloadFindings(session, [], evaluator));
        const ids = found.flatMap(({ oversized }) => oversized).sort((a, b) => a - b);
        assert.equal(
          ids,
          [...plain.values()].flat().sort((a, b) => a - b),
        );
      }),
    );
  });
});

function five(from: number, sketch: Parameters<typeof exchange>[0]) {
  return [0, 1, 2, 3, 4].map((index) => exchange({ ...sketch, id: from + index }));
}

function rowsOf(session: Session, column: Parameters<typeof payloadRows>[2]["column"] = "largest", descending = true) {
  const evaluator = new InsightEvaluator(session, DEFAULT_SETTINGS);
  const oversized = new OversizedCounter().counts(session, DEFAULT_SETTINGS, evaluator);
  return unwrap(payloadRows(session, [], { column, descending }, ALL, oversized)).records;
}
