import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { waitOf } from "../../../src/engine/model/wait.ts";
import { ExchangeTable } from "../../../src/engine/session/exchange-table.ts";
import { anyExchanges } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";

describe("exchange table", (test) => {
  test("gives back every exchange as it was put in", () => {
    fc.assert(
      fc.property(anyExchanges(), (exchanges) => {
        const table = new ExchangeTable(1_000);
        for (const made of exchanges) assert.equal(table.exchangeAt(table.add(made)), made);
        for (const made of exchanges) assert.equal(table.exchangeAt(table.rowOf(made.id) ?? -1), made);
        for (const made of exchanges) assert.equal(table.waitAt(table.rowOf(made.id) ?? -1), waitOf(made));
      }),
    );
  });

  test("keeps what is odd: no origin, a CONNECT target, an asterisk, all tags", () => {
    const table = new ExchangeTable(10);
    const odd = [
      exchange({ id: 1, method: "", origin: "", target: "", tags: ["malformed"] }),
      exchange({ id: 2, method: "CONNECT", origin: "https://a.test:444", target: "a.test:444", tags: ["tunnel"] }),
      exchange({ id: 3, method: "OPTIONS", target: "*", connection: 0, reused: null, decodedBodySize: 5 }),
      exchange({ id: 4, target: "/?", tags: ["probe", "websocket"], contentEncoding: "br", protocol: "http/1.0" }),
    ];
    for (const made of odd) assert.equal(table.exchangeAt(table.add(made)), made);
  });

  test("the oldest rows leave at the cap, and keep their numbers till then", () => {
    const table = new ExchangeTable(3);
    const rows = [1, 2, 3, 4, 5].map((id) => table.add(exchange({ id, start: id })));
    assert.equal(rows, [0, 1, 2, 3, 4]);
    assert.equal([table.firstRow, table.nextRow], [2, 5]);
    assert.is(table.rowOf(exchange({ id: 2 }).id), null);
    assert.is(table.exchangeAt(table.rowOf(exchange({ id: 3 }).id) ?? -1).id, 3);
  });

  test("many more rows than the cap leave no trace", () => {
    const table = new ExchangeTable(10_000);
    for (let id = 1; id <= 40_000; id += 1) table.add(exchange({ id, start: id }));
    assert.is(table.firstRow, 30_000);
    assert.is(table.rowOf(exchange({ id: 30_000 }).id), null);
    assert.is(table.exchangeAt(30_000).id, 30_001);
    assert.is(table.ids.at(0), 0);
  });

  test("ids that come late are found, and the table knows it is out of order", () => {
    const table = new ExchangeTable(10);
    for (const id of [1, 3, 2]) table.add(exchange({ id, start: id }));
    assert.equal([table.idsInOrder, table.disorder, table.lastStart], [false, 2, 3]);
    assert.is(table.rowOf(exchange({ id: 2 }).id), 2);
    assert.is(table.rowOf(exchange({ id: 9 }).id), null);
  });
});
