import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { Assignment } from "../../../../src/engine/insights/experiment/assignment.ts";
import { describe } from "../../../support/describe.ts";
import { seeded } from "../../../support/seeded.ts";

const levelsDrawn = fc.uniqueArray(fc.integer({ min: 0, max: 2_000 }), { minLength: 2, maxLength: 5 });

describe("assignment of experiment levels", (test) => {
  test("given any levels, each block has every level once", () => {
    fc.assert(
      fc.property(levelsDrawn, fc.integer(), fc.integer({ min: 1, max: 20 }), (levels, seed, blocks) => {
        const assignment = new Assignment(levels, seeded(seed));
        const drawn = Array.from({ length: blocks * levels.length }, () => assignment.next());
        for (let block = 0; block < blocks; block += 1) {
          const own = drawn.slice(block * levels.length, (block + 1) * levels.length);
          assert.ok(own.every((draw) => draw.block === block));
          assert.equal(own.map(({ level }) => level).toSorted(), levels.toSorted());
        }
      }),
    );
  });

  test("given many blocks, each order of three levels is equally frequent", () => {
    const assignment = new Assignment([0, 100, 300], seeded(5));
    const counts = new Map<string, number>();
    for (let block = 0; block < 6_000; block += 1) {
      const order = [assignment.next(), assignment.next(), assignment.next()].map(({ level }) => level).join();
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    assert.is(counts.size, 6);
    for (const count of counts.values()) assert.ok(Math.abs(count - 1_000) < 150, `${count}`);
  });

  test("given draws that were put back, they come again, and every block becomes whole", () => {
    fc.assert(
      fc.property(levelsDrawn, fc.array(fc.boolean(), { minLength: 30, maxLength: 60 }), (levels, isLeftOut) => {
        const assignment = new Assignment(levels, seeded(isLeftOut.length));
        const counted = new Map<number, number[]>();
        for (const isOut of isLeftOut) {
          const draw = assignment.next();
          if (isOut) assignment.putBack(draw);
          else counted.set(draw.block, [...(counted.get(draw.block) ?? []), draw.level]);
        }
        const last = Math.max(...counted.keys());
        for (const [block, own] of counted) if (block < last) assert.equal(own.toSorted(), levels.toSorted());
      }),
    );
  });
});
