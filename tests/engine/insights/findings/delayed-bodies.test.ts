import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { delayedBodiesAmong } from "../../../../src/engine/insights/findings/delayed-bodies.ts";
import { describe } from "../../../support/describe.ts";
import { seeded } from "../../../support/seeded.ts";

const bodies = fc.array(
  fc.boolean().map((isDelayed) => ({ isDelayed, transfer: isDelayed ? 41 : 1 })),
  { minLength: 5, maxLength: 60 },
);

/** A drawn number from 0 to 1 for each body. */
const draws = (random: () => number, count: number) => Array.from({ length: count }, random);

describe("delayed bodies", (test) => {
  test("given prompt and delayed bodies, exactly the delayed ones are found, from five on", () => {
    fc.assert(
      fc.property(bodies, (list) => {
        const delayed = list.filter(({ isDelayed }) => isDelayed);
        const found = delayedBodiesAmong(list);
        const isOften = delayed.length >= 5 && delayed.length >= 0.2 * list.length;
        assert.equal(found?.requests ?? [], isOften ? delayed : []);
        if (isOften) assert.is(found?.usual, delayed.length === list.length ? 0 : 1);
      }),
    );
  });

  test("given timers of 40 ms that a busy machine runs late, the delayed bodies are found", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 40, max: 200 }), (seed, count) => {
        const late = draws(seeded(seed), count).map((one) => ({ transfer: 40 + 9 * one ** 4 }));
        assert.is(delayedBodiesAmong(late)?.requests.length, count);
      }),
    );
  });

  test("given a server that takes 35 to 50 ms for each body, none is delayed", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 60, max: 200 }), (seed, count) => {
        const slow = draws(seeded(seed), count).map((one) => ({ transfer: 35 + 15 * one }));
        assert.is(delayedBodiesAmong(slow), null);
      }),
    );
  });
});
