import * as assert from "uvu/assert";
import { pathRuleOf, pathRulesOf } from "../../../src/engine/model/path-rule.ts";
import { describe } from "../../support/describe.ts";

describe("path rules", (test) => {
  test("given a path with stars, with a host or to be shown apart, is read", () => {
    assert.equal(pathRuleOf("/shop/*/item/*"), { host: null, segments: ["shop", "*", "item", "*"], apart: false });
    assert.equal(pathRuleOf("!API.test:8080/*"), { host: "api.test:8080", segments: ["*"], apart: true });
  });

  for (const text of ["", "shop", "/shop", "/a b/*", "/a?*", "!api.test"]) {
    test(`given "${text}", says what to write`, () => {
      assert.match(String(pathRuleOf(text)), /\/shop\/\*\/item\/\*/);
      assert.equal(pathRulesOf([text, "/x/*"]).length, 1);
    });
  }
});
