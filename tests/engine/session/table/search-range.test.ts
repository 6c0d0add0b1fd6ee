import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { ExchangeTable } from "../../../../src/engine/session/table/exchange-table.ts";
import { searchRange } from "../../../../src/engine/session/table/search-range.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";
import { nearly } from "../../../support/starts.ts";

function tableOf(starts: readonly number[]): ExchangeTable {
  return recorded(starts.map((start, index) => exchange({ id: index + 1, start, end: start + 1 }))).table;
}

const STARTS = fc.oneof(nearly(0, 120), nearly(5, 400), fc.array(fc.nat(60), { maxLength: 200 }));

describe("places around a time", (test) => {
  test("leave nothing on the wrong side, in whatever order rows came, and of some of the rows too", () => {
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

  test("are near each other where one head came in a little late, however long the session is", () => {
    const table = tableOf(Array.from({ length: 20_000 }, (_, row) => (row === 9_000 ? row - 10 : row)));
    const rows = Uint32Array.from({ length: 20_000 }, (_, row) => row);
    const { from, to } = searchRange(table, rows, (start) => start < 5_000);
    assert.ok(from <= 5_000 && 5_000 <= to && to - from <= 2 * (10 + 64 + 1), `${from} to ${to}`);
  });
});
