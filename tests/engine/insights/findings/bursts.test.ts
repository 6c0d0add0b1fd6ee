import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { burstsIn } from "../../../../src/engine/insights/findings/bursts.ts";
import { describe } from "../../../support/describe.ts";

const spans = fc
  .array(fc.record({ start: fc.nat(100), length: fc.nat(20) }))
  .map((all) => all.map(({ start, length }) => ({ start, end: start + length })))
  .map((all) => all.toSorted((left, right) => left.start - right.start));

describe("bursts", (test) => {
  test("given any spans, a burst ends exactly where the next span begins later than the gap", () => {
    fc.assert(
      fc.property(spans, fc.nat(10), (all, gap) => {
        const bursts = burstsIn(all, gap);
        assert.equal(bursts.flat(), all);
        const firsts = new Set(bursts.map(([first]) => first));
        for (const [index, span] of all.entries()) {
          const until = Math.max(Number.NEGATIVE_INFINITY, ...all.slice(0, index).map(({ end }) => end));
          assert.is(firsts.has(span), span.start > until + gap);
        }
      }),
    );
  });
});
