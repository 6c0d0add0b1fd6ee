import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Exchange } from "../../../../src/engine/model/exchange.ts";
import { ExchangeTable } from "../../../../src/engine/session/table/exchange-table.ts";
import { anyExchanges } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";

describe("exchange view over the table", (test) => {
  test("given any exchange, every part is as it was put in", () => {
    fc.assert(
      fc.property(anyExchanges(), (exchanges) => {
        const table = new ExchangeTable(1_000);
        const views = exchanges.map((made) => table.viewAt(table.add(made)));
        for (const [index, made] of exchanges.entries())
          for (const part of Object.keys(made) as (keyof Exchange)[]) assert.equal(views[index]?.[part], made[part]);
      }),
    );
  });

  test("given a change after it was asked for, tells what is new", () => {
    const table = new ExchangeTable(10);
    const view = table.viewAt(table.add(exchange({ id: 1 })));
    table.addTag(0, "application-error");
    table.setDecodedSize(0, 77);
    assert.equal([view.tags, view.decodedBodySize], [["application-error"], 77]);
  });
});
