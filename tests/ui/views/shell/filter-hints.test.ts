import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { OccurringKey, OccurringValues } from "../../../../src/engine/messages/traffic-messages.ts";
import { filterOf } from "../../../../src/engine/session/filter/filter.ts";
import { FIGURES, KEYS } from "../../../../src/engine/session/filter/term-parser.ts";
import {
  hintsFor,
  keyToComplete,
  recentHints,
  withHint,
  withRecent,
} from "../../../../src/ui/views/shell/filter-hints.ts";
import { describe } from "../../../support/describe.ts";

const values = (...known: readonly [string, number][]) => known.map(([value, exchanges]) => ({ value, exchanges }));
const OCCURRING: Partial<Record<OccurringKey, OccurringValues>> = {
  status: values(["200", 40], ["404", 3], ["503", 1], ["204", 1]),
  method: values(["GET", 30], ["POST", 14], ["PUT", 1]),
  type: values(["application/json", 20], ["text/html", 2]),
  protocol: values(["h2", 40], ["http/1.1", 5]),
  client: values(["curl", 40], ["node server", 5]),
  host: values(["api.shop.test", 40], ["cdn.shop.test", 5]),
  page: values(["https://shop.test/cart", 12], ["page_1", 3]),
  finding: values(["n-plus-one", 30], ["errors", 1]),
  "q.": values(["Page", 9], ["page_size", 4], ["a:b", 2], ["a b", 1], ["", 1]),
  "q.Page": values(["2", 5], ["", 3], ["a b", 1]),
  "resp.": values(["content-type", 45], ["x-cache", 40], ["cache-control", 9]),
  "resp.cache-control": values(["no-store", 5], ["max-age=60, public", 3], ['a "b"', 1]),
};
const occurring = (draft: string): OccurringValues | null => {
  const key = keyToComplete(draft);
  return key === null ? null : (OCCURRING[key] ?? []);
};
const offered = (draft: string): readonly string[] =>
  hintsFor(draft, occurring(draft)).map(({ word, note }) => `${word} ${note}`);
const words = (draft: string): readonly string[] => hintsFor(draft, occurring(draft)).map(({ word }) => word);

