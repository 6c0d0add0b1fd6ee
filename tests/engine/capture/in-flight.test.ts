import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { InFlight } from "../../../src/engine/capture/in-flight.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";

const id = fc.nat(12).map((value) => value as ExchangeId);
const steps = fc.array(fc.record({ id, value: fc.option(fc.record({ seen: fc.nat() })) }), { maxLength: 60 });

describe("in flight", (test) => {
  test("holds what a map holds, whatever comes and goes", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(id, fc.record({ seen: fc.nat() })), { maxLength: 5 }), steps, (known, made) => {
        const [held, model] = [new InFlight(known), new Map(known)];
        for (const step of made) {
          if (step.value === null) {
            held.delete(step.id);
            model.delete(step.id);
          } else {
            held.set(step.id, step.value);
            model.set(step.id, step.value);
          }
          assert.is(held.size, model.size);
          assert.is(held.get(step.id), model.get(step.id) ?? null);
        }
        assert.equal(new Set(held.values()), new Set(model.values()));
        for (const [one, value] of model) assert.is(held.get(one), value);
      }),
    );
  });
});
