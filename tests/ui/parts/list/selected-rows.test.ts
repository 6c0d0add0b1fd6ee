import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  ALL_SELECTED,
  isSelectedRow,
  NOTHING_SELECTED,
  relocated,
  type SelectedRows,
  selectedBetween,
  toggled,
} from "../../../../src/ui/parts/list/selected-rows.ts";
import { describe } from "../../../support/describe.ts";

const ROWS = 12;
const position = (index: number) => ({ key: `row ${index}`, index });
const next = (index: number) => (index < 0 || index >= ROWS ? null : position(index));

/** "..###.": the rows of a list of twelve, selected ones as #. */
function drawn(selected: SelectedRows): string {
  return Array.from({ length: ROWS }, (_, index) => (isSelectedRow(selected, index) ? "#" : ".")).join("");
}

describe("selected rows", (test) => {
  test("given two ends of a range in either order, selects both ends and all rows between", () => {
    assert.is(drawn(NOTHING_SELECTED), "............");
    assert.is(drawn(ALL_SELECTED), "############");
    assert.is(drawn(selectedBetween(position(7), position(5))), ".....###....");
    assert.is(drawn(selectedBetween(position(5), position(7))), ".....###....");
  });

  test("given rows toggled one by one, selects exactly those toggled an odd number of times", () => {
    fc.assert(
      fc.property(fc.constantFrom(NOTHING_SELECTED, ALL_SELECTED), fc.array(fc.nat(ROWS - 1)), (from, turns) => {
        let selected: SelectedRows = from;
        const plain = Array.from({ length: ROWS }, () => from === ALL_SELECTED);
        for (const index of turns) {
          selected = toggled(selected, position(index), next(index - 1), next(index + 1));
          plain[index] = !plain[index];
          assert.is(drawn(selected), plain.map((each) => (each ? "#" : ".")).join(""));
        }
      }),
    );
  });

  test("given rows that moved, moves the ends of the selection along, and keeps ends whose rows are unknown", () => {
    const selected = selectedBetween(position(2), position(4));
    assert.is(drawn(relocated(selected, (key) => (key === "row 4" ? 6 : null))), "..#####.....");
    assert.is(
      relocated(selected, () => null),
      selected,
    );
  });
});
