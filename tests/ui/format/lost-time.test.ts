import * as assert from "uvu/assert";
import { lostTimePhrase } from "../../../src/ui/format/lost-time.ts";
import { describe } from "../../support/describe.ts";

describe("lost time format", (test) => {
  test("given an amount of lost time, picks ms, seconds, or minutes with seconds by its length", () => {
    const table: readonly (readonly [number, string])[] = [
      [0, "0.0 ms"],
      [4.12, "4.1 ms"],
      [840.2, "840 ms"],
      [41_249, "41.2 s"],
      [999.6, "1.0 s"],
      [59_960, "1 min 0 s"],
      [358_000, "5 min 58 s"],
      [7_200_000, "120 min 0 s"],
    ];
    for (const [length, text] of table) assert.is(lostTimePhrase(length), text);
  });
});
