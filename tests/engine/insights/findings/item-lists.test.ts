import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { isGivenByLists, repeatedWithList } from "../../../../src/engine/insights/findings/item-lists.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { describe } from "../../../support/describe.ts";
import { Scene, times } from "../../../support/scene.ts";

describe("item lists in responses", (test) => {
  test("given lists that each gave values to some of a burst, it is theirs from two values each and half of it on", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 12 }), (each, given) => {
        const scene = new Scene();
        const lists = times(12).map((index) => scene.ask({ at: index, target: `/list${index}` }));
        const items = times(12).map((index) => scene.ask({ at: 100 + index * 50, target: `/items/${index}` }));
        for (const index of times(given))
          scene.prove(lists[Math.floor(index / each)] as ExchangeId, items[index] as ExchangeId);
        const burst = scene.traffic().requests.filter(({ id }) => items.includes(id));
        const several = each === 1 ? 0 : given - (given % each === 1 ? 1 : 0);
        assert.is(isGivenByLists(burst, scene.traffic()), several >= 6);
      }),
    );
  });

  test("given bursts after an endpoint, they are its items unless it is mostly asked without a burst", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 8 }), (count, alone) => {
        const scene = new Scene();
        for (const burst of times(count)) {
          scene.ask({ at: burst * 10_000, target: "/list" });
          for (const index of times(6))
            scene.ask({ at: burst * 10_000 + 60 + index * 45, target: `/items/${burst}${index}` });
        }
        for (const index of times(alone)) scene.ask({ at: 100_000 + index * 5_000, target: "/list" });
        const traffic = scene.traffic();
        const bursts = times(count).map((burst) =>
          traffic.requests.filter(({ path }) => path.startsWith(`/items/${burst}`)),
        );
        const isRepeated = count >= 3 && count >= 0.6 * (count + alone);
        assert.equal(repeatedWithList(bursts, "/items/{id}", traffic), isRepeated ? bursts : []);
        const ofCollection = count >= 0.6 * (count + alone);
        assert.equal(repeatedWithList(bursts, "/list/{id}", traffic), ofCollection ? bursts : []);
      }),
    );
  });
});
