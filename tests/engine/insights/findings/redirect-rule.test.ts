import * as assert from "uvu/assert";
import { ruleOf } from "../../../../src/engine/insights/findings/redirect-rule.ts";
import { describe } from "../../../support/describe.ts";
import { Scene } from "../../../support/scene.ts";

const ruleFor = (origin: string, target: string, location: string) => {
  const scene = new Scene();
  scene.ask({ at: 0, origin, target, status: 301, response: { location } });
  const [request] = scene.traffic().requests;
  return request === undefined ? null : ruleOf(request);
};

describe("redirect rule", (test) => {
  test("given a change of scheme, host, slash or first segments, it is named", () => {
    assert.is(ruleFor("http://a.test:8080", "/x/y?q=1", "https://a.test/x/y?q=1"), "http to https");
    assert.is(ruleFor("https://a.test", "/x", "//www.a.test/x"), "a.test to www.a.test");
    assert.is(ruleFor("https://a.test", "/x/y", "y/"), "a slash added");
    assert.is(ruleFor("https://a.test", "/x/", "/x"), "a slash removed");
    assert.is(ruleFor("https://a.test", "/old/7/view", "/new/7/view"), "/old/ to /new/");
    assert.is(
      ruleFor("http://a.test", "/x", "https://www.a.test/x/"),
      "http to https, a.test to www.a.test, a slash added",
    );
  });

  test("given another page, only another query, or no URL, there is no rule", () => {
    for (const location of ["/login", "/x?ticket=1", "mailto:a@b.test", "", "http://"])
      assert.is(ruleFor("https://a.test", "/x", location), null);
  });
});
