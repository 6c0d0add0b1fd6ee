import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  type ExchangeRow,
  newScratch,
  rowOf,
  type Telling,
  tellingOf,
} from "../../../extensions/proxy/storage/exchange-row.ts";
import { ERROR_TYPES, type Outcome, TAGS } from "../../../src/engine/model/exchange.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { WAITED_FOR } from "../../../src/engine/model/wait.ts";
import { describe } from "../../support/describe.ts";
import { answered, ended, idOf, started } from "./story.ts";

const text = fc.string({ unit: "binary" });
const latin1 = fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("latin1"));
const instant = fc.double({ noNaN: true, noDefaultInfinity: true }).map((at) => at as Instant);
const maybe = fc.option(instant);
const tags = fc.subarray([...TAGS]);
const count = fc.nat();

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  count.map((status) => ({ kind: "responded" as const, status })),
  fc
    .tuple(fc.constantFrom(...ERROR_TYPES), text, fc.option(count))
    .map(([errorType, detail, status]) => ({ kind: "failed" as const, errorType, detail, status })),
);

const telling: fc.Arbitrary<Telling> = fc
  .record({
    started: fc.record({
      at: instant,
      method: text,
      origin: text,
      target: text,
      head: latin1,
      clientAddress: text,
      protocol: text,
      clientConnection: fc.option(count),
      clientStream: fc.option(count),
      tags,
    }),
    answered: fc.option(fc.record({ at: instant, status: count, head: latin1 })),
    ended: fc.option(
      fc.record({
        at: instant,
        instants: fc
          .record({
            startTime: instant,
            headReceived: maybe,
            domainLookupStart: maybe,
            domainLookupEnd: maybe,
            connectStart: maybe,
            secureConnectionStart: maybe,
            connectEnd: maybe,
            requestStart: maybe,
            requestEnd: maybe,
            responseStart: maybe,
            responseForwarded: maybe,
            responseEnd: maybe,
          })
          .map((instants) => ({ ...instants })),
        outcome,
        requestBodySize: count,
        encodedBodySize: count,
        connection: fc.option(count),
        reused: fc.option(fc.boolean()),
        stream: fc.option(count),
        waitedFor: fc.option(fc.constantFrom(...WAITED_FOR)),
        tags,
      }),
    ),
  })
  .map(({ started: first, answered: second, ended: last }) => ({
    started: { type: "request-started", id: idOf(3), ...first },
    answered: second === null ? null : { type: "response-started", id: idOf(3), ...second },
    ended: last === null ? null : { type: "exchange-ended", id: idOf(3), ...last },
  }));

/** As SQLite gives it back: bytes of its own. */
function stored(row: ExchangeRow): ExchangeRow {
  const { buffer, byteOffset, byteLength } = row.numbers;
  return { ...row, numbers: new Uint8Array(buffer.slice(byteOffset, byteOffset + byteLength)) };
}

describe("the row of an exchange", (test) => {
  test("any exchange is told again as it was, in every stage", () => {
    const scratch = newScratch();
    fc.assert(fc.property(telling, (told) => assert.equal(tellingOf(stored(rowOf(told, scratch))), told)));
  });

  test("a row of an earlier version has no streams, and is whole otherwise", () => {
    const told = { started: started(1), answered: answered(1), ended: ended(1) };
    const row = stored(rowOf(told, newScratch()));
    const old = tellingOf({ ...row, numbers: new Uint8Array(row.numbers.buffer.slice(0, 152)) });
    assert.equal(old, { ...told, started: { ...told.started, clientConnection: null } });
  });

  test("a damaged row is no exchange", () => {
    const row = stored(rowOf({ started: started(1), answered: answered(1), ended: ended(1) }, newScratch()));
    assert.is.not(tellingOf(row), null);
    for (const words of ["", "{}", "[]", "[1,2,3,4,5,[]]", row.words.slice(0, -1)]) {
      assert.is(tellingOf({ ...row, words }), null, words);
    }
    for (const length of [0, 8, 151, 160, 184]) {
      assert.is(tellingOf({ ...row, numbers: new Uint8Array(length) }), null);
    }
    assert.is(tellingOf({ ...row, numbers: new Uint8Array(152).fill(0xff) }), null);
  });

  test("whatever bytes are there, reading them does not throw", () => {
    const row = stored(rowOf({ started: started(1), answered: answered(1), ended: ended(1) }, newScratch()));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 160 }), fc.json(), fc.nat(), (numbers, words, at) => {
        tellingOf({ ...row, numbers });
        tellingOf({ ...row, words });
        const flipped = Buffer.from(row.words);
        flipped[at % flipped.length] = at % 256;
        tellingOf({ ...row, words: flipped.toString("latin1") });
      }),
    );
  });
});
