import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { filterOf } from "../../../src/engine/session/filter/filter.ts";
import { attributeFilterOf } from "../../../src/ui/views/attribute-filter.ts";
import { describe } from "../../support/describe.ts";

const ENDPOINT = { method: "GET", origin: "https://api.test", path: "/t/{id}/orders/{id}", operation: null };
const WHERE = 'endpoint:"GET https://api.test/t/{id}/orders/{id}"';

const FILTERS: readonly (readonly [string, string, string])[] = [
  ["query:sort", "price, low", `${WHERE} q.sort:"price, low"`],
  ["query:expand", "present", `${WHERE} q.expand:`],
  ["query:limit", "at least 500", ""],
  ["request-header:accept-language", "absent", `${WHERE} -req.accept-language:`],
  ["response-header:x-cache", "MISS", `${WHERE} resp.x-cache:"MISS"`],
  ["cookie:beta", "present", `${WHERE} req.cookie:"beta="`],
  ["path:2", "acme", `${WHERE} path:"/t/acme/"`],
  ["path:4", "7", `${WHERE} path:"/orders/7"`],
  ["status", "203", `${WHERE} status:203`],
  ["body:tenant", "acme", ""],
  ["while:POST /import", "in flight", ""],
  ["first-use", "path:2", ""],
];

describe("filter for a finding's attribute", (test) => {
  for (const [name, value, filter] of FILTERS)
    test(`given ${name} with "${value}", is "${filter}"`, () => {
      assert.is(attributeFilterOf({ endpoint: ENDPOINT, attribute: { name, value } }), filter);
    });

  test("given any captured name and value, is empty or a valid filter of two terms", () => {
    const sort = fc.constantFrom("query:", "request-header:", "response-header:", "cookie:", "path:2", "body:");
    fc.assert(
      fc.property(
        sort,
        fc.string({ maxLength: 20 }),
        fc.string({ minLength: 1, maxLength: 30 }),
        (prefix, name, value) => {
          const filter = attributeFilterOf({
            endpoint: ENDPOINT,
            attribute: { name: prefix.endsWith(":") ? `${prefix}${name}` : prefix, value },
          });
          if (filter === "") return;
          const read = filterOf(filter);
          assert.ok(read.ok, filter);
          if (read.ok) assert.is(read.value.length, 2, filter);
        },
      ),
    );
  });
});
