import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { cacheVerdictOf } from "../../../../src/engine/insights/findings/cache-verdict.ts";
import { trafficOf } from "../../../../src/engine/insights/findings/traffic.ts";
import { describe } from "../../../support/describe.ts";
import { Scene } from "../../../support/scene.ts";

const verdictAfter = (pause: number, response: Record<string, string>, request: Record<string, string> = {}) => {
  const scene = new Scene();
  scene.ask({ at: 0, response, request, server: 0, transfer: 0 });
  scene.ask({ at: pause, response, request });
  const [before, again] = trafficOf(scene.facts, []).requests;
  if (before === undefined || again === undefined) throw new Error("two requests were made");
  return cacheVerdictOf(before, again);
};

describe("cache verdict", (test) => {
  test("given a max-age, it is fresh until then and useless after, by the session's clock", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 2_000_000 }), (age, seconds) => {
        fc.pre(age !== seconds);
        assert.is(
          verdictAfter(seconds * 1_000, { "cache-control": `max-age=${age}` }),
          seconds < age ? "fresh" : "headers",
        );
      }),
    );
  });

  test("given Expires without a Date, the lifetime is unknown", () => {
    assert.is(verdictAfter(1_000, { expires: "Wed, 25 Nov 2099 12:00:00 GMT" }), "headers");
  });

  test("given a stale answer with a validator, the client could have asked with it", () => {
    assert.is(verdictAfter(61_000, { "cache-control": "max-age=60", etag: '"1"' }), "validator");
  });
});
