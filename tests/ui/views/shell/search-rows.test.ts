import * as assert from "uvu/assert";
import type { SearchHit } from "../../../../src/engine/messages/session-messages.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import { foundText, searchRowOf, withHits } from "../../../../src/ui/views/shell/search-rows.ts";
import { describe } from "../../../support/describe.ts";

const HIT: SearchHit = {
  exchange: 4 as ExchangeId,
  method: "POST",
  origin: "https://api.shop.test",
  target: "/v1/checkout",
  status: 502,
  startTime: new Date(2026, 10, 20, 12, 36, 22, 233).getTime() as Instant,
  part: "response-body",
  before: '"code": "',
  match: "pay",
  after: 'ment"',
};

describe("search result rows", (test) => {
  test("given a hit, its row says where the text was found and opens the tab that shows it", () => {
    const { method, changes, path, host, started, partName: place, tab } = searchRowOf(HIT);
    assert.equal(
      [method, changes, path, host, started],
      ["POST", true, "/v1/checkout", "api.shop.test", "12:36:22.233"],
    );
    assert.equal([place, tab], ["response body", "response"]);
    const tabs = (["url", "request-headers", "response-headers", "request-body", "message"] as const).map(
      (each) => searchRowOf({ ...HIT, part: each }).tab,
    );
    assert.equal(tabs, ["overview", "request", "response", "request", "messages"]);
  });

  test("given a hit, shows only its own line, cut close before the match", () => {
    const { before, match, after } = searchRowOf({
      ...HIT,
      before: `HTTP/1.1 200 OK\r\nX-Long: ${"a".repeat(60)}`,
      after: "ment\r\nDate: today",
    });
    assert.equal([before, match, after], [`…${"a".repeat(30)}`, "pay", "ment"]);
    assert.is(searchRowOf({ ...HIT, before: "one\nContent-Type: " }).before, "Content-Type: ");
  });

  test("given many hits, lists at most 200 and says how many exchanges there are", () => {
    const many = withHits(withHits([], new Array(150).fill(HIT)), new Array(150).fill(HIT));
    assert.is(many.length, 200);
    assert.is(foundText(300, { done: true, cut: false }), "300 exchanges contain it; the newest 200 are listed.");
    assert.is(
      foundText(1_000, { done: true, cut: true }),
      "At least 1,000 exchanges contain it; the newest 200 are listed.",
    );
    assert.is(foundText(1, { done: true, cut: false }), "1 exchange contains it.");
    assert.equal(
      [foundText(0, { done: false, cut: false }), foundText(0, { done: true, cut: false })],
      ["", "No exchange contains this text."],
    );
  });
});
