import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { delayedBodiesAmong } from "../../../../src/engine/insights/findings/delayed-bodies.ts";
import { describe } from "../../../support/describe.ts";

const bodies = fc.array(
  fc.boolean().map((isDelayed) => ({ isDelayed, transfer: isDelayed ? 41 : 1 })),
  { minLength: 5, maxLength: 60 },
);

/** Numbers from 0 to 1 at equal distances. */
const evenly = (count: number) => Array.from({ length: count }, (_, index) => (index + 0.5) / count);

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

  test("given timers of 40 ms of which a busy machine runs a few up to 10 ms late, all bodies are delayed", () => {
    fc.assert(
      fc.property(fc.integer({ min: 40, max: 200 }), fc.double({ min: 8.5, max: 9.9, noNaN: true }), (count, most) => {
        const late = evenly(count).map((one) => ({ transfer: 40 + most * one ** 3 }));
        assert.is(delayedBodiesAmong(late)?.requests.length, count);
      }),
    );
  });

  test("given a server that takes 35 to 50 ms for each body, none is delayed", () => {
    fc.assert(
      fc.property(fc.integer({ min: 40, max: 200 }), (count) => {
        assert.is(delayedBodiesAmong(evenly(count).map((one) => ({ transfer: 35 + 15 * one }))), null);
      }),
    );
  });
});
