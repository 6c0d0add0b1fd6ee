import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { longTargetPredicate, longTargetsOf } from "../../../../src/engine/session/filter/long-target-predicate.ts";
import { rowPredicate } from "../../../../src/engine/session/filter/row-predicate.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";

describe("a test of long targets", (test) => {
  test("given rows with long and short targets, asks the column about read long ones, and the other test about the rest", () =>
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }), fc.nat(20), (areLong, most) => {
        const made = areLong.map((isLong, at) =>
          exchange({ id: at + 1, start: at, end: at + 1, target: `/${"x".repeat(isLong ? 3_000 : 3)}end` }),
        );
        const { table } = recorded(made);
        const column = longTargetsOf(table, { kind: "text", field: "path", text: "end" });
        if (column === null) throw new Error("a path is about targets");
        column.read((id) => ({ target: made[id - 1]?.target ?? "", request: "", response: null }), most);
        const asked: number[] = [];
        const others = rowPredicate((row) => {
          asked.push(row);
          return false;
        });
        const long = areLong.flatMap((isLong, row) => (isLong ? row : []));
        const rows = Uint32Array.from(areLong, (_, row) => row);
        const count = longTargetPredicate(column, others, false).retainMatches(rows, rows.length);
        assert.equal([...rows.subarray(0, count)], long.slice(0, most));
        assert.equal(
          asked,
          areLong.flatMap((isLong, row) => (isLong && long.indexOf(row) < most ? [] : row)),
        );
      }),
    ));
});
