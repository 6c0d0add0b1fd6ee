import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Interval } from "../../../src/engine/insights/interval.ts";
import { ParallelSweep } from "../../../src/engine/insights/parallel-groups.ts";
import type { Exchange } from "../../../src/engine/model/exchange.ts";
import type { ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { byStart, groupsByPairs, intervalOf } from "../../support/interval-order.ts";
import { rounds } from "../../support/rounds.ts";
import { timeline } from "../../support/timeline.ts";

describe("parallel groups", (test) => {
  test("given requests that overlap directly or through others, puts them in one group", () => {
    const [group] = groupsOf(
      timeline(`
      a ----
      b   -----
      c      ---
      d          --
    `),
    );
    assert.equal(group, { client: "client", exchanges: [1, 2, 3], start: 0, end: 80 });
  });

  test("given requests that only touch or overlap within the tolerance, finds no group", () => {
    assert.equal(
      groupsOf(
        timeline(`
      a ---
      b    ---
    `),
      ),
      [],
    );
    assert.equal(groupsOf([exchange({ id: 1, start: 0, end: 100 }), exchange({ id: 2, start: 99.2, end: 150 })]), []);
    assert.is(
      groupsOf([exchange({ id: 1, start: 0, end: 100 }), exchange({ id: 2, start: 98.9, end: 150 })]).length,
      1,
    );
  });

  test("given overlapping requests of two clients, groups only those of the same client", () => {
    const groups = groupsOf(
      timeline(`
      a@x ----
      b@y  ----
      c@x   ----
    `),
    );
    assert.equal(
      groups.map(({ exchanges }) => exchanges),
      [[1, 3]],
    );
  });

  test("given a request of no duration, groups it with a request around it, not with one beside it", () => {
    const groups = groupsOf(
      timeline(`
      a ----
      b   |
      c     |
    `),
    );
    assert.equal(
      groups.map(({ exchanges }) => exchanges),
      [[1, 2]],
    );
  });

  test("given a stream beside more than five in turn, leaves it out and does not join them by it", () => {
    const inTurn = (count: number) =>
      groupsOf(
        timeline(
          [
            `a ${"-".repeat(30)}`,
            ...Array.from({ length: count }, (_, index) => `${"bcdefg"[index]} ${" ".repeat(1 + 3 * index)}--`),
            `h ${" ".repeat(2)}--`,
          ].join("\n"),
        ),
      ).map(({ exchanges }) => exchanges.length);
    assert.equal(inTurn(5), [7]);
    assert.equal(inTurn(6), [2]);
  });

  test("given any timeline in any order, the groups are the connected components of overlap", () => {
    const sketch = fc.record({
      start: fc.nat(30),
      length: fc.oneof(fc.nat(4), fc.nat(10), fc.nat(40)),
      client: fc.constantFrom("x", "y"),
    });
    fc.assert(
      fc.property(fc.array(sketch, { maxLength: 24 }), (sketches) => {
        const intervals = sketches.map(({ start, length, client }, index) =>
          exchange({ id: index + 1, start, end: start + length, client }),
        );
        const groups = groupsOf(intervals);
        const found = groups.map(({ exchanges: ids }) => ids.toSorted((left, right) => left - right).join());
        for (const { exchanges: ids, start, end } of groups) {
          const own = intervals.filter(({ id }) => ids.includes(id));
          assert.is(start, Math.min(...own.map(({ instants }) => instants.startTime)));
          assert.is(end, Math.max(...own.map(({ endTime }) => endTime as number)));
        }
        const starts = groups.map(({ start }) => start);
        assert.equal(
          starts,
          starts.toSorted((left, right) => left - right),
        );
        assert.equal(found.toSorted(), groupsByPairs(intervals.flatMap((one) => intervalOf(one) ?? [])).toSorted());
      }),
      { numRuns: rounds(1_000) },
    );
  });

  test("given 100,000 overlapping requests of one client, finds one group", () => {
    const one = intervalOf(exchange()) as Interval;
    const intervals = Array.from({ length: 100_000 }, (_, index) => ({
      ...one,
      id: (index + 1) as ExchangeId,
      start: (100_000 - index) as Instant,
      end: 200_000 as Instant,
    }));
    assert.is(swept(intervals)[0]?.exchanges.length, 100_000);
  });
});

function groupsOf(exchanges: readonly Exchange[]) {
  return swept(exchanges.flatMap((one) => intervalOf(one) ?? []));
}

function swept(intervals: readonly Interval[]) {
  const sweep = new ParallelSweep();
  for (const interval of intervals.toSorted(byStart)) sweep.add(interval);
  return sweep.find();
}
