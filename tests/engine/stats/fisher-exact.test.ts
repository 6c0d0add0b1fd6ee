import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { fisherExact } from "../../../src/engine/stats/fisher-exact.ts";
import { describe } from "../../support/describe.ts";
import { subsetsOf } from "../../support/enumeration.ts";
import { rounds } from "../../support/rounds.ts";

describe("Fisher's exact test", (test) => {
  test("given any small table, p is the share of all assignments that are at most as likely", () => {
    const cell = fc.integer({ min: 0, max: 4 });
    fc.assert(
      fc.property(cell, cell, cell, cell, (a, b, c, d) => {
        fc.pre(a + b + c + d > 0);
        assert.ok(Math.abs(fisherExact(a, b, c, d) - enumerated(a, b, c, d)) < 1e-9);
      }),
      { numRuns: rounds(60) },
    );
  });

  test("given Fisher's own table of tea cups, p is 0.486", () => {
    assert.ok(Math.abs(fisherExact(3, 1, 1, 3) - 34 / 70) < 1e-12);
  });

  test("given rows and columns swapped, p stays the same", () => {
    const cell = fc.integer({ min: 0, max: 60 });
    fc.assert(
      fc.property(cell, cell, cell, cell, (a, b, c, d) => {
        const p = fisherExact(a, b, c, d);
        assert.ok(p > 0 && p <= 1);
        assert.ok(Math.abs(p - fisherExact(a, c, b, d)) < 1e-9);
        assert.ok(Math.abs(p - fisherExact(c, d, a, b)) < 1e-9);
      }),
    );
  });
});

/** Counts all ways to choose the slow ones. */
function enumerated(a: number, b: number, c: number, d: number): number {
  const [withIt, all, slow] = [a + b, a + b + c + d, a + c];
  const counts = new Map<number, number>();
  let total = 0;
  for (const chosen of subsetsOf(all, slow)) {
    const both = chosen.filter((index) => index < withIt).length;
    counts.set(both, (counts.get(both) ?? 0) + 1);
    total += 1;
  }
  const own = counts.get(a) ?? 0;
  return [...counts.values()].filter((count) => count <= own).reduce((sum, count) => sum + count, 0) / total;
}
