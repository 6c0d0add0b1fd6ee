import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  ALL_PICKED,
  isPicked,
  NOTHING_PICKED,
  type Picked,
  pickedBetween,
  relocated,
  toggled,
} from "../../../src/ui/parts/picked-rows.ts";
import { describe } from "../../support/describe.ts";

const ROWS = 12;
const place = (index: number) => ({ key: `row ${index}`, index });
const next = (index: number) => (index < 0 || index >= ROWS ? null : place(index));

/** "..###.": the rows of a list of twelve, picked ones as #. */
function drawn(picked: Picked): string {
  return Array.from({ length: ROWS }, (_, index) => (isPicked(picked, index) ? "#" : ".")).join("");
}

describe("picked rows", (test) => {
  test("a stretch holds both its ends, whichever was first", () => {
    assert.is(drawn(NOTHING_PICKED), "............");
    assert.is(drawn(ALL_PICKED), "############");
    assert.is(drawn(pickedBetween(place(7), place(5))), ".....###....");
    assert.is(drawn(pickedBetween(place(5), place(7))), ".....###....");
  });

  test("whatever rows are turned one by one, each is picked that was turned an odd number of times", () => {
    fc.assert(
      fc.property(fc.constantFrom(NOTHING_PICKED, ALL_PICKED), fc.array(fc.nat(ROWS - 1)), (from, turns) => {
        let picked: Picked = from;
        const plain = Array.from({ length: ROWS }, () => from === ALL_PICKED);
        for (const index of turns) {
          picked = toggled(picked, place(index), next(index - 1), next(index + 1));
          plain[index] = !plain[index];
          assert.is(drawn(picked), plain.map((each) => (each ? "#" : ".")).join(""));
        }
      }),
    );
  });

  test("ends go where their rows have gone; of those that are not known they stay", () => {
    const picked = pickedBetween(place(2), place(4));
    assert.is(drawn(relocated(picked, (key) => (key === "row 4" ? 6 : null))), "..#####.....");
    assert.is(
      relocated(picked, () => null),
      picked,
    );
  });
});
