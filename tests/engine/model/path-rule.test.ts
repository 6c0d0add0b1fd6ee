import * as assert from "uvu/assert";
import { pathRuleOf, pathRulesOf } from "../../../src/engine/model/path-rule.ts";
import { success } from "../../../src/engine/model/result.ts";
import { describe } from "../../support/describe.ts";
import { problemOf } from "../../support/problem-of.ts";

describe("path rules", (test) => {
  test("given a path with stars, with a host or to be shown apart, is read", () => {
    assert.equal(
      pathRuleOf("/shop/*/item/*"),
      success({ host: null, segments: ["shop", "*", "item", "*"], apart: false }),
    );
    assert.equal(pathRuleOf("!API.test:8080/*"), success({ host: "api.test:8080", segments: ["*"], apart: true }));
  });

  for (const text of ["", "shop", "/shop", "/a b/*", "/a?*", "!api.test"]) {
    test(`given "${text}", says what to write`, () => {
      assert.match(problemOf(pathRuleOf(text)), /\/shop\/\*\/item\/\*/);
      assert.equal(pathRulesOf([text, "/x/*"]).length, 1);
    });
  }
});
