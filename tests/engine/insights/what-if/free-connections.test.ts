import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { connectionsOf, FreeConnections } from "../../../../src/engine/insights/what-if/free-connections.ts";
import { describe } from "../../../support/describe.ts";

const spans = fc.array(fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 300 })), { maxLength: 40 });

describe("connections of a what-if recalculation", (test) => {
  test("given any requests, counts those in flight at once, and at least six", () => {
    fc.assert(
      fc.property(spans, (drawn) => {
        const begins = drawn.map(([begin]) => begin);
        const ends = drawn.map(([begin, length]) => begin + length);
        const atOnce = begins.map((at) => drawn.filter(([begin, length]) => begin <= at && begin + length > at).length);
        assert.is(connectionsOf(begins, ends), Math.max(6, ...atOnce));
      }),
    );
  });

  test("given connections in use, the one that becomes free first is taken next", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.integer({ min: 1, max: 99 })), (count, ends) => {
        const free = new FreeConnections(count);
        const inUse: number[] = [];
        for (const end of ends) {
          assert.is(free.freeAt, inUse.length < count ? Number.NEGATIVE_INFINITY : Math.min(...inUse));
          if (inUse.length === count) inUse.splice(inUse.indexOf(Math.min(...inUse)), 1);
          inUse.push(end);
          free.occupy(end);
        }
      }),
    );
  });
});
