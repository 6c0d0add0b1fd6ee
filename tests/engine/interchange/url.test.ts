import * as assert from "uvu/assert";
import { urlOf } from "../../../src/engine/interchange/url.ts";
import { describe } from "../../support/describe.ts";

describe("exchange URL", (test) => {
  const origin = "http://127.0.0.1:8686";

  test("given a target that could not be parsed, is the target as it came", () => {
    for (const target of ["http:///up.test/x", "http://[::1/x", "b.test:80"])
      assert.is(urlOf({ origin, target, tags: ["malformed"] }), target);
    assert.is(urlOf({ origin, target: "/x", tags: ["malformed"] }), `${origin}/x`);
  });

  test("given a path, begins with the origin; given a server as a whole, is the origin", () => {
    assert.is(urlOf({ origin, target: "/x?y", tags: [] }), `${origin}/x?y`);
    assert.is(urlOf({ origin, target: "*", tags: [] }), origin);
    for (const tag of ["tunnel", "refused"] as const)
      assert.is(urlOf({ origin: "https://a.test", target: "a.test:443", tags: [tag] }), "https://a.test");
  });
});
