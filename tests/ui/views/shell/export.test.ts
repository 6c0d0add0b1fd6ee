import * as assert from "uvu/assert";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import type { PickedRows, Selected } from "../../../../src/ui/state/selection.ts";
import { exportedRows, selectedTextOf, shownTextOf } from "../../../../src/ui/views/shell/export.ts";
import { describe } from "../../../support/describe.ts";

describe("choices of the Export dialog", (test) => {
  test("given a filter, the choice of all names it and counts what matches", () => {
    assert.is(shownTextOf("", null), "All shown");
    assert.is(shownTextOf("dur>9", 1), "The one shown, which matches dur>9");
    assert.is(shownTextOf("", 1_204), "All 1,204 shown");
    assert.is(shownTextOf("status:404", 3), "All 3 shown, which match status:404");
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
