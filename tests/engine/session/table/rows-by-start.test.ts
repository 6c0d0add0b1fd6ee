import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import type { ExchangeTable } from "../../../../src/engine/session/table/exchange-table.ts";
import { rowsByStart, searchRange } from "../../../../src/engine/session/table/rows-by-start.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { byStart } from "../../../support/interval-order.ts";
import { recorded } from "../../../support/recorded.ts";
import { nearly } from "../../../support/starts.ts";
import { timeline } from "../../../support/timeline.ts";

describe("rows by start", (test) => {
  test("given rows, orders them by start, then the longest first, then by id", () => {
    const drawing = timeline(`
      a   --
      b ----
      c ------
      d   --
      e -
    `);
    assert.equal([...rowsByStart(recorded(drawing).table)], [2, 1, 4, 0, 3]);
  });

  test("given no rows, returns none; given evicted rows, leaves them out", () => {
    assert.equal([...rowsByStart(recorded([]).table)], []);
    const late = [5, 1, 4, 2].map((start, index) => exchange({ id: index + 1, start, end: start + 1 }));
    assert.equal([...rowsByStart(recorded(late, 3).table)], [1, 3, 2]);
  });

  test("given exchanges in flight, orders them as if they ended at their start", () => {
    const sketch = fc.record({ start: fc.nat(9), length: fc.option(fc.nat(4)) });
    fc.assert(
      fc.property(fc.array(sketch, { maxLength: 40 }), (sketches) => {
        const exchanges = sketches.map(({ start, length }, index) =>
          exchange({ id: index + 1, start, end: length === null ? null : start + length }),
        );
        const times = exchanges.map(({ id, instants, endTime }) => ({
          id,
          start: instants.startTime,
          end: (endTime ?? instants.startTime) as Instant,
        }));
        const { table } = recorded(exchanges);
        assert.equal(
          Array.from(rowsByStart(table), (row) => table.ids.at(row)),
          times.toSorted(byStart).map(({ id }) => id),
        );
      }),
    );
  });

  test(
    "given more rows than are sorted at once, sorts them in the same order",
    () => {
      const count = 20_000;
      const made = exchange({ id: 1, end: 1 });
      const mixed = (index: number): number => (index * 7_919) % count;
      for (const startOf of [
        (index: number) => index,
        (index: number) => index + (mixed(index) % 40),
        (index: number) => count - index,
        mixed,
        () => 5,
      ]) {
        const session = new Session();
        for (let index = 0; index < count; index += 1) {
          const startTime = startOf(index) as Instant;
          const endTime = (startTime + (mixed(index) % 9)) as Instant;
          session.add({
            ...made,
            id: (index + 1) as typeof made.id,
            instants: { ...made.instants, startTime, responseEnd: endTime },
            endTime,
          });
        }
        const { table } = session;
        const intervals = Array.from(rowsByStart(table), (row) => ({
          id: table.ids.at(row) as typeof made.id,
          start: table.instants.startAt(row) as Instant,
          end: table.endTime.at(row) as Instant,
        }));
        assert.is(new Set(intervals.map(({ id }) => id)).size, count);
        for (let index = 1; index < count; index += 1) {
          const [left, right] = [intervals[index - 1], intervals[index]];
          if (left !== undefined && right !== undefined) assert.ok(byStart(left, right) < 0, `place ${index}`);
        }
      }
    },
    { isLong: true },
  );
});

function tableOf(starts: readonly number[]): ExchangeTable {
  return recorded(starts.map((start, index) => exchange({ id: index + 1, start, end: start + 1 }))).table;
}

const STARTS = fc.oneof(nearly(0, 120), nearly(5, 400), fc.array(fc.nat(60), { maxLength: 200 }));

describe("search range around a time", (test) => {
  test("given rows in any order, the search range leaves no row on the wrong side", () => {
    fc.assert(
      fc.property(STARTS, fc.nat(400), fc.integer({ min: 1, max: 4 }), (starts, time, every) => {
        const table = tableOf(starts);
        const rows = Uint32Array.from(starts.keys()).filter((row) => row % every === 0);
        const { from, to } = searchRange(table, rows, (start) => start < time);
        assert.ok(rows.subarray(0, from).every((row) => table.instants.startAt(row) < time));
        assert.ok(rows.subarray(to).every((row) => table.instants.startAt(row) >= time));
        if (table.disorder === 0) assert.is(from, to);
      }),
    );
  });

  test("given one start a little too early among 5,000, the search range stays small", () => {
    const table = tableOf(Array.from({ length: 5_000 }, (_, row) => (row === 4_000 ? row - 10 : row)));
    const rows = Uint32Array.from({ length: 5_000 }, (_, row) => row);
    const { from, to } = searchRange(table, rows, (start) => start < 2_500);
    assert.ok(from <= 2_500 && 2_500 <= to && to - from <= 2 * (10 + 64 + 1), `${from} to ${to}`);
  });
});
