import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { inOneCase, literal } from "../../../../src/engine/session/filter/literal.ts";
import { wordPredicate } from "../../../../src/engine/session/filter/row-predicate.ts";
import { ExchangeTable } from "../../../../src/engine/session/table/exchange-table.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { processorTimeOf } from "../../../support/processor-time.ts";
import { someOf } from "../../../support/rounds.ts";

describe("case-insensitive text search", (test) => {
  const letters = fc.constantFrom(
    "a",
    "A",
    "b",
    "é",
    "É",
    "ß",
    "ſ",
    "K",
    "İ",
    "ı",
    "σ",
    "ς",
    "\ud83d",
    "\ude00",
    ".",
    "*",
  );

  test("given a word of any length, finds it in any letter case", () => {
    const texts = fc.array(letters, { maxLength: 60 }).map((drawn) => drawn.join(""));
    fc.assert(
      fc.property(texts, texts, texts, fc.boolean(), (before, text, after, isIn) => {
        const long = `${text}${"-".repeat(33)}`;
        const other = isIn ? before + long.toUpperCase() + after : before + after;
        const pattern = new RegExp(long.replaceAll(/[.*-]/g, "\\$&"), "i");
        const match = pattern.exec(other);
        assert.is(literal(long).test(other), match !== null);
        assert.equal(literal(long).find(other), match && { index: match.index, length: match[0].length });
      }),
    );
  });

  test("given any UTF-16 unit, ignores letter case as regular expressions do", () => {
    for (const code of someOf(Array.from({ length: 65_536 }, (_, unit) => unit))) {
      const unit = String.fromCharCode(code);
      const pattern = new RegExp(`^\\u${code.toString(16).padStart(4, "0")}$`, "i");
      if (!pattern.test(inOneCase(unit))) assert.unreachable(`U+${code.toString(16)}`);
    }
  });

  test("given a long word and a long text, takes time linear in both", () => {
    const text = `${"a".repeat(30_000)}b`;
    const other = "a".repeat(120_000);
    assert.ok(processorTimeOf(() => literal(text).test(other)) < 500);
  });

  test("given a word as long as a filter may be, matches it in time", () => {
    const table = new ExchangeTable(4);
    table.add(exchange({ id: 1, target: `/${"a".repeat(2_000)}` }));
    const time = processorTimeOf(() => {
      assert.not(wordPredicate(table, `t/${"a".repeat(70_000)}`).holds(0));
      assert.ok(wordPredicate(table, `T/${"A".repeat(2_000)}`).holds(0));
    });
    assert.ok(time < 500, `${time} ms`);
  });
});
