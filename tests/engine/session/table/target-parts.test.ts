import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { RepeatingTextColumn } from "../../../../src/engine/session/table/repeating-text-column.ts";
import { TargetParts } from "../../../../src/engine/session/table/target-parts.ts";
import { describe } from "../../../support/describe.ts";

describe("parts of targets", (test) => {
  test("given targets that come in any pieces, each part has the exchanges of all targets with it", () => {
    const target = fc.stringMatching(/^[abc]{1,3}$/);
    fc.assert(
      fc.property(fc.array(target, { maxLength: 30 }), fc.integer({ min: 1, max: 5 }), (targets, most) => {
        const column = new RepeatingTextColumn();
        let asked = 0;
        const parts = new TargetParts(column, (text) => {
          asked += 1;
          return text;
        });
        const exchanges: number[] = [];
        for (const [row, each] of targets.entries()) {
          column.put(row, each);
          const number = column.numbers.at(row);
          exchanges[number] = (exchanges[number] ?? 0) + 1;
          if (row % 4 === 0) while (!parts.read(most));
        }
        while (!parts.read(most));
        const counts = parts.countsOf(exchanges);
        for (const letter of "abc") {
          const expected = targets.filter((each) => each.includes(letter)).length;
          assert.is(counts.get(letter) ?? 0, expected, letter);
        }
        assert.is(asked, new Set(targets).size, "each text is read once");
        assert.equal([...parts.countsOf([])], []);
      }),
    );
  });
});
