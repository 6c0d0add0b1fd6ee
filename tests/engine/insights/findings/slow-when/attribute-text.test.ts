import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { attributeText } from "../../../../../src/engine/insights/findings/slow-when/attribute-text.ts";
import { describe } from "../../../../support/describe.ts";

const TEXTS: readonly (readonly [string, string, string])[] = [
  ["query:sort", "price", "have `?sort=price`"],
  ["query:limit", "at least 500", "have parameter `limit`: at least 500"],
  ["query:expand", "present", "have parameter `expand`: present"],
  ["body:tenant", "acme", "have body field `tenant` = `acme`"],
  ["body:filter.days", "at least 30", "have body field `filter.days`: at least 30"],
  ["path:2", "acme", "have path segment 2 = `acme`"],
  ["cookie:preview", "present", "have cookie `preview`: present"],
  ["response-header:x-cache", "MISS", "have response-header:x-cache: MISS"],
  ["client", "10.0.0.1 curl/8", "have client: curl/8 at 10.0.0.1"],
];

describe("an attribute in words", (test) => {
  for (const [name, value, text] of TEXTS)
    test(`given ${name} with "${value}", says "${text}"`, () => {
      const said = attributeText({ name, value });
      assert.is(`${said.verb} ${said.text}`, text);
    });

  test("given any captured name and value, gives one line of at most 200 characters", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("query:", "body:", "cookie:", "path:", "request-header:", "status"),
        fc.string({ maxLength: 90 }),
        fc.string({ maxLength: 300 }),
        (sort, name, value) => {
          const { text } = attributeText({ name: `${sort}${name}`, value });
          assert.ok(text.length <= 200);
          assert.not(/[\n\r]/.test(text));
        },
      ),
    );
  });
});
