import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { PayloadTally } from "../../../src/engine/stats/payload-tally.ts";
import { MOST_VALUES } from "../../../src/engine/stats/percentile.ts";
import { describe } from "../../support/describe.ts";

describe("payload tally", (test) => {
  test("given up to 200 responses, all sizes are kept, ascending; given none, none", () => {
    const tally = new PayloadTally();
    tally.record({ id: 1 as ExchangeId, request: 100, response: null });
    assert.is(tally.sizes, null);
    const drawn = fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: MOST_VALUES });
    fc.assert(
      fc.property(drawn, (sizes) => {
        const { count, values, mean } = tallyOf(sizes).sizes ?? { count: 0, values: [], mean: 0 };
        assert.equal(
          Array.from(values),
          sizes.toSorted((one, other) => one - other),
        );
        assert.equal([count, mean], [sizes.length, sizes.reduce((sum, size) => sum + size, 0) / sizes.length]);
      }),
    );
  });

  test("given more, the sizes kept are those of all of the session, alternating ones too", () => {
    const alternating = Array.from({ length: 10_000 }, (_, index) => (index % 2 === 0 ? 1_000 : 0) + index / 100);
    const { count, values = [] } = tallyOf(alternating).sizes ?? {};
    assert.equal([count, values.length], [10_000, MOST_VALUES]);
    const large = Array.from(values).filter((size) => size >= 1_000);
    const late = Array.from(values).filter((size) => size % 1_000 >= 50);
    for (const half of [large, late]) assert.ok(half.length > 65 && half.length < 135, String(half.length));
  });

  test("given responses in several tallies, merging these equals one tally of all of them", () => {
    const drawn = fc.array(
      fc.oneof(fc.array(fc.nat(1_000_000), { maxLength: 3 }), fc.array(fc.nat(1_000_000), { maxLength: 300 })),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(drawn, fc.array(fc.nat(1_000_000), { maxLength: 3 }), (parts, later) => {
        const merged = new PayloadTally();
        let id = 0;
        for (const part of parts) {
          const tally = new PayloadTally();
          for (const response of part) tally.record({ id: ++id as ExchangeId, request: 0, response });
          merged.absorb(tally);
        }
        for (const response of later) merged.record({ id: ++id as ExchangeId, request: 0, response });
        const all = tallyOf([...parts.flat(), ...later]);
        assert.equal(merged.sizes, all.sizes);
        assert.equal([merged.largest, merged.meanResponse], [all.largest, all.meanResponse]);
      }),
    );
  });

  test("given an exchange without a complete response, counts its request size only", () => {
    const tally = new PayloadTally();
    tally.record({ id: 1 as ExchangeId, request: 100, response: 300 });
    tally.record({ id: 2 as ExchangeId, request: 50, response: null });
    assert.is(tally.meanRequest, 75);
    assert.is(tally.meanResponse, 300);
    assert.is(tally.responses, 1);
    assert.is(tally.largest, 300);
  });

  test("given decoded sizes, the ratio uses compressed bodies only and the decoded mean all known bodies", () => {
    const tally = new PayloadTally();
    assert.is(tally.compressionRatio, null);
    assert.is(tally.meanDecoded, null);
    tally.recordDecoded(100, 400, true);
    tally.recordDecoded(500, 500, false);
    tally.recordDecoded(0, 0, true);
    assert.is(tally.compressionRatio, 4);
    assert.is(tally.meanDecoded, 300);
  });

  test("given no requests, the mean request size is 0 and response figures are null", () => {
    const tally = new PayloadTally();
    assert.equal([tally.meanRequest, tally.meanResponse, tally.largest], [0, null, null]);
  });
});

function tallyOf(sizes: readonly number[]): PayloadTally {
  const tally = new PayloadTally();
  for (const [index, response] of sizes.entries())
    tally.record({ id: (index + 1) as ExchangeId, request: 0, response });
  return tally;
}
