import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { evictOldest } from "../../../src/engine/model/evict-oldest.ts";
import { describe } from "../../support/describe.ts";

describe("map with a size cap", (test) => {
  test("given any sets, deletes and clears, keeps the latest keys up to the cap", () => {
    const steps = fc.array(fc.tuple(fc.constantFrom("set", "set", "set", "renew", "delete", "clear"), fc.nat(12)), {
      minLength: 1,
      maxLength: 200,
    });
    let forgotten = 0;
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 8 }), (taken, cap) => {
        const map = new Map<number, number>();
        let order: number[] = [];
        for (const [step, key] of taken) {
          if (step === "clear") {
            map.clear();
            order = [];
          } else if (step === "delete") {
            map.delete(key);
            order = order.filter((one) => one !== key);
          } else {
            if (step === "renew") {
              map.delete(key);
              order = order.filter((one) => one !== key);
            }
            if (!order.includes(key)) order.push(key);
            map.set(key, key);
            evictOldest(map, cap);
            if (order.length > cap) forgotten += 1;
            order = order.slice(-cap);
          }
          assert.equal([...map.keys()], order);
        }
      }),
    );
    assert.ok(forgotten > 0);
  });
});
