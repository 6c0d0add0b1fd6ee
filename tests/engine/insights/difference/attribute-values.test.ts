import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { attributesOf } from "../../../../src/engine/insights/difference/attribute-values.ts";
import { describe } from "../../../support/describe.ts";
import { Scene } from "../../../support/scene.ts";

const token = fc.stringMatching(/^[a-z]{1,6}$/);

describe("attribute values of two exchanges", (test) => {
  test("given queries and headers of two exchanges, names each once, with the values of both", () => {
    fc.assert(
      fc.property(fc.dictionary(token, token), fc.dictionary(token, token), (query, headers) => {
        const scene = new Scene();
        const text = Object.entries(query).map(([name, value]) => `${name}=${value}`);
        scene.ask({ at: 0, target: text.length === 0 ? "/" : `/?${text.join("&")}`, request: headers });
        scene.ask({ at: 1, response: headers });
        const [one, other] = scene.facts;
        assert.ok(one !== undefined && other !== undefined);
        const found = attributesOf([one, other]);
        for (const [name, value] of Object.entries(query)) {
          const [attribute, ...more] = found.filter((each) => each.group === "query" && each.name === name);
          assert.is(more.length, 0);
          assert.equal([attribute?.textIn(one), attribute?.textIn(other)], [value, null]);
        }
        for (const [name, value] of Object.entries(headers))
          for (const group of ["request", "response"] as const) {
            const attribute = found.find((each) => each.group === group && each.name === name);
            const values = [attribute?.textIn(one), attribute?.textIn(other)];
            assert.equal(values, group === "request" ? [value, null] : [null, value]);
          }
      }),
    );
  });

  test("given a header more than once, joins its values; dates and identifiers are minor", () => {
    const scene = new Scene();
    scene.ask({
      at: 0,
      target: "/?a=1&a=2",
      request: { "x-request-id": "7" },
      response: { date: "now", "x-cache": "HIT" },
    });
    const [one] = scene.facts;
    assert.ok(one !== undefined);
    const found = attributesOf([one]);
    assert.is(found.find(({ name }) => name === "a")?.textIn(one), "1, 2");
    const minor = found.filter(({ isMinor }) => isMinor).map(({ name }) => name);
    assert.equal(minor, ["x-request-id", "date"]);
  });
});
