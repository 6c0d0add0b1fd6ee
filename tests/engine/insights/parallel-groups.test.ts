import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { type Interval, intervalOf } from "../../../src/engine/insights/interval.ts";
import { ParallelSweep } from "../../../src/engine/insights/parallel-groups.ts";
import type { Exchange } from "../../../src/engine/model/exchange.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { byStart, groupsByPairs } from "../../support/interval-order.ts";
import { rounds } from "../../support/rounds.ts";
import { timeline } from "../../support/timeline.ts";

describe("parallel groups", (test) => {
  test("requests that overlap in time form a group, directly or through each other", () => {
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

  test("a touch is no overlap, nor is one within the tolerance", () => {
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

  test("groups are one client's", () => {
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

  test("what took no time is in the group it lies inside, and in none beside it", () => {
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

  test("exchanges in flight and those that nobody waits for are left out", () => {
    assert.is(intervalOf(exchange({ end: null })), null);
    assert.is(intervalOf(exchange({ tags: ["websocket"] })), null);
    assert.is(intervalOf(exchange({ status: 101 })), null);
    assert.is(intervalOf(exchange({ tags: ["probe"] })), null);
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

  test("any timeline gives the connected components of overlap, whatever the order", () => {
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

  test("100,000 overlapping requests of one client are one group", () => {
    const intervals = Array.from({ length: 100_000 }, (_, index) => ({
      ...(intervalOf(exchange({ id: index + 1 })) as Interval),
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
