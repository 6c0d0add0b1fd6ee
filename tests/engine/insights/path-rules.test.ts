import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { pathByRules, patternOf } from "../../../src/engine/insights/path-rules.ts";
import { pathRulesOf } from "../../../src/engine/model/path-rule.ts";
import { describe } from "../../support/describe.ts";

const ORIGIN = "https://api.test";

describe("paths by rules", (test) => {
  test("given a path of other segments or another host, matches nothing", () => {
    const rules = pathRulesOf(["api.test/shop/*/item"]);
    for (const path of ["/shop/a", "/shop/a/items", "/shop//item", "/x/shop/a/item"]) {
      assert.is(pathByRules(rules, ORIGIN, path), null);
    }
    assert.is(pathByRules(rules, "https://api.test:8443", "/shop/a/item"), null);
    assert.is(pathByRules(rules, "https://API.test", "/shop/a/item"), "/shop/{id}/item");
  });

  test("given the pattern of a template, matches the paths that the template stands for", () => {
    const part = fc.stringMatching(/^[a-z\d]{1,6}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(part, fc.boolean()), { minLength: 1, maxLength: 5 }), part, (parts, id) => {
        fc.pre(parts.some(([, isId]) => isId));
        const template = parts.map(([name, isId]) => `/${isId ? "{id}" : name}`).join("");
        const path = parts.map(([name, isId]) => `/${isId ? id : name}`).join("");
        const pattern = patternOf(ORIGIN, template);
        assert.is(pathByRules(pathRulesOf([pattern]), ORIGIN, path), template);
        assert.is(pathByRules(pathRulesOf([`!${pattern}`]), ORIGIN, path), path);
      }),
    );
  });
});
