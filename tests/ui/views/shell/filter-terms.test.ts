import * as assert from "uvu/assert";
import {
  filterOf,
  finishedDraft,
  isApplied,
  termsOf,
  termsWhileTyping,
} from "../../../../src/ui/views/shell/filter-terms.ts";
import { describe } from "../../../support/describe.ts";

function chips(filter: string): readonly string[] {
  return termsOf(filter).chips.map(({ key, value }) => `${key}|${value}`);
}

describe("filter box terms", (test) => {
  test("given words of the filter language, makes a chip of each and leaves other words as text", () => {
    assert.equal(chips('mark: mark:star comment:"try again"'), ["mark:|", "mark:|star", 'comment:|"try again"']);
    assert.equal(chips("status:5xx dur>500 size>100k method:post host:api slow: error: ws: client:curl"), [
      "status:|5xx",
      "dur>|500",
      "size>|100k",
      "method:|post",
      "host:|api",
      "slow:|",
      "error:|",
      "ws:|",
      "client:|curl",
    ]);
    assert.is(termsOf("cart status:200 items").draft, "cart items");
  });

  test("given a term written twice, makes one chip", () => {
    assert.equal(chips("status:5xx -host:cdn status:5xx host:cdn"), ["status:|5xx", "-host:|cdn", "host:|cdn"]);
    const typed = termsWhileTyping(termsOf("status:5xx").chips, "status:5xx ");
    assert.equal(typed, { chips: termsOf("status:5xx").chips, draft: "" });
  });

  test("given a term being typed, makes a chip of it only once a space follows", () => {
    assert.equal(termsWhileTyping([], "status:5xx"), { chips: [], draft: "status:5xx" });
    assert.is(termsWhileTyping([], "status:5xx ").draft, "");
    assert.is(termsWhileTyping([], "status:5xx ").chips.length, 1);
    assert.is(termsWhileTyping([], "cart status:5xx ite").draft, "cart ite");
  });

  test("given quotes, keeps the quoted term in one piece, even while it is typed", () => {
    const endpoint = 'endpoint:"GET https://api.test/users"';
    assert.equal(chips(`${endpoint} type:json oversized: tag:probe`), [
      'endpoint:|"GET https://api.test/users"',
      "type:|json",
      "oversized:|",
      "tag:|probe",
    ]);
    assert.is(termsWhileTyping([], 'endpoint:"GET https').chips.length, 0);
    assert.is(termsWhileTyping([], endpoint).chips.length, 0);
    assert.is(termsWhileTyping([], `${endpoint} `).chips.length, 1);
    assert.is(filterOf(termsOf(endpoint)), endpoint);
  });

  test("given an unfinished term, leaves it out of the filter until it is complete", () => {
    const typed = (draft: string) => filterOf(termsWhileTyping([], draft));
    for (const draft of [
      "s",
      "stat",
      "status:",
      "status:5",
      "dur>",
      "-",
      "-st",
      "not:",
      "host:",
      "stauts:5xx",
      "conn",
      "q.page",
      "client",
      "-status",
      "size",
      "re",
      "resp",
      "resp.x-cache",
      "req.",
      "finding:n-plus",
    ])
      assert.is(typed(`cart ${draft}`), "cart", draft);
    for (const draft of [
      "users",
      "pages",
      "-img",
      "resp.x-cache:",
      "req.accept:json",
      "slow:",
      "mark:",
      "q.page:",
      "host:a",
      "-host:a",
    ])
      assert.is(typed(`cart ${draft}`), `cart ${draft}`, draft);
    assert.is(typed("cart stat "), "cart stat");
    assert.is(typed("cart client "), "cart client");
    assert.is(typed("cart stauts:5xx "), "cart stauts:5xx");
  });

  test("given negated terms, alternatives and parameters, makes chips of them", () => {
    assert.equal(chips("-status:404,500 not:slow: q.page:3 op:GetUser path:/v1 -cart"), [
      "-status:|404,500",
      "not:slow:|",
      "q.page:|3",
      "op:|GetUser",
      "path:|/v1",
    ]);
  });

  test("given text that ends with a space, keeps the space", () => {
    assert.is(termsWhileTyping([], "cart ").draft, "cart ");
  });

  test("given a word that begins like a key, treats it as text once it is no longer being typed", () => {
    for (const word of ["client", "st", "-stat"]) {
      assert.is(filterOf({ chips: [], draft: finishedDraft(word) }), word);
      assert.is(filterOf(termsOf(word)), word);
    }
    assert.is(finishedDraft("users"), "users");
    assert.is(termsWhileTyping([], `${finishedDraft("cart client")}x`).draft, "cart client x");
  });

  test("given header terms, makes chips of them", () => {
    assert.equal(chips('resp.X-Cache:MISS -req.accept:json,"a b" resp.set-cookie: resp.x'), [
      "resp.X-Cache:|MISS",
      '-req.accept:|json,"a b"',
      "resp.set-cookie:|",
    ]);
  });

  test("given a filter, chips and text together result in the same filter", () => {
    assert.is(filterOf(termsOf("dur>500 status:5xx cart")), "dur>500 status:5xx cart");
  });

  test("given groups, makes chips of them, and leaves OR and AND as text in order", () => {
    assert.equal(chips("(status:5xx OR slow:) -(host:a host:b) host:c cart"), [
      "|(status:5xx OR slow:)",
      "|-(host:a host:b)",
      "host:|c",
    ]);
    for (const filter of ["host:a OR status:5xx cart", "a AND host:b", "(host:a OR host:b", "host:a) status:404"])
      assert.equal(termsOf(filter), { chips: [], draft: filter });
    const typed = termsWhileTyping(termsOf("host:a").chips, "OR status:5xx ");
    assert.is(filterOf(typed), "host:a OR status:5xx");
  });

  test("given text that may be the start of a term, an open group or a connective, says that it is not applied", () => {
    const applied = (draft: string) => isApplied({ chips: termsOf("host:a").chips, draft });
    for (const draft of ["", "cart", "cart ", "cart status:5xx", "status ", "cart OR (host:b)"])
      assert.ok(applied(draft), draft);
    for (const draft of ["st", "cart -stat", "dur>", "cart OR", "(host:b"]) assert.not(applied(draft), draft);
  });

  test("given an open group or a connective without a term, leaves it out of the filter while it is typed", () => {
    const typed = (draft: string) => filterOf(termsWhileTyping([], draft), true);
    for (const draft of ["(", "(host", "(host:a", "(host:a OR ", "OR", "OR ", "AND (", "OR -(host:a (b)", "O"])
      assert.is(typed(`cart ${draft}`), "cart", draft);
    assert.is(typed("cart OR (host:a)"), "cart OR (host:a)");
    assert.is(typed("cart (host:a)"), "(host:a) cart");
    assert.is(filterOf({ chips: [], draft: "cart OR " }), "cart OR");
  });
});
