import * as assert from "uvu/assert";
import type { PickedSums } from "../../../../src/engine/messages/traffic-messages.ts";
import { summaryItemsOf } from "../../../../src/ui/views/traffic/selection-summary.ts";
import { describe } from "../../../support/describe.ts";

const SUMS: PickedSums = { count: 1_204, errors: 1, bytes: 2_048, p50: 3.25, p95: 88, longest: 1_204 };

function said(change: Partial<PickedSums> = {}): readonly string[] {
  return summaryItemsOf({ ...SUMS, ...change }).map(({ before, figure, after }) => before + figure + after);
}

describe("summary line of selected rows", (test) => {
  test("given selected exchanges, shows count, size, latencies and errors", () => {
    assert.equal(said(), ["1,204 selected", "2.0 KB", "p50 3.3 ms", "p95 88 ms", "max 1,204 ms", "1 error"]);
    assert.is(said({ errors: 0 }).at(-1), "0 errors");
  });

  test("given no latencies, leaves them out; given a single row, shows nothing", () => {
    assert.equal(said({ p50: null, p95: null, longest: null }), ["1,204 selected", "2.0 KB", "1 error"]);
    assert.equal(said({ count: 1 }), []);
    assert.equal(summaryItemsOf(null), []);
  });
});
