import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { Heap } from "../../../src/engine/insights/heap.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";

describe("binary heap", (test) => {
  test("given any pushes and pops, pops the smallest value", () => {
    const steps = fc.array(fc.option(fc.nat(30), { freq: 2 }), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (drawn) => {
        const heap = new Heap<number>((left, right) => left < right);
        const left: number[] = [];
        for (const step of [...drawn, ...drawn.map(() => null)]) {
          if (step === null) assert.is(heap.pop(), left.shift() ?? null);
          else {
            heap.push(step);
            left.push(step);
            left.sort((one, other) => one - other);
          }
          assert.is(heap.top, left[0] ?? null);
        }
      }),
      { numRuns: rounds(500) },
    );
  });
});
