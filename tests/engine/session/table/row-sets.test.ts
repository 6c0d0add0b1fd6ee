import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { joinedRows, otherRows, sharedRows } from "../../../../src/engine/session/table/row-sets.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";

/** Ascending rows with gaps, or a stretch without one. */
const ROWS = fc.oneof(
  fc.uniqueArray(fc.nat(60)).map((rows) => Uint32Array.from(rows).sort()),
  fc.tuple(fc.nat(60), fc.nat(40)).map(([first, length]) => Uint32Array.from({ length }, (_, index) => first + index)),
);

describe("row sets", (test) => {
  test("given any two, joins, intersects and subtracts them, in order", () => {
    fc.assert(
      fc.property(ROWS, ROWS, (one, other) => {
        const has = new Set(other);
        assert.equal(
          [...sharedRows(one, other)],
          [...one].filter((row) => has.has(row)),
        );
        assert.equal(
          [...otherRows(one, other)],
          [...one].filter((row) => !has.has(row)),
        );
        assert.equal(
          [...joinedRows(one, other)],
          [...new Set([...one, ...other])].sort((left, right) => left - right),
        );
      }),
      { numRuns: rounds(500) },
    );
  });
});
