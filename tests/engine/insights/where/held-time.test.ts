import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { heldTimesOf, type WaitSpan } from "../../../../src/engine/insights/where/held-time.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { describe } from "../../../support/describe.ts";

const spans = fc
  .array(fc.record({ start: fc.nat(60), length: fc.nat(25) }), { maxLength: 20 })
  .map((list) =>
    list
      .map(({ start, length }, index) => spanOf(index + 1, start, start + length))
      .sort((one, other) => one.start - other.start || one.id - other.id),
  );

describe("held time", (test) => {
  test("given any spans, each moment goes to the span that the rule names", () => {
    fc.assert(
      fc.property(spans, (own) => {
        assert.equal(holdersIn(own), holdersByTheRule(own));
      }),
    );
  });

  test("given equal ends, the later start holds the time, then the higher id", () => {
    const [long, short, twin] = [spanOf(1, 0, 10), spanOf(2, 6, 10), spanOf(3, 6, 10)];
    assert.equal(heldTimesOf([long, short, twin]), [
      { by: twin, from: 6, to: 10 },
      { by: long, from: 0, to: 6 },
    ]);
  });

  test("given twice as many overlapping spans, reads at most twice as many times", () => {
    const [few, many] = [10_000, 20_000].map(readsOf) as [number, number];
    assert.ok(few >= 10_000 && many <= 2 * few, `${few}, then ${many}`);
  });
});

function spanOf(id: number, start: number, end: number): WaitSpan {
  return { id: id as ExchangeId, start, end };
}

/** The id that holds each moment, by moment. */
function holdersIn(own: readonly WaitSpan[]): ReadonlyMap<number, number> {
  const holders = new Map<number, number>();
  for (const { by, from, to } of heldTimesOf(own))
    for (let moment = from; moment < to; moment += 1) {
      assert.not(holders.has(moment));
      holders.set(moment, by.id);
    }
  return new Map([...holders].sort(([one], [other]) => one - other));
}

/** The same by the words of the rule, with a look at all spans for each moment. */
function holdersByTheRule(own: readonly WaitSpan[]): ReadonlyMap<number, number> {
  const holders = new Map<number, number>();
  let holder: WaitSpan | null = null;
  for (let moment = 100; moment >= 0; moment -= 1) {
    if (holder === null || moment < holder.start) {
      const inFlight = own.filter(({ start, end }) => start <= moment && moment < end);
      const lastEnd = Math.max(...inFlight.map(({ end }) => end));
      const ending = inFlight.filter(({ end }) => end === lastEnd);
      const lastStart = Math.max(...ending.map(({ start }) => start));
      holder = ending.filter(({ start }) => start === lastStart).at(-1) ?? null;
    }
    if (holder !== null) holders.set(moment, holder.id);
  }
  return new Map([...holders].sort(([one], [other]) => one - other));
}

/** How often `heldTimesOf` reads a start or an end. */
function readsOf(count: number): number {
  let reads = 0;
  const own = Array.from({ length: count }, (_, index) => {
    const start = index;
    return {
      id: index as ExchangeId,
      get start() {
        reads += 1;
        return start;
      },
      get end() {
        reads += 1;
        return start + count + ((index * 7_919) % count);
      },
    };
  });
  heldTimesOf(own);
  return reads;
}
