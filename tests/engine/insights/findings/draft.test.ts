import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { largestOf } from "../../../../src/engine/insights/findings/draft.ts";
import { medianOf } from "../../../../src/engine/stats/percentile.ts";
import { describe } from "../../../support/describe.ts";
import { Scene, times } from "../../../support/scene.ts";

describe("finding draft figures", (test) => {
  test("given any values, the largest and the middle one are those of the sorted values", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 1 }), (values) => {
        const sorted = values.toSorted((left, right) => left - right);
        assert.is(largestOf(values), sorted.at(-1));
        const [low, high] = [
          sorted[Math.floor((sorted.length - 1) / 2)] ?? 0,
          sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0,
        ];
        assert.is(medianOf(values), (low + high) / 2);
      }),
    );
    assert.equal([largestOf([]), medianOf([])], [0, 0]);
  });

  test("given a list longer than a stack, has its largest value", () => {
    assert.is(largestOf(times(300_000)), 299_999);
  });

  test(
    "given more requests than a stack holds, finds their cause",
    () => {
      const scene = new Scene();
      for (const index of times(150_000))
        scene.ask({ at: index * 200, target: `/a?n=${index}`, bytes: 600_000, server: 1, transfer: 15, body: null });
      assert.is(scene.only().kind, "large-responses");
    },
    { isLong: true },
  );
});
