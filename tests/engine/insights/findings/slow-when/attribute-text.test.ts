import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { attributeName, attributeText } from "../../../../../src/engine/insights/findings/slow-when/attribute-text.ts";
import { describe } from "../../../../support/describe.ts";

const TEXTS: readonly (readonly [string, string, string])[] = [
  ["query:sort", "price", "have `?sort=price`, so do"],
  ["query:limit", "at least 500", "have parameter `limit`: at least 500, so do"],
  ["query:expand", "present", "have parameter `expand`: present, so do"],
  ["body:tenant", "acme", "have body field `tenant` = `acme`, so do"],
  ["body:filter.days", "at least 30", "have body field `filter.days`: at least 30, so do"],
  ["path:2", "acme", "have path segment 2 = `acme`, so do"],
  ["cookie:preview", "present", "have cookie `preview`: present, so do"],
  ["response-header:x-cache", "MISS", "have response header `x-cache: MISS`, so do"],
  ["request-header:x-beta", "absent", "have request header `x-beta`: absent, so do"],
  ["in-flight", "at least 4 requests", "have requests in flight: at least 4 requests, so do"],
  ["request-size", "at least 14000 bytes", "have request size: at least 14 KB, so do"],
  ["after-idle", "at least 61000 ms idle", "have after idling: at least 1 min 1 s idle, so do"],
  ["time-in-session", "at least 169389 ms", "came at least 2 min 49 s after the session's first request, so did"],
  ["time-in-session", "from 900 ms to 2000 ms", "came from 900 ms to 2.0 s after the session's first request, so did"],
  ["client", "10.0.0.1 curl/8", "have client: curl/8 at 10.0.0.1, so do"],
  ["while:POST /import", "in flight", "ran while `POST /import` was in flight, so did"],
  ["first-use", "path:2", "are the first for their path segment 2, so are"],
  ["first-use", "query:sku", "are the first for their value of parameter `sku`, so are"],
  ["first-use", "body:sku", "are the first for their value of body field `sku`, so are"],
  ["first-use", "url", "are the first for their URL, so are"],
];

describe("attribute text", (test) => {
  for (const [name, value, text] of TEXTS)
    test(`given ${name} with "${value}", says "${text}"`, () => {
      const { predicate, again } = attributeText({ name, value });
      assert.is(`${predicate}, so ${again}`, text);
    });

  test("given an attribute, its name for titles has no verb and no marks", () => {
    const named = TEXTS.map(([name, value]) => attributeName({ name, value }));
    assert.equal(named.slice(0, 2), ["?sort=price", "parameter limit: at least 500"]);
    for (const [index, [, , text]] of TEXTS.entries()) assert.match(text.replaceAll("`", ""), named[index] ?? "–");
    assert.is(attributeName({ name: "query:q", value: "`a`" }), "?q=`a`", "captured marks stay");
  });

  test("given any number of ms or bytes, has no four digits in a row", () => {
    const amounts = fc.tuple(fc.constantFrom("time-in-session", "after-idle"), fc.nat(200_000_000), fc.constant("ms"));
    const sizes = fc.tuple(fc.constantFrom("request-size", "response-size"), fc.nat(2 ** 40), fc.constant("bytes"));
    fc.assert(
      fc.property(fc.oneof(amounts, sizes), fc.constantFrom("at least", "at most"), ([name, amount, unit], range) => {
        const attribute = { name, value: `${range} ${amount} ${unit}` };
        assert.not.match(`${attributeName(attribute)} ${attributeText(attribute).predicate}`, /\d{4}/);
      }),
    );
  });

  test("given any captured name and value, gives one line of at most 250 characters", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("query:", "body:", "cookie:", "path:", "while:", "request-header:", "status"),
        fc.string({ maxLength: 90 }),
        fc.string({ maxLength: 300 }),
        (sort, name, value) => {
          const { predicate } = attributeText({ name: `${sort}${name}`, value });
          assert.ok(predicate.length <= 250);
          assert.not(/[\n\r]/.test(predicate));
        },
      ),
    );
  });
});
