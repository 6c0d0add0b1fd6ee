import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { StartOrderSkew } from "../../../../src/engine/session/table/start-order-skew.ts";
import { describe } from "../../../support/describe.ts";
import { nearly } from "../../../support/starts.ts";

describe("disorder", (test) => {
  test("no row lies further from its place by start, and in order it is 0", () => {
    fc.assert(
      fc.property(fc.oneof(nearly(0, 50), nearly(5, 400), fc.array(fc.nat(9), { maxLength: 300 })), (starts) => {
        const disorder = new StartOrderSkew();
        for (const [row, start] of starts.entries()) disorder.add(row, start);
        const sorted = starts.map((start, row) => ({ start, row })).sort((a, b) => a.start - b.start || a.row - b.row);
        const furthest = Math.max(0, ...sorted.map(({ row }, place) => Math.abs(row - place)));
        assert.ok(disorder.most >= furthest, `${disorder.most} said, ${furthest} is`);
        if (furthest === 0) assert.is(disorder.most, 0);
      }),
    );
  });

  test("one that comes a little late says little, however long the session is", () => {
    const disorder = new StartOrderSkew();
    for (let row = 0; row < 100_000; row += 1) disorder.add(row, row === 70_000 ? row - 10 : row);
    assert.ok(disorder.most >= 10 && disorder.most <= 10 + 64, `${disorder.most}`);
  });
});
