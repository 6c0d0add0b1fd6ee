import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { SlowedColumn } from "../../../../src/engine/session/table/slowed-column.ts";
import { describe } from "../../../support/describe.ts";

describe("slowed column", (test) => {
  test("given rows of which some were slowed, returns what was written, and null for the others", () => {
    const ms = fc.double({ min: 0, max: 5_000, noNaN: true });
    const anySlowed = fc.record({ request: ms, upload: ms, response: ms }, { noNullPrototype: true });
    fc.assert(
      fc.property(fc.array(fc.option(anySlowed), { maxLength: 50 }), (rows) => {
        const column = new SlowedColumn();
        for (const [row, slowed] of rows.entries()) if (slowed !== null) column.put(row, slowed);
        for (const [row, slowed] of rows.entries()) assert.equal(column.at(row), slowed);
        assert.is(
          column.isEmpty,
          rows.every((slowed) => slowed === null),
        );
      }),
    );
  });
});
