import * as assert from "uvu/assert";
import { matchesOf, matchesTextOf } from "../../../src/ui/views/list-now.ts";
import { describe } from "../../support/describe.ts";

describe("list status", (test) => {
  test("given a filter whose bodies are being searched, says how much of them was searched", () => {
    const now = { problem: null, isDisconnected: false };
    const textOf = (searched?: number) =>
      matchesTextOf(
        matchesOf({ ...now, state: { matched: 3, total: 1_200, ...(searched === undefined ? {} : { searched }) } }),
      );
    assert.equal(
      [textOf(0.357), textOf(0.999), textOf()],
      ["3 of 1,200, 35 % of bodies searched", "3 of 1,200, 99 % of bodies searched", "3 of 1,200"],
    );
  });
});
