import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { RepeatingTextColumn } from "../../../../src/engine/session/table/repeating-text-column.ts";
import { describe } from "../../../support/describe.ts";

const CHUNK = 8_192;

describe("a column of texts that repeat", (test) => {
  test("each row has what was put there last; the same text has the same number", () => {
    const row = fc.oneof(fc.nat(20), fc.nat(3 * CHUNK));
    const text = fc.option(fc.oneof(fc.constantFrom("/a?x=1", "/a?x=2"), fc.string()));
    fc.assert(
      fc.property(fc.array(fc.tuple(row, text)), (puts) => {
        const column = new RepeatingTextColumn();
        const expected = new Map<number, string | null>();
        for (const [at, value] of puts) {
          column.put(at, value);
          expected.set(at, value);
        }
        for (const [at, value] of expected) {
          assert.is(column.at(at), value);
          assert.is(column.numbers.at(at), value === null ? 0 : column.texts.find(value));
        }
        assert.is(column.at(4 * CHUNK), null);
      }),
    );
  });

  test("beyond so many different texts a new one stays with its row and leaves with it; those known go on", () => {
    const column = new RepeatingTextColumn();
    const most = 65_536;
    for (let row = 0; row < most + 100; row += 1) column.put(row, `/${row}`);
    assert.is(column.texts.size, most + 1);
    const [known, late] = [most + 200, most + 50];
    column.put(known, "/7");
    assert.equal([column.at(known), column.numbers.at(known)], ["/7", column.texts.find("/7")]);
    assert.equal([column.at(late), column.numbers.at(late)], [`/${late}`, 0]);
    column.put(late, "/7");
    assert.is(column.at(late), "/7");
    column.put(known, "/new");
    assert.is(column.at(known), "/new");
    column.forgetBefore(2 * most);
    assert.equal([column.at(3), column.at(known)], [null, null]);
  });

  test("a long text stays with its row, however often it comes", () => {
    const column = new RepeatingTextColumn();
    const [short, long] = ["x".repeat(512), "x".repeat(513)];
    for (let row = 0; row < 10; row += 1) column.put(row, row % 2 === 0 ? short : long);
    assert.equal([column.at(0), column.numbers.at(8)], [short, column.numbers.at(0)]);
    assert.equal([column.at(1), column.at(9), column.numbers.at(9)], [long, long, 0]);
    assert.is(column.texts.size, 2);
  });
});
