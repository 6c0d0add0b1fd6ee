import * as assert from "uvu/assert";
import type { RepeatRecord } from "../../../../src/engine/messages/finding-messages.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import { moreRepeatsText, repeatRowOf } from "../../../../src/ui/views/performance/repeat-rows.ts";
import { describe } from "../../../support/describe.ts";

const START = new Date(2026, 10, 20, 12, 36, 22).getTime();

describe("rows of repeats", (test) => {
  const record: RepeatRecord = {
    key: "n+1 7",
    kind: "n+1",
    client: "shopper",
    template: "GET https://api.shop.test/v1/products/{id}/stock",
    exchanges: 12,
    ids: [7 as ExchangeId],
    start: START as Instant,
    end: (START + 850) as Instant,
    bytes: 2_048,
    failed: 0,
    streams: false,
  };

  test("each kind is a sentence that a person can act on", () => {
    const row = repeatRowOf(record);
    assert.equal(
      [row.kind, row.method, row.path, row.host, row.count, row.first],
      ["N+1", "GET", "/v1/products/{id}/stock", "api.shop.test", "12x", 7],
    );
    assert.is(row.changes, false);
    assert.is(repeatRowOf({ ...record, template: record.template.replace("GET", "POST") }).changes, true);
    assert.is(
      row.sentence,
      "12 requests that differ in one part of the path within 850 ms: one request for all would do.",
    );
    assert.is(
      repeatRowOf({ ...record, kind: "duplicate", end: (START + 9_460) as Instant }).sentence,
      "The same request 12 times within 9.5 s, 2.0 KB in all: the first answer could have been kept.",
    );
  });

  test("an N+1 tells in how many parts its paths differ", () => {
    const template = "GET https://api.shop.test/v1/products/{id}/reviews/{id}";
    assert.match(repeatRowOf({ ...record, template }).sentence, /^12 requests that differ in 2 parts of the path/);
  });

  test("a first answer could have been kept only where it was one, of what changes nothing and is no stream", () => {
    const judgement = (change: Partial<RepeatRecord>) => {
      const { sentence } = repeatRowOf({ ...record, kind: "duplicate", bytes: 0, ...change });
      return sentence.replace("The same request 12 times within 850 ms", "");
    };
    assert.is(judgement({}), ": the first answer could have been kept.");
    assert.is(judgement({ failed: 2 }), "; 2 of them failed.");
    assert.is(judgement({ streams: true }), ".");
    assert.is(judgement({ template: "POST https://api.shop.test/v1/cart" }), ".");
  });

  test("what is not listed is counted", () => {
    assert.is(moreRepeatsText({ total: 3, matched: 3, from: 0, keys: ["a", "b"] }), "and 1 more finding");
    assert.is(moreRepeatsText({ total: 2, matched: 2, from: 0, keys: ["a", "b"] }), "");
  });
});
