import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { type Cell, piecesOf, type Table, type TableFormat } from "../../../src/engine/interchange/table.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";

describe("CSV and Markdown table text", (test) => {
  const table: Table = {
    columns: ["name", "size", "ids", "gone"],
    rows: [{ name: 'a "b", c', size: -1.5, ids: [1, 2], gone: null }],
  };

  test("given a table, JSON is an array of rows with every column", () => {
    assert.equal(JSON.parse(text(table, "json")), [{ name: 'a "b", c', size: -1.5, ids: [1, 2], gone: null }]);
    assert.equal(JSON.parse(text({ columns: ["a"], rows: [] }, "json")), []);
  });

  test("given a table, CSV follows RFC 4180", () => {
    assert.is(text(table, "csv"), 'name,size,ids,gone\r\n"a ""b"", c",-1.5,"[1,2]",\r\n');
  });

  test("given a table, Markdown is a table with a header", () => {
    assert.is(
      text(table, "md"),
      '| name | size | ids | gone |\n| --- | --- | --- | --- |\n| a "b", c | -1.5 | \\[1,2\\] |  |\n',
    );
  });

  test("given captured text that looks like a formula, CSV disarms it and keeps numbers", () => {
    for (const start of ["=", "+", "-", "@", "\t", "\r", "\n", " =", "\uff1d"])
      assert.match(text(column(`${start}1+1`), "csv"), /^a\r\n"?'/);
    assert.is(text({ columns: ["a"], rows: [{ a: -5 }] }, "csv"), "a\r\n-5\r\n");
    // Where the comma is the decimal sign, a semicolon or tab separates cells.
    assert.is(text(column("/a;=1+1;b\t @x"), "csv"), "a\r\n/a;'=1+1;b\t' @x\r\n");
    assert.is(text(column('/a;"=1,1'), "csv"), 'a\r\n"/a;\'""=1,1"\r\n');
    assert.is(text(column(["a;=1+1"]), "csv"), 'a\r\n"[""a;\'=1+1""]"\r\n');
  });

  test("given captured control characters, CSV and Markdown replace them", () => {
    const value = "a\u001b]0;x\u0007b\u007fc\u009bd";
    assert.is(text(column(value), "csv"), "a\r\na\u241b]0;x\u2407b\u2421c\ufffdd\r\n");
    assert.match(text(column(value), "md"), "a\\\\u{1b}\\]0;x\\\\u{7}b\\\\u{7f}c\\\\u{9b}d");
    assert.equal(JSON.parse(text(column(value), "json")), [{ a: value }]);
  });

  test("given any text, CSV reads back as one field", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string(), (left, right) => {
        const read = readCsv(text({ columns: ["a", "b"], rows: [{ a: left, b: right }] }, "csv"));
        const [first = "", second = ""] = read[1] ?? [];
        assert.is(read.length, 2);
        const told = (value: string) => value.replaceAll(/'|(?![\t\r\n\u0085])\p{Cc}|[\u2400-\u2421\ufffd]/gu, "");
        assert.is(told(first), told(left));
        assert.is(told(second), told(right));
      }),
    );
  });

  test("given any text, Markdown has it in one cell on one line, without markup", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("|", "\\", "\n", "\r", "<", "`", "[", "a", "\u2028") }),
        (value) => {
          const lines = text(column(value), "md").split("\n");
          assert.is(lines.length, 4);
          const unescaped = (lines[2] ?? "").replaceAll(/\\[\\`*_[\]|~]/g, "");
          assert.is(unescaped.split("|").length, 3);
          assert.not.match(unescaped, /[<`[\]\r\u2028]/);
        },
      ),
    );
  });
});

function column(a: Cell): Table {
  return { columns: ["a"], rows: [{ a }] };
}

function text(table: Table, format: TableFormat): string {
  return [...piecesOf(table, format)].join("");
}

/** Parses CSV by RFC 4180's grammar. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (field.lastIndex < text.length) {
    const [whole, quoted, bare = "", end] = field.exec(text) ?? [];
    assert.ok(whole, "not a field");
    row.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
