import { existsSync, readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { describe } from "./support/describe.ts";

const at = (path: string) => new URL(`../${path}`, import.meta.url);
const text = (path: string) => readFileSync(at(path), "utf8");

/** A row of "Every limit" in docs/security.md. */
interface Row {
  readonly what: string;
  readonly most: string;
  readonly beyond: string;
  readonly source: string;
  readonly constant: string;
  readonly test: string;
}

const [, table = ""] = /### Every limit\n([\s\S]*?)\n## /.exec(text("docs/security.md")) ?? [];

const ROWS: readonly Row[] = table
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| what "))
  .map((line) => {
    const [what = "", most = "", beyond = "", constant = "", test = ""] = line.slice(2, -2).split(" | ");
    const [, source = "", name = ""] = /^`([\w./-]+)` `(\w+)`$/.exec(constant) ?? [];
    return {
      what,
      most,
      beyond,
      source,
      constant: name,
      test: /^`(tests\/[\w./-]+\.test\.ts)`$/.exec(test)?.[1] ?? "",
    };
  });

describe("table of limits in docs/security.md", (test) => {
  test("given the table, reads rows, none of them twice", () => {
    assert.ok(ROWS.length > 40);
    assert.is(new Set(ROWS.map(({ what }) => what)).size, ROWS.length);
  });

  test("given any row, it says what, how much, and what happens then", () =>
    assert.equal(
      ROWS.filter(({ what, most, beyond }) => [what, most, beyond].some((cell) => cell.trim() === "")),
      [],
    ));

  test("given any row, its constant is in its source", () =>
    assert.equal(
      ROWS.filter(
        ({ source, constant }) =>
          constant === "" ||
          !existsSync(at(source)) ||
          !new RegExp(`\\b${constant}(?:: \\w+)? ?[=:]`).test(text(source)),
      ).map(({ what }) => what),
      [],
    ));

  test("given any row, its test is there", () =>
    assert.equal(
      ROWS.filter(({ test: path }) => path === "" || !existsSync(at(path)) || !text(path).includes("test(")).map(
        ({ what }) => what,
      ),
      [],
    ));
});
