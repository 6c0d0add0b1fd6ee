import * as assert from "uvu/assert";
import { spansOf } from "../../../src/engine/model/span.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";

describe("spans", (test) => {
  test("phases that happened, and the pieces of Weir's own time, lie on the exchange's own time line", () => {
    const { instants } = exchange({
      start: 100,
      end: 190,
      instants: {
        headReceived: 101,
        connectStart: 105,
        secureConnectionStart: 110,
        connectEnd: 130,
        requestStart: 131,
        responseStart: 180,
        responseForwarded: 183,
      },
    });
    assert.equal(spansOf(instants), [
      { phase: "weir", from: 1, to: 5 },
      { phase: "connect", from: 5, to: 10 },
      { phase: "tls", from: 10, to: 30 },
      { phase: "weir", from: 30, to: 31 },
      { phase: "ttfb", from: 31, to: 80 },
      { phase: "weir", from: 80, to: 83 },
      { phase: "transfer", from: 83, to: 90 },
    ]);
  });
});
