import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { agreedGain, isBesidePath } from "../../../src/engine/model/load-gain.ts";
import { describe } from "../../support/describe.ts";

const time = fc.double({ min: -500, max: 5_000, noNaN: true });

describe("load gain", (test) => {
  test("given both calculations less than 1 ms apart, returns one figure; otherwise none", () => {
    fc.assert(
      fc.property(time, time, (byLinks, atMost) => {
        assert.is(agreedGain({ byLinks, atMost }), Math.abs(atMost - byLinks) < 1 ? atMost : null);
        assert.is(agreedGain({ byLinks, atMost: byLinks }), byLinks);
      }),
    );
  });

  test("given a gain of at most less than 1 ms, the requests are beside the path", () => {
    fc.assert(
      fc.property(time, (atMost) => {
        assert.is(isBesidePath({ sum: { byLinks: 0, atMost } }), atMost < 1);
      }),
    );
  });
});
