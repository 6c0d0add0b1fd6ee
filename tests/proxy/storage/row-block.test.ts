import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { RowBlock } from "../../../extensions/proxy/storage/row-block.ts";
import { describe } from "../../support/describe.ts";
import { answered, exchange, idOf, started } from "./story.ts";

const VERSION_4 = fileURLToPath(new URL("../../fixtures/session-4/session.sqlite", import.meta.url));

/** The one row of blocks in the session of version 4. */
function storedRow(): { readonly numbers: Uint8Array; readonly words: string; readonly heads: string } {
  const database = new DatabaseSync(`file:${VERSION_4}?immutable=1`, { readOnly: true });
  const row = database.prepare("SELECT numbers, words, heads FROM blocks").get();
  database.close();
  if (row === undefined || !(row["numbers"] instanceof Uint8Array)) throw new Error("no block");
  return { numbers: row["numbers"], words: String(row["words"]), heads: String(row["heads"]) };
}

describe("a block in a row", (test) => {
  test("its exchanges are told as they were", () => {
    const block = new RowBlock(storedRow());
    assert.equal([...block.ids.keys()], [1, 2, 3]);
    for (const number of [1, 3]) {
      const [begin, answer, , end] = exchange(number);
      assert.equal(block.tellingOf(idOf(number)), { started: begin, answered: answer, ended: end });
      assert.equal(block.headsOf(idOf(number)), { request: started(number).head, response: answered(number).head });
    }
    assert.equal(block.extentsOf(idOf(1), "request"), []);
    assert.equal(
      block.extentsOf(idOf(1), "response")?.map(({ segment, offset, length }) => [segment, offset, length]),
      [[1, 0, 6]],
    );
    assert.equal(
      [block.ids.has(idOf(4)), block.headsOf(idOf(4)), block.extentsOf(idOf(4), "request")],
      [false, null, null],
    );
  });

  test("of a damaged one nothing is made up: what cannot be read is absent", () => {
    const row = storedRow();
    for (const words of ["", "{}", "[]", "[1]", "[[1,2,3]]", row.words.slice(0, -1)]) {
      assert.is(new RowBlock({ ...row, words }).tellingOf(idOf(1)), null, words);
      assert.is(new RowBlock({ ...row, words }).extentsOf(idOf(1), "response"), null, words);
    }
    assert.is(new RowBlock({ ...row, numbers: row.numbers.slice(0, -8) }).ids.has(idOf(3)), false);
    assert.is(new RowBlock({}).ids.has(idOf(1)), false);
  });

  test("whatever bytes are there, reading them does not throw", () => {
    const row = storedRow();
    const places = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 });
    fc.assert(
      fc.property(places, fc.oneof(fc.json(), fc.constant(row.words)), fc.string(), (flips, words, heads) => {
        const numbers = Uint8Array.from(row.numbers);
        for (const [place, byte] of flips) numbers[place % numbers.length] = byte;
        const block = new RowBlock({ numbers, words, heads });
        for (const id of block.ids.keys()) {
          block.tellingOf(id);
          block.extentsOf(id, "request");
        }
      }),
    );
  });
});
