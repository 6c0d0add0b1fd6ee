import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { ExchangeTable } from "../../../src/engine/session/exchange-table.ts";
import { rowsAround } from "../../../src/engine/session/rows-around.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { recorded } from "../../support/recorded.ts";
import { nearly } from "../../support/starts.ts";

function tableOf(starts: readonly number[]): ExchangeTable {
  return recorded(starts.map((start, index) => exchange({ id: index + 1, start, end: start + 1 }))).table;
}

describe("rows around a range", (test) => {
  test("hold all that start within it, in whatever order they came, and of some of the rows too", () => {
    const starts = fc.oneof(nearly(0, 120), nearly(5, 400), fc.array(fc.nat(60), { maxLength: 200 }));
    fc.assert(
      fc.property(starts, fc.nat(400), fc.nat(60), fc.integer({ min: 1, max: 4 }), (given, from, length, every) => {
        const table = tableOf(given);
        const rows = Uint32Array.from(given.keys()).filter((row) => row % every === 0);
        const isWithin = (row: number): boolean => {
          const start = table.instants.startAt(row);
          return start >= from && start <= from + length;
        };
        const around = rowsAround(table, rows, from, from + length);
        assert.equal([...around.filter(isWithin)], [...rows.filter(isWithin)]);
        if (table.disorder === 0) assert.is(around.length, rows.filter(isWithin).length);
      }),
    );
  });

  test("are few where one head came in a little late, however long the session is", () => {
    const table = tableOf(Array.from({ length: 20_000 }, (_, row) => (row === 9_000 ? row - 10 : row)));
    const rows = Uint32Array.from({ length: 20_000 }, (_, row) => row);
    const { length } = rowsAround(table, rows, 5_000, 5_099);
    assert.ok(length >= 100 && length <= 100 + 2 * (10 + 64 + 1), `${length} of 20,000`);
  });
});
