import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { MARKS } from "../../../../src/engine/model/annotation.ts";
import { ERROR_TYPES, type Outcome, TAGS } from "../../../../src/engine/model/exchange.ts";
import {
  choice,
  figure,
  flag,
  json,
  nullable,
  optional,
  type Packing,
  word,
} from "../../../../src/engine/model/exchange-fields.ts";
import {
  CHUNK_ROWS,
  KeptColumn,
  markCodeOf,
  markOf,
  outcomeCodeOf,
  outcomeOf,
  RealColumn,
  RepeatingTextColumn,
  SparseColumn,
  TextColumn,
  tagBits,
  tagsOf,
  WholeColumn,
} from "../../../../src/engine/session/table/column.ts";
import { Interned } from "../../../../src/engine/session/table/interned.ts";
import { describe } from "../../../support/describe.ts";

describe("integer column", (test) => {
  test("given rows with gaps, across chunks and never written, reads many at once as each by itself", () => {
    const columns = [50, 200, CHUNK_ROWS + 50].map((written) => {
      const column = new WholeColumn();
      for (let row = 0; row < written; row += 1) column.put(row, 7 * row);
      for (let row = 3 * CHUNK_ROWS - 20; row < 3 * CHUNK_ROWS + 20; row += 1) column.put(row, row);
      return column;
    });
    const steps = fc.array(fc.constantFrom(1, 1, 1, 2, CHUNK_ROWS), { maxLength: 40 });
    const first = fc.oneof(fc.nat(300), fc.nat(4 * CHUNK_ROWS), fc.constantFrom(CHUNK_ROWS - 10, 3 * CHUNK_ROWS - 30));
    fc.assert(
      fc.property(first, fc.oneof(steps, fc.constant(Array(40).fill(1))), fc.nat(41), (from, gaps, most) => {
        const rows = [from];
        for (const gap of gaps) rows.push((rows.at(-1) ?? 0) + gap);
        const count = Math.min(most, rows.length);
        for (const column of columns)
          assert.equal(
            [...column.read(Uint32Array.from(rows), count).subarray(0, count)],
            rows.slice(0, count).map((row) => column.at(row)),
          );
      }),
    );
  });
});

describe("eviction in columns", (test) => {
  for (const [kind, make, unwritten, nth] of [
    ["whole numbers", () => new WholeColumn(), 0, (number: number) => number],
    ["real numbers", () => new RealColumn(Number.NaN), Number.NaN, (number: number) => number / 3],
    ["texts", () => new TextColumn(), null, (number: number) => `text ${number}`],
  ] as const) {
    test(`given a column of ${kind}, kept rows stay as written and new rows hold nothing of evicted ones`, () => {
      const ahead = fc.oneof(fc.nat(300), fc.nat(2 * CHUNK_ROWS));
      const step = fc.record({ ahead, forgotten: fc.nat(3 * CHUNK_ROWS) });
      fc.assert(
        fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
          const column: {
            at(row: number): unknown;
            put(row: number, value: never): void;
            forgetBefore(row: number): void;
          } = make();
          const kept = new Map<number, unknown>();
          let first = 0;
          for (const [index, { ahead, forgotten }] of steps.entries()) {
            const row = first + ahead;
            kept.set(row, nth(index + 1));
            column.put(row, nth(index + 1) as never);
            for (const [each, value] of kept) if (each >= first) assert.is(column.at(each), value);
            for (const near of [row - 1, row + 1, row + CHUNK_ROWS, row ^ 7]) {
              if (near >= first && !kept.has(near)) assert.equal(column.at(near), unwritten);
            }
            first = Math.max(first, row - forgotten);
            column.forgetBefore(first);
          }
        }),
      );
    });

    test(`given a column of ${kind} that was written in full, new rows hold nothing of evicted ones`, () => {
      const column: {
        at(row: number): unknown;
        put(row: number, value: never): void;
        forgetBefore(row: number): void;
      } = make();
      for (let row = 0; row < 3 * CHUNK_ROWS; row += 1) column.put(row, nth(row + 1) as never);
      column.forgetBefore(2 * CHUNK_ROWS);
      for (const chunk of [3, 4, 5]) {
        column.put(chunk * CHUNK_ROWS, nth(1) as never);
        for (let row = chunk * CHUNK_ROWS + 1; row < (chunk + 1) * CHUNK_ROWS; row += 1) {
          if (!Object.is(column.at(row), unwritten)) assert.unreachable(`row ${row} holds ${column.at(row)}`);
        }
      }
    });
  }
});

const WIDTH = 3;

/** Writes to a cell this many rows after the first kept one, then forgets this many rows. */
const step = fc.record({
  ahead: fc.oneof(fc.nat(300), fc.nat(3 * CHUNK_ROWS)),
  cell: fc.nat(WIDTH - 1),
  value: fc.oneof(fc.double(), fc.constant(Number.NaN)),
  forgotten: fc.oneof({ arbitrary: fc.constant(0), weight: 5 }, { arbitrary: fc.nat(2 * CHUNK_ROWS), weight: 1 }),
});

