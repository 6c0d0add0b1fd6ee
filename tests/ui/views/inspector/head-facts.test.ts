import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  cacheFactsOf,
  cookiesText,
  queryFactsOf,
  serverTimingText,
} from "../../../../src/ui/views/inspector/head-facts.ts";
import { describe } from "../../../support/describe.ts";

const head = (...lines: readonly string[]) => ["HTTP/1.1 200 OK", ...lines, "", ""].join("\r\n");
const word = fc.stringMatching(/^[\w !~é€]{1,20}$/);

describe("deciding header facts", (test) => {
  test("given query parameters, decodes the first twelve in order, repeated ones included", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word), { maxLength: 30 }), (pairs) => {
        const query = pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
        const facts = queryFactsOf(`/search?${query}`);
        assert.equal(facts.slice(0, Math.min(12, pairs.length)), pairs.slice(0, 12));
        if (pairs.length > 12) assert.equal(facts.at(-1), ["…", `and ${pairs.length - 12} more`]);
      }),
    );
    assert.equal(queryFactsOf("/search"), []);
    assert.equal(queryFactsOf("/search?"), []);
    assert.equal(queryFactsOf("/search?a=%zz&b"), [
      ["a", "%zz"],
      ["b", ""],
    ]);
  });

  test(
    "given a query of two megabytes, cuts values and counts the parameters left out",
    () => {
      const facts = queryFactsOf(`/?a=${"x".repeat(1_000_000)}${"&b=1".repeat(250_000)}`);
      assert.is(facts.length, 13);
      assert.is(facts[0]?.[1].length, 301);
      assert.equal(facts.at(-1), ["…", "and 249,989 more"]);
    },
    { isLong: true },
  );

  test("given several Cookie lines, counts all cookies with their bytes", () => {
    assert.is(cookiesText(head("Cookie: a=1; b=2", "cookie: c=3;"), "cookie"), "3 cookies, 12 B");
    assert.is(cookiesText(head("Set-Cookie: a=1; Path=/; Secure"), "set-cookie"), "1 cookie, 19 B");
    assert.is(cookiesText(head("Accept: */*"), "cookie"), null);
    assert.is(cookiesText(null, "set-cookie"), null);
  });

  test("given headers about caching, lists those present and labels those of the request", () => {
    assert.equal(
      cacheFactsOf(head("Cache-Control: no-cache", "If-None-Match: W/1"), head("ETag: W/1", "vary: a", "Vary: b")),
      [
        ["Cache-Control (request)", "no-cache"],
        ["If-None-Match (request)", "W/1"],
        ["ETag", "W/1"],
        ["Vary", "a, b"],
      ],
    );
    assert.equal(cacheFactsOf(head(), head("Content-Type: a/b")), [["Response", "no cache headers"]]);
    assert.equal(cacheFactsOf(head(), null), [], "without a response nothing is said of it");
  });

  test("given Server-Timing, shows durations with their unit, or the header as sent where it has none", () => {
    assert.is(serverTimingText(head("Server-Timing: db;dur=53.2, cache;dur=2")), "db 53.2 ms, cache 2.0 ms");
    assert.is(serverTimingText(head('Server-Timing: cache;desc="hit"')), 'cache;desc="hit"');
    assert.is(serverTimingText(head()), null);
    assert.is(serverTimingText(null), null);
    assert.is(serverTimingText(head(`Server-Timing: ${"a;dur=1,".repeat(20_000)}`))?.length, 301);
  });
});
