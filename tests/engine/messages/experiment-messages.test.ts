import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { decodeToEngine } from "../../../src/engine/messages/decode.ts";
import {
  experimentResultText,
  FEWEST_UNITS,
  LONGEST_LEVEL,
  MOST_UNITS,
} from "../../../src/engine/messages/experiment-messages.ts";
import { describe } from "../../support/describe.ts";

const command = (part: object) => {
  const start = { type: "start-experiment", target: "GET /a", client: null, levels: [0, 1, 2], units: 30 };
  return decodeToEngine(
    JSON.stringify({ type: "command", number: 1, command: { ...start, confirmed: false, ...part } }),
  );
};

describe("experiment messages", (test) => {
  test("given levels and numbers within the limits, accepts a command, and refuses others", () =>
    fc.assert(
      fc.property(fc.integer({ min: -9, max: 2_100 }), fc.integer({ min: 0, max: 400 }), (level, units) => {
        const isGood = level >= 0 && level <= LONGEST_LEVEL && units >= FEWEST_UNITS && units <= MOST_UNITS;
        assert.is(command({ levels: [0, 100, level], units }) !== null, isGood);
      }),
    ));

  test("given another number of levels or one that is not whole, refuses the command", () => {
    for (const levels of [[0, 1], [0, 1, 2, 3], [0, 1, 2.5], "0,1,2"]) assert.is(command({ levels }), null);
  });

  test("given an end that is not the verdict, its reason comes before the verdict", () => {
    assert.is(experimentResultText({ end: "enough", text: "Verdict." }), "Verdict.");
    assert.is(experimentResultText({ end: "time", text: "Verdict." }), "Ended after 10 minutes. Verdict.");
  });
});
