import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { unwrap } from "../../../../src/engine/model/result.ts";
import { filterOf } from "../../../../src/engine/session/filter/filter.ts";
import { filterText } from "../../../../src/engine/session/filter/filter-to-text.ts";
import { describe } from "../../../support/describe.ts";
import { drawnFilter } from "../../../support/filters.ts";
import { rounds } from "../../../support/rounds.ts";

describe("filter text", (test) => {
  test("given any filter, is read as the same filter", () =>
    fc.assert(
      fc.property(drawnFilter(), (written) => {
        const filter = filterOf(written);
        fc.pre(filter.ok);
        assert.equal(unwrap(filterOf(filterText(filter.value))), filter.value, filterText(filter.value));
      }),
      { numRuns: rounds(500) },
    ));

  test("given any text that is a filter, is read as the same filter", () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "host:", '"', " ", "(", ")", " OR ", "-", ",", "1", ">", "dur>1", "q.x:", "//"), {
          maxLength: 12,
        }),
        (parts) => {
          const filter = filterOf(parts.join(""));
          if (filter.ok)
            assert.equal(unwrap(filterOf(filterText(filter.value))), filter.value, filterText(filter.value));
        },
      ),
      { numRuns: rounds(1_000) },
    ));
});
