import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { savedBy, unionOf, waitingOf } from "../../../../src/engine/insights/findings/waiting.ts";
import { describe } from "../../../support/describe.ts";

const spans = fc
  .array(
    fc.record({
      client: fc.constantFrom("a", "b", "c"),
      start: fc.integer({ min: 0, max: 60 }),
      length: fc.integer({ min: 0, max: 20 }),
    }),
    { maxLength: 25 },
  )
  .map((list) => list.map(({ client, start, length }) => ({ client, start, end: start + length })));

describe("waiting time of clients", (test) => {
  test("given any spans, it is the number of moments in which a client waited, never more than their sum", () => {
    fc.assert(
      fc.property(spans, (list) => {
        const moments = new Set(
          list.flatMap(({ client, start, end }) =>
            Array.from({ length: end - start }, (_, index) => `${client} ${start + index}`),
          ),
        );
        assert.is(waitingOf(list), moments.size);
        assert.ok(waitingOf(list) <= list.reduce((sum, { start, end }) => sum + end - start, 0));
      }),
    );
  });

  test("given any order, the sum is the same", () => {
    fc.assert(
      fc.property(spans, (list) => {
        assert.is(waitingOf(list.toReversed()), waitingOf(list));
        assert.is(unionOf(list.toReversed()), unionOf(list));
      }),
    );
  });

  test("given spans that stay, what is saved and what stays add up", () => {
    fc.assert(
      fc.property(spans, spans, (gone, kept) => {
        assert.is(savedBy([...gone, ...kept], kept) + waitingOf(kept), waitingOf([...gone, ...kept]));
      }),
    );
  });
});
