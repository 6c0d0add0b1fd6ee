import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  type ExchangeRow,
  newScratch,
  rowOf,
  storedExchangeOf,
} from "../../../extensions/proxy/storage/exchange-row.ts";
import { describe } from "../../support/describe.ts";
import { anyStoredExchange } from "./any-stored-exchange.ts";
import { answered, ended, moment, started } from "./story.ts";

/** As SQLite returns it: in a buffer of its own. */
function stored(row: ExchangeRow): ExchangeRow {
  const { buffer, byteOffset, byteLength } = row.numbers;
  return { ...row, numbers: new Uint8Array(buffer.slice(byteOffset, byteOffset + byteLength)) };
}

describe("the row of an exchange", (test) => {
  test("any exchange is told again as it was, in every stage", () => {
    const scratch = newScratch();
    fc.assert(
      fc.property(anyStoredExchange, (exchange) =>
        assert.equal(storedExchangeOf(stored(rowOf(exchange, scratch))), exchange),
      ),
    );
  });

  test("a damaged row is no exchange", () => {
    const row = stored(rowOf({ started: started(1), answered: answered(1), ended: ended(1) }, newScratch()));
    assert.is.not(storedExchangeOf(row), null);
    for (const words of ["", "{}", "[]", "[1,2,3,4,5,[]]", row.words.slice(0, -1)]) {
      assert.is(storedExchangeOf({ ...row, words }), null, words);
    }
    for (const length of [0, 8, 152, 175, 184]) {
      assert.is(storedExchangeOf({ ...row, numbers: new Uint8Array(length) }), null);
    }
    assert.is(storedExchangeOf({ ...row, numbers: new Uint8Array(176).fill(0xff) }), null);
  });

  test("an end of which a part is damaged is none, and nothing of it is made up", () => {
    const row = stored(rowOf({ started: started(1), answered: answered(1), ended: ended(1) }, newScratch()));
    const endOf = (changed: Partial<typeof row>) => storedExchangeOf({ ...row, ...changed })?.ended ?? null;
    assert.is.not(endOf({}), null);
    const words: unknown[] = JSON.parse(row.words);
    for (const outcome of [
      null,
      "responded",
      {},
      { kind: "responded" },
      { kind: "other", status: 200, errorType: "server-reset", detail: "x" },
      { kind: "failed", status: null, errorType: "no such type", detail: "x" },
      { kind: "failed", status: null, errorType: "server-reset" },
    ])
      assert.is(endOf({ words: JSON.stringify(words.toSpliced(7, 1, outcome)) }), null, JSON.stringify(outcome));
    const times = new Float64Array(row.numbers.slice().buffer);
    const [END, START] = [3, times.indexOf(moment(1), 1)];
    for (const place of [END, START]) {
      const damaged = times.slice();
      damaged[place] = Number.NaN;
      assert.is(endOf({ numbers: new Uint8Array(damaged.buffer) }), null, String(place));
    }
  });

  test("whatever bytes are there, reading them does not throw", () => {
    const row = stored(rowOf({ started: started(1), answered: answered(1), ended: ended(1) }, newScratch()));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 160 }), fc.json(), fc.nat(), (numbers, words, at) => {
        storedExchangeOf({ ...row, numbers });
        storedExchangeOf({ ...row, words });
        const flipped = Buffer.from(row.words);
        flipped[at % flipped.length] = at % 256;
        storedExchangeOf({ ...row, words: flipped.toString("latin1") });
      }),
    );
  });
});
