import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { groupedAlike, groupedBy, groupedByCommonKeys } from "../../../src/engine/insights/grouped.ts";
import { describe } from "../../support/describe.ts";

describe("grouping by key", (test) => {
  test("given items with keys, has each item with a key in the group of its key, in order", () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.constantFrom("a", "b", "c"))), (keys) => {
        const items = keys.map((key, index) => ({ key, index }));
        const groups = groupedBy(items, ({ key }) => key);
        for (const key of ["a", "b", "c"])
          assert.equal(
            groups.get(key) ?? [],
            items.filter((item) => item.key === key),
          );
        assert.equal([...groups.keys()], [...new Set(keys.filter((key) => key !== null))]);
      }),
    );
  });
});

describe("joining of groups with shared keys", (test) => {
  test("given items that share keys directly or through others, each group keeps its order", () => {
    const items = [["a", "1"], ["b", "2"], ["c", "2"], ["d", "3"], ["c", "1"], ["e"]];
    assert.equal(
      groupedByCommonKeys(items, (keys) => keys).map((group) => group.map((keys) => keys.join(""))),
      [["a1", "b2", "c2", "c1"], ["d3"], ["e"]],
    );
  });

  test("given a long row in which each shares a key with the next, it is one group", () => {
    const items = Array.from({ length: 20_000 }, (_, index) => index);
    assert.is(groupedByCommonKeys(items, (index) => [`${index}`, `${index + 1}`]).length, 1);
  });

  test("given items that are alike, each joins the first group to whose first item it is alike", () => {
    const groups = groupedAlike([1, 4, 2, 3, 5], (one, other) => Math.abs(one - other) <= 1);
    assert.equal(groups, [
      [1, 2],
      [4, 3, 5],
    ]);
  });
});
