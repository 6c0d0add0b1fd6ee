import * as assert from "uvu/assert";
import type { CompareRecord } from "../../../../src/engine/messages/compare-messages.ts";
import { endpointOf } from "../../../../src/engine/model/endpoint.ts";
import { compareHeadsOf, compareRowOf } from "../../../../src/ui/views/sessions/compare-rows.ts";
import { describe } from "../../../support/describe.ts";

describe("rows of a comparison", (test) => {
  const figures = { requests: 10, p50: 80, p95: 251, p99: 300, avgSize: 2_048, errorRate: 0 };
  const record: CompareRecord = {
    endpoint: endpointOf("GET", "https://api.shop.test", "/v1/cart"),
    method: "GET",
    origin: "https://api.shop.test",
    path: "/v1/cart",
    left: figures,
    right: { ...figures, p95: 312, avgSize: 1_024 },
    change: { requests: 0, p50: 0, p95: 61, p99: 0, avgSize: -1_024, errorRate: 0 },
    protocols: { left: ["http/1.1"], right: ["http/1.1"] },
  };

  test("what clients spoke is told where it differs, and nothing is guessed", () => {
    const between = (left: string[], right: string[]) =>
      compareRowOf({ ...record, protocols: { left, right } }).protocols;
    assert.is(between(["http/1.1"], ["h2"]), "HTTP/1.1 → HTTP/2");
    assert.is(between(["h2", "http/1.1"], ["h2"]), "HTTP/2, HTTP/1.1 → HTTP/2");
    assert.equal([between(["h2"], ["h2"]), between([], ["h2"]), between(["h2"], [])], ["", "", ""]);
  });

  test("every figure stands before and after, with its change", () => {
    assert.equal(
      compareRowOf(record).cells.map(({ left, right, change }) => [left, right, change]),
      [
        ["10", "10", ""],
        ["80", "80", ""],
        ["251", "312", "+61"],
        ["300", "300", ""],
        ["2.0 KB", "1.0 KB", "-1.0 KB"],
        ["0 %", "0 %", ""],
      ],
    );
    const inSight = compareRowOf(record).cells.filter(({ kind }) => kind === "compare-subject");
    assert.equal(
      inSight.map(({ key, change }) => [key, change]),
      [["p95", "+61"]],
    );
    const worse = compareRowOf({
      ...record,
      right: { ...figures, errorRate: 2.1 },
      change: { ...record.change, errorRate: 2.1 },
    });
    assert.is(worse.cells.at(-1)?.change, "+2.1 points");
    assert.is(compareHeadsOf({ column: "p95", descending: true }).length, compareRowOf(record).cells.length + 1);
  });

  test("what has not changed stands quieter, and what neither session has is one dash", () => {
    const { cells } = compareRowOf({
      ...record,
      left: { ...figures, p99: null },
      right: { ...figures, p95: 312, p99: null },
      change: { requests: 0, p50: 0, p95: 61, p99: null, avgSize: 0, errorRate: 0 },
    });
    assert.equal(
      cells.filter(({ same }) => !same).map(({ key }) => key),
      ["p95"],
    );
    const none = cells.find(({ key }) => key === "p99");
    assert.equal([none?.left, none?.right], ["", "–"]);
  });

  test("an endpoint that only one session has shows a dash for the other", () => {
    const none = { requests: null, p50: null, p95: null, p99: null, avgSize: null, errorRate: null };
    const cells = compareRowOf({ ...record, right: null, change: none }).cells;
    assert.ok(cells.every(({ right, change }) => right === "–" && change === ""));
  });
});
