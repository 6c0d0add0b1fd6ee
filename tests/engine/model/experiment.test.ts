import * as assert from "uvu/assert";
import { DEFAULT_LEVELS } from "../../../src/engine/model/experiment.ts";
import { describe } from "../../support/describe.ts";

describe("default levels of an experiment", (test) => {
  test("given no others, there are three different ones from 0 to 2,000 ms, and one of them holds nothing back", () => {
    assert.is(new Set(DEFAULT_LEVELS).size, 3);
    assert.is(Math.min(...DEFAULT_LEVELS), 0);
    assert.ok(Math.max(...DEFAULT_LEVELS) <= 2_000);
  });
});
