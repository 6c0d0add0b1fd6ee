import * as assert from "uvu/assert";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { type PickedRows, type Selected, VIEW_NAMES } from "../../../../src/ui/state/selection.ts";
import {
  exportCommandOf,
  exportedRows,
  firstFormat,
  rowsOf,
  selectedTextOf,
  shownTable,
  shownTextOf,
  unfilteredTextOf,
} from "../../../../src/ui/views/shell/export.ts";
import { describe } from "../../../support/describe.ts";

describe("choices of the Export dialog", (test) => {
  test("given a view, offers what it shows first: a table, the report, or traffic", () => {
    const formats = VIEW_NAMES.map((view) => firstFormat({ view, performanceTab: "findings" }));
    assert.equal(formats, ["har", "html", "har", "har", "har"]);
    for (const performanceTab of ["latency", "slow", "payload", "chains", "trends"] as const) {
      assert.is(firstFormat({ view: "performance", performanceTab }), "table-csv");
      assert.is(shownTable({ view: "performance", performanceTab }), performanceTab);
      assert.is(shownTable({ view: "timeline", performanceTab }), null);
    }
  });

  test("given a format, applies the filter except to the report, and the selection to traffic alone", () => {
    const picked: PickedRows = { ...rowsOf(4 as ExchangeId), filter: "dur>9" };
    const made = (format: Parameters<typeof exportCommandOf>[0]) => {
      const command = exportCommandOf(format, true, { table: "slow", picked, filter: "host:api" });
      return [command.format, command.table, command.filter, command.picked === picked];
    };
    assert.equal(made("har"), ["har", null, "dur>9", true]);
    assert.equal(made("json"), ["json", null, "dur>9", true]);
    assert.equal(made("html"), ["html", null, "", false]);
    assert.equal(made("table-csv"), ["csv", "slow", "host:api", false]);
    assert.equal(made("table-md"), ["md", "slow", "host:api", false]);
    assert.equal(made("table-json"), ["json", "slow", "host:api", false]);
  });

  test("given a filter, the choice of all names it and counts what matches", () => {
    assert.is(shownTextOf("", null), "All shown");
    assert.is(shownTextOf("dur>9", 1), "The one shown, which matches dur>9");
    assert.is(shownTextOf("", 1_204), "All 1,204 shown");
    assert.is(shownTextOf("status:404", 3), "All 3 shown, which match status:404");
    assert.is(unfilteredTextOf("status:404", null), "All without the filter");
    assert.is(unfilteredTextOf("status:404", 1_204), "All 1,204 without the filter");
    assert.is(unfilteredTextOf("", 3), "", "the choice of what is shown is that of all");
  });

  test("given selected rows, counts them; without any there is no choice of them", () => {
    assert.is(selectedTextOf(0), "");
    assert.is(selectedTextOf(1), "1 selected request");
    assert.is(selectedTextOf(3), "3 selected requests");
  });

  test("given one highlighted row, offers it, and rather the one in the inspector", () => {
    const [one, other] = [4, 9] as ExchangeId[];
    const offered = (selected: Partial<Selected>) =>
      exportedRows({ picked: null, exchange: null, active: null, ...selected } as Selected)?.stretches;
    assert.is(offered({}), undefined);
    assert.equal(offered({ active: one as ExchangeId }), [{ from: one, to: one }]);
    assert.equal(offered({ active: one as ExchangeId, exchange: other as ExchangeId }), [{ from: other, to: other }]);
    const stretches = [{ from: null, to: null }];
    assert.equal(offered({ picked: { stretches } as unknown as PickedRows, exchange: other as ExchangeId }), stretches);
  });
});
