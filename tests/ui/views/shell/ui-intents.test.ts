import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { type Selected, Selection } from "../../../../src/ui/state/selection.ts";
import { closedLevel } from "../../../../src/ui/views/shell/ui-intents.ts";
import { describe } from "../../../support/describe.ts";

const AT_START = new Selection().now;
const finding = { key: "k", title: "Retries", exchanges: new Set([1]) } as unknown as Selected["finding"];

describe("keyboard shortcuts of the window", (test) => {
  test("given Escape, closes one level after the other: inspector, panel, finding, filter", () => {
    const levels: readonly Partial<Selected>[] = [
      { exchange: 1 as Selected["exchange"] },
      { endpoint: "GET https://a.test/" as Selected["endpoint"] },
      { finding },
      { filter: "host:a" },
    ];
    fc.assert(
      fc.property(fc.subarray([...levels]), (open) => {
        const view = { view: "performance", performanceTab: "findings" } as const;
        const start: Selected = Object.assign({ ...AT_START, ...view }, ...open);
        let selected = start;
        for (const level of open) {
          const change = closedLevel(selected);
          assert.equal(Object.keys(change), Object.keys(level));
          selected = { ...selected, ...change };
        }
        assert.equal(closedLevel(selected), {});
        assert.equal(selected, { ...AT_START, ...view });
      }),
    );
  });

  test("given a finding that is highlighted in another view, keeps it on Escape", () => {
    for (const view of ["traffic", "timeline"] as const)
      assert.equal(closedLevel({ ...AT_START, view, finding, filter: "a" }), { filter: "" });
  });
});
