import * as assert from "uvu/assert";
import type { RepeatRecord } from "../../../../../src/engine/messages/finding-messages.ts";
import type { ExchangeId, Instant } from "../../../../../src/engine/model/units.ts";
import { moreRepeatsText, repeatRowOf } from "../../../../../src/ui/views/performance/chains/repeat-rows.ts";
import { describe } from "../../../../support/describe.ts";

const START = new Date(2026, 10, 20, 12, 36, 22).getTime();

describe("rows of repeats", (test) => {
  const record: RepeatRecord = {
    key: "n-plus-one 7",
    kind: "n-plus-one",
    template: "GET https://api.shop.test/v1/products/{id}/stock",
    summary: "was requested once per item: 12 requests in 2 bursts of up to 6.",
    exchanges: 12,
    ids: [7 as ExchangeId],
    start: START as Instant,
    time: 840.4,
    isUpTo: true,
    bytes: null,
  };

  test("a row says what was repeated, how often, and what it costs", () => {
    const row = repeatRowOf(record);
    assert.equal(
      [row.kind, row.method, row.path, row.host, row.count, row.first],
      ["One request per item", "GET", "/v1/products/{id}/stock", "api.shop.test", "12", 7],
    );
    assert.is(row.sentence, "Was requested once per item: 12 requests in 2 bursts of up to 6.");
    assert.equal([row.time, row.bytes], ["up to 840 ms", "–"]);
    assert.is(row.changes, false);
    assert.is(repeatRowOf({ ...record, template: record.template.replace("GET", "POST") }).changes, true);
  });

  test("a cost that is measured is no bound, and one that nobody knows is absent", () => {
    const known = repeatRowOf({ ...record, kind: "duplicate-requests", isUpTo: false, bytes: 2_048 });
    assert.equal([known.time, known.bytes], ["840 ms", "2.0 KB"]);
    assert.is(repeatRowOf({ ...record, time: null }).time, "–");
  });

  test("what is not listed is counted", () => {
    assert.is(moreRepeatsText({ total: 3, matched: 3, from: 0, keys: ["a", "b"] }), "and 1 more repeat");
    assert.is(moreRepeatsText({ total: 2, matched: 2, from: 0, keys: ["a", "b"] }), "");
  });
});