describe("filter box hints", (test) => {
  test("given an empty word, offers every term with a description of what it finds", () => {
    const keys = [...KEYS.filter((key) => key !== "not").map((key) => `${key}:`), ...FIGURES.map((key) => `${key}>`)];
    assert.equal([...words("")].sort(), [...keys, "q.", "req.", "resp.", "-", "OR"].sort());
    assert.ok(hintsFor("checkout ", null).every(({ note }) => note !== ""));
  });

  test("given the beginning of a word, completes it to terms that begin with it", () => {
    assert.equal(words("st"), ["status:"]);
    assert.equal(words("users S"), ["status:", "size>", "slow:"]);
    assert.equal(words("orders"), []);
  });

  test("given a key, offers the occurring values with their counts, and status classes first", () => {
    assert.equal(offered("status:"), [
      "status:2xx 41 exchanges",
      "status:4xx 3 exchanges",
      "status:5xx 1 exchange",
      "status:200 40 exchanges",
      "status:404 3 exchanges",
      "status:503 1 exchange",
      "status:204 1 exchange",
    ]);
    assert.equal(words("mark:"), ["mark:star", "mark:flag", "mark:check", "mark:cross"]);
    assert.equal(words("protocol:h"), ["protocol:h2", "protocol:http/1.1"]);
    assert.equal(words("host:cdn"), ["host:cdn.shop.test"]);
    assert.equal(words("method:p"), ["method:POST", "method:PUT"]);
    assert.equal(offered("page:"), ["page:https://shop.test/cart 12 exchanges", "page:page_1 3 exchanges"]);
    assert.equal(words("client:"), ["client:curl", 'client:"node server"']);
    assert.equal(hintsFor("status:", null), [], "before they are known");
    assert.equal(["-type:j", "not:host:a", "dur>", "st", "q.a:"].map(keyToComplete), [
      "type",
      "host",
      null,
      null,
      "q.a",
    ]);
  });

  test("given parameters of the query, their names are completed as written, and then their values", () => {
    assert.equal(offered("q."), ["q.Page: 9 exchanges", "q.page_size: 4 exchanges"]);
    assert.equal(words("-q.PAGE"), ["-q.Page:", "-q.page_size:"]);
    assert.equal(offered("q.Page:"), ["q.Page:2 5 exchanges", 'q.Page:"a b" 1 exchange']);
    assert.equal(words("Q.Page:2"), []);
    assert.equal(words("q.Page:x,"), ["q.Page:x,2", 'q.Page:x,"a b"']);
    assert.equal(["q.", "q.Pa", "-Q.Page:x"].map(keyToComplete), ["q.", "q.", "q.Page"]);
  });

  test("given headers, completes their names and then their values, quoted where necessary", () => {
    assert.equal(offered("resp."), [
      "resp.content-type: 45 exchanges",
      "resp.x-cache: 40 exchanges",
      "resp.cache-control: 9 exchanges",
    ]);
    assert.equal(words("-resp.CACHE"), ["-resp.x-cache:", "-resp.cache-control:"]);
    assert.equal(offered("resp.Cache-Control:"), [
      "resp.cache-control:no-store 5 exchanges",
      'resp.cache-control:"max-age=60, public" 3 exchanges',
    ]);
    assert.equal(words('resp.cache-control:"a b",pub'), ['resp.cache-control:"a b","max-age=60, public"']);
    assert.equal(words('resp.cache-control:"max'), ['resp.cache-control:"max-age=60, public"']);
    assert.equal(["resp.", "req.acc", "-REQ.Accept:", "resp.x-cache:M", "resp"].map(keyToComplete), [
      "resp.",
      "req.",
      "req.accept",
      "resp.x-cache",
      null,
    ]);
    assert.is(withHint("a resp.c", { word: "resp.cache-control:", note: "" }), "a resp.cache-control:");
  });

  test("given found kinds of findings, completes finding: to them with their names", () => {
    assert.equal(offered("finding:"), [
      "finding:n-plus-one N+1 requests, 30 exchanges",
      "finding:errors Errors, 1 exchange",
    ]);
  });

  test("given a negated term or a further alternative, completes it as well", () => {
    assert.equal(words("-st"), ["-status:"]);
    assert.equal(words("not:slo"), ["not:slow:"]);
    assert.equal(words("-status:2xx,4"), ["-status:2xx,4xx", "-status:2xx,404", "-status:2xx,204"]);
    assert.is(withHint("-slo", { word: "-slow:", note: "" }), "-slow: ");
  });

  test("given a completed term, adds a space unless the term still needs a value", () => {
    assert.is(withHint("users st", { word: "status:", note: "" }), "users status:");
    assert.is(withHint("users status:", { word: "status:5xx", note: "" }), "users status:5xx ");
    assert.is(withHint("", { word: "slow:", note: "" }), "slow: ");
  });

  test("given any offered hint, results in a filter that the engine understands", () => {
    const values: Record<string, string> = {
      "status:": "404",
      "tag:": "probe",
      "mark:": "star",
      "finding:": "errors",
      "req.": "accept:",
      "resp.": "age:0",
    };
    for (const draft of [
      "",
      "status:",
      "type:",
      "client:",
      "tag:",
      "mark:",
      "host:",
      "finding:",
      "resp.",
      "resp.cache-control:",
    ]) {
      for (const { word } of hintsFor(draft, occurring(draft))) {
        const whole = withHint("", { word, note: "" });
        const term = word === "OR" || !whole.endsWith(" ") ? `${whole}${values[word] ?? "7"}` : whole;
        const filter = filterOf(`users ${term}`);
        assert.ok(filter.ok, word);
      }
    }
  });

  test("given filters that are used one after the other, keeps the latest ten, each once", () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom(..."abcdefghijklmno", "", "x".repeat(1_001))), (used) => {
        const recent = used.reduce<readonly string[]>(withRecent, []);
        const kept = used.filter((filter) => filter !== "" && filter.length <= 1_000);
        assert.equal(recent, [...new Set(kept.toReversed())].slice(0, 10));
        const [current = ""] = recent;
        assert.equal(
          recentHints(recent, current).map(({ word }) => word),
          recent.slice(1),
        );
      }),
    ));
});
