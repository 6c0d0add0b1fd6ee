import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { waitOf } from "../../../../src/engine/model/phases.ts";
import { ExchangeTable, StartOrderSkew } from "../../../../src/engine/session/table/exchange-table.ts";
import { anyExchanges } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { nearly } from "../../../support/starts.ts";

describe("exchange table", (test) => {
  test("given any exchanges, returns each as added", () => {
    fc.assert(
      fc.property(anyExchanges(), (exchanges) => {
        const table = new ExchangeTable(1_000);
        for (const made of exchanges) assert.equal(table.exchangeAt(table.add(made)), made);
        for (const made of exchanges) assert.equal(table.exchangeAt(table.rowOf(made.id) ?? -1), made);
        for (const made of exchanges) assert.equal(table.waitAt(table.rowOf(made.id) ?? -1), waitOf(made));
      }),
    );
  });

  test("given unusual exchanges (no origin, CONNECT, an asterisk, several tags), returns each as added", () => {
    const table = new ExchangeTable(10);
    const odd = [
      exchange({ id: 1, method: "", origin: "", target: "", tags: ["malformed"] }),
      exchange({ id: 2, method: "CONNECT", origin: "https://a.test:444", target: "a.test:444", tags: ["tunnel"] }),
      exchange({ id: 3, method: "OPTIONS", target: "*", connection: 0, reused: null, decodedBodySize: 5 }),
      exchange({ id: 4, target: "/?", tags: ["probe", "websocket"], contentEncoding: "br", protocol: "http/1.0" }),
    ];
    for (const made of odd) assert.equal(table.exchangeAt(table.add(made)), made);
  });

  test("given the row cap, evicts the oldest rows and keeps the others' row numbers", () => {
    const table = new ExchangeTable(3);
    const rows = [1, 2, 3, 4, 5].map((id) => table.add(exchange({ id, start: id })));
    assert.equal(rows, [0, 1, 2, 3, 4]);
    assert.equal([table.firstRow, table.nextRow], [2, 5]);
    assert.is(table.rowOf(exchange({ id: 2 }).id), null);
    assert.is(table.exchangeAt(table.rowOf(exchange({ id: 3 }).id) ?? -1).id, 3);
  });

  test("given far more rows than the cap, nothing of an evicted row is left", () => {
    const table = new ExchangeTable(5_000);
    for (let id = 1; id <= 20_000; id += 1) table.add(exchange({ id, start: id }));
    assert.is(table.firstRow, 15_000);
    assert.is(table.rowOf(exchange({ id: 15_000 }).id), null);
    assert.is(table.exchangeAt(15_000).id, 15_001);
    assert.is(table.ids.at(0), 0);
  });

  test("given long texts, the oldest rows leave when all together are too long, and the latest stays", () => {
    const most = 20_000;
    const sizes = fc.array(fc.integer({ min: 0, max: 2 * most }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(sizes, (lengths) => {
        const table = new ExchangeTable(1_000, undefined, most);
        const long = lengths.map((length, index) => `/${index}?${"x".repeat(length)}`);
        for (const [index, target] of long.entries()) table.add(exchange({ id: index + 1, target, start: index }));
        const rows = long.slice(table.firstRow);
        const lengthOf = (all: readonly string[]): number =>
          all.filter(({ length }) => length > 1_024).reduce((sum, { length }) => sum + length, 0);
        assert.ok(rows.length === 1 || lengthOf(rows) <= most, `${lengthOf(rows)}`);
        assert.is(table.nextRow, long.length);
        for (const [index, target] of rows.entries()) {
          assert.is(table.exchangeAt(table.firstRow + index).target, target);
        }
        if (table.firstRow > 0) {
          const before = long.slice(table.firstRow - 1);
          assert.ok(before.reduce((sum, { length }) => sum + length + 100, 0) > most, "no row leaves early");
        }
      }),
    );
  });

  test("given a long reason of a failure, its row's text counts too", () => {
    const table = new ExchangeTable(1_000, undefined, 1_000);
    const detail = "x".repeat(600);
    for (const id of [1, 2]) {
      const outcome = { kind: "failed", errorType: "server-reset", detail, status: null } as const;
      const row = table.add(exchange({ id, end: null }));
      table.update(row, exchange({ id, outcome }));
    }
    table.add(exchange({ id: 3 }));
    assert.is(table.firstRow, 1);
  });

  test("given ids out of order, finds each and reports the disorder", () => {
    const table = new ExchangeTable(10);
    for (const id of [1, 3, 2]) table.add(exchange({ id, start: id }));
    assert.equal([table.idsInOrder, table.disorder, table.lastStart], [false, 2, 3]);
    assert.is(table.rowOf(exchange({ id: 2 }).id), 2);
    assert.is(table.rowOf(exchange({ id: 9 }).id), null);
  });
});

describe("start order skew", (test) => {
  test("given any starts, no row is further from its sorted index than stated, and 0 if in order", () => {
    fc.assert(
      fc.property(fc.oneof(nearly(0, 50), nearly(5, 400), fc.array(fc.nat(9), { maxLength: 300 })), (starts) => {
        const disorder = new StartOrderSkew();
        for (const [row, start] of starts.entries()) disorder.add(row, start);
        const sorted = starts.map((start, row) => ({ start, row })).sort((a, b) => a.start - b.start || a.row - b.row);
        const furthest = Math.max(0, ...sorted.map(({ row }, index) => Math.abs(row - index)));
        assert.ok(disorder.most >= furthest, `${disorder.most} said, ${furthest} is`);
        if (furthest === 0) assert.is(disorder.most, 0);
      }),
    );
  });

  test("given one start a little too early among 100,000, states a small skew", () => {
    const disorder = new StartOrderSkew();
    for (let row = 0; row < 100_000; row += 1) disorder.add(row, row === 70_000 ? row - 10 : row);
    assert.ok(disorder.most >= 10 && disorder.most <= 10 + 64, `${disorder.most}`);
  });
});
