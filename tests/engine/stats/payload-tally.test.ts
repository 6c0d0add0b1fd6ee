import * as assert from "uvu/assert";
import { PayloadTally } from "../../../src/engine/stats/payload-tally.ts";
import { describe } from "../../support/describe.ts";

describe("payload tally", (test) => {
  test("an exchange without a whole response counts for requests only", () => {
    const tally = new PayloadTally();
    tally.record({ request: 100, response: 300 });
    tally.record({ request: 50, response: null });
    assert.is(tally.meanRequest, 75);
    assert.is(tally.meanResponse, 300);
    assert.is(tally.responses, 1);
    assert.is(tally.largest, 300);
  });

  test("the ratio is of bodies that were compressed, the decoded mean of all that are known", () => {
    const tally = new PayloadTally();
    assert.is(tally.compressionRatio, null);
    assert.is(tally.meanDecoded, null);
    tally.recordDecoded(100, 400, true);
    tally.recordDecoded(500, 500, false);
    tally.recordDecoded(0, 0, true);
    assert.is(tally.compressionRatio, 4);
    assert.is(tally.meanDecoded, 300);
  });

  test("of no request the mean is 0, of no response there is none", () => {
    const tally = new PayloadTally();
    assert.equal([tally.meanRequest, tally.meanResponse, tally.largest], [0, null, null]);
  });
});
