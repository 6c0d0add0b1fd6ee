import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { groupedBy } from "../../../src/engine/insights/grouped.ts";
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