describe("sparse column", (test) => {
  test("given any writes, returns each cell as last written, and NaN if never written", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const column = new SparseColumn(WIDTH);
        const written = new Map<number, number[]>();
        let first = 0;
        for (const { ahead, cell, value, forgotten } of steps) {
          const row = first + ahead;
          const cells = written.get(row) ?? Array<number>(WIDTH).fill(Number.NaN);
          cells[cell] = value;
          written.set(row, cells);
          column.put(row, cell, value);
          first += forgotten;
          column.forgetBefore(first);
          for (const [each, values] of written) {
            if (each < first) continue;
            assert.ok(column.has(each));
            assert.equal(
              values.map((_, index) => column.at(each, index)),
              values,
            );
          }
          for (const near of [row - 1, row + 1, row + CHUNK_ROWS]) {
            if (near < first || written.has(near)) continue;
            assert.not(column.has(near));
            assert.ok(Number.isNaN(column.at(near, cell)));
          }
        }
      }),
    );
  });

  test("given a chunk written in full and evicted, rows that reuse its memory hold nothing of it", () => {
    const column = new SparseColumn(WIDTH);
    for (let row = 0; row < CHUNK_ROWS; row += 1) column.put(row, row % WIDTH, row);
    for (let row = 0; row < CHUNK_ROWS; row += 1) {
      if (column.at(row, row % WIDTH) !== row) assert.unreachable(`row ${row} holds ${column.at(row, row % WIDTH)}`);
    }
    column.forgetBefore(CHUNK_ROWS);
    column.put(CHUNK_ROWS, 0, 1);
    assert.equal(
      [0, 1, 2].map((cell) => column.at(CHUNK_ROWS, cell)),
      [1, Number.NaN, Number.NaN],
    );
    assert.not(column.has(CHUNK_ROWS + 1));
  });
});

const CHUNK = 8_192;

describe("column of interned texts", (test) => {
  test("given any texts, returns each row's last text, with the same number for the same text", () => {
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

  test("given more than 65,536 different texts, keeps a new text in its row only, and reuses known ones", () => {
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

  test("given a text over 512 characters, keeps it in its row even if it repeats", () => {
    const column = new RepeatingTextColumn();
    const [short, long] = ["x".repeat(512), "x".repeat(513)];
    for (let row = 0; row < 10; row += 1) column.put(row, row % 2 === 0 ? short : long);
    assert.equal([column.at(0), column.numbers.at(8)], [short, column.numbers.at(0)]);
    assert.equal([column.at(1), column.at(9), column.numbers.at(9)], [long, long, 0]);
    assert.is(column.texts.size, 2);
  });
});

describe("exchange codes", (test) => {
  test("given any outcome, restores it with status and detail", () => {
    const failures = ERROR_TYPES.flatMap((errorType): Outcome[] => [
      { kind: "failed", errorType, detail: "gone", status: null },
      { kind: "failed", errorType, detail: "gone", status: 502 },
    ]);
    for (const outcome of [{ kind: "responded", status: 204 } as const, ...failures])
      assert.equal(outcomeOf(outcomeCodeOf(outcome), outcome.status ?? 0, "gone"), outcome);
  });

  test("given tags and marks, restores each", () => {
    assert.equal(tagsOf(tagBits(TAGS)), TAGS);
    for (const tag of TAGS) assert.equal(tagsOf(tagBits([tag])), [tag]);
    for (const mark of [null, ...MARKS]) assert.is(markOf(markCodeOf(mark)), mark);
  });

  test("given a row that was never written, every value is unknown", () => {
    assert.is(outcomeOf(0, 0, ""), null);
    assert.equal([tagsOf(0), markOf(0)], [[], null]);
  });
});

/** A packing, and values that a field of this packing can have. */
const anyField: fc.Arbitrary<readonly [Packing, fc.Arbitrary<unknown>]> = fc
  .uniqueArray(fc.string(), { minLength: 1, maxLength: 9 })
  .chain((names) =>
    fc.constantFrom<readonly [Packing, fc.Arbitrary<unknown>]>(
      [figure(), fc.nat(2 ** 32 - 2)],
      [flag, fc.boolean()],
      [choice(names), fc.constantFrom(...names)],
      [word, fc.constantFrom(...names)],
    ),
  );

describe("kept column", (test) => {
  test("given values of any packing, or none, reads each by its row, and finds rows by its code", () => {
    const anyCase = anyField.chain(([packing, value]) =>
      fc.tuple(fc.constantFrom(nullable(packing), optional(packing)), fc.array(fc.option(value))),
    );
    fc.assert(
      fc.property(anyCase, ([packing, values]) => {
        const column = new KeptColumn<unknown>(packing, new Interned());
        for (const [row, value] of values.entries()) column.putValue(row, value);
        for (const [row, value] of values.entries())
          assert.equal([column.valueAt(row), column.at(row)], [value, column.codeOf(value)]);
        assert.is(column.valueAt(values.length), null);
      }),
    );
  });

  test("given a packing that fits no column, throws", () => {
    assert.throws(() => new KeptColumn(json(), new Interned()), /packed as json/);
  });
});
