import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { Membership } from "../../../../src/engine/insights/difference/membership.ts";
import { fisherExact } from "../../../../src/engine/stats/fisher-exact.ts";
import { describe } from "../../../support/describe.ts";
import { Scene, times } from "../../../support/scene.ts";

const COUNT = 40;
const scene = new Scene();
for (const index of times(COUNT)) scene.ask({ at: index * 100 });
const { requests } = scene.traffic();

const bits = fc.array(fc.boolean(), { minLength: COUNT, maxLength: COUNT });

describe("whether requests belong to a chosen set", (test) => {
  test("given members, tests by Fisher's exact test whether the set has them more often", () => {
    fc.assert(
      fc.property(bits, bits, (chosen, members) => {
        const chosenIds = new Set(requests.filter((_, index) => chosen[index]).map(({ id }) => id));
        const membership = new Membership(requests, ({ id }) => chosenIds.has(id));
        const found = membership.test(Uint8Array.from(members, Number));
        const count = (isChosen: boolean, isMember: boolean) =>
          times(COUNT).filter((index) => chosen[index] === isChosen && members[index] === isMember).length;
        const [a, b, c, d] = [count(true, true), count(false, true), count(true, false), count(false, false)];
        const isMore = a >= 5 && b + d > 0 && a / (a + c) - b / (b + d) >= 0.1;
        assert.is(found !== null, isMore);
        if (found === null) return;
        assert.is(found.p, fisherExact(a, b, c, d));
        assert.ok(found.explained > 0 && found.explained <= 1 + 1e-9);
      }),
    );
  });

  test("given a number that is large in the set alone, finds its threshold", () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: COUNT - 5 }), (from) => {
        const membership = new Membership(requests, ({ id }) => id > from);
        const found = membership.threshold(Float64Array.from(requests, ({ id }) => id));
        assert.equal([found?.limit, found?.isAbove], [from + 1, true]);
      }),
    );
  });
});
