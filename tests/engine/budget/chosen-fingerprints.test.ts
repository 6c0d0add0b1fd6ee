import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { chosenFrom } from "../../../src/engine/budget/chosen-fingerprints.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { describe } from "../../support/describe.ts";
import { problemOf } from "../../support/problem-of.ts";

const named = (fingerprint: string, time = 1) => {
  return { fingerprint, finding: `errors ${fingerprint}`, cost: { time, count: 1, requests: 10 } };
};

describe("candidates to accept", (test) => {
  test("given first digits, takes the one fingerprint that they fit, and counts its findings", () => {
    const digits = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(digits, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 4 }), (all, length) => {
        const candidates = all.map((one) => named(one));
        assert.equal(unwrap(chosenFrom(candidates, null)).length, new Set(all).size);
        const [first = ""] = all;
        const fitting = new Set(all.filter((one) => one.startsWith(first.slice(0, length))));
        const chosen = chosenFrom(candidates, [first.slice(0, length), first]);
        if (fitting.size > 1) return assert.ok(problemOf(chosen).includes(`fits ${fitting.size} fingerprints: `));
        const count = all.filter((one) => one === first).length;
        assert.equal(unwrap(chosen), [{ ...named(first), count }]);
      }),
    );
  });

  test("given a fingerprint of several findings, takes the one that costs most for each request", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (times) => {
        const chosen = unwrap(
          chosenFrom(
            times.map((time) => named("aaaa", time)),
            null,
          ),
        );
        assert.equal(chosen, [{ ...named("aaaa", Math.max(...times)), count: times.length }]);
      }),
    );
  });

  test("given digits that fit none, names what there is", () => {
    const problem = problemOf(chosenFrom([named("aaaa"), named("bbbb")], ["cccc"]));
    assert.is(problem, "No finding has the fingerprint cccc. There are: aaaa (errors aaaa), bbbb (errors bbbb).");
    assert.is(problemOf(chosenFrom([], null)), "There is no finding to accept.");
  });
});
