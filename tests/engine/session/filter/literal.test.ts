import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { inOneCase, literal } from "../../../../src/engine/session/filter/literal.ts";
import { wordPredicate } from "../../../../src/engine/session/filter/word-predicate.ts";
import { ExchangeTable } from "../../../../src/engine/session/table/exchange-table.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { processorTimeOf } from "../../../support/processor-time.ts";

describe("a text that is looked for", (test) => {
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

  test("is found in any letter case, however long it is", () => {
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

  test("is compared as regular expressions compare letters", () => {
    for (let code = 0; code < 65_536; code += 1) {
      const unit = String.fromCharCode(code);
      const pattern = new RegExp(`^\\u${code.toString(16).padStart(4, "0")}$`, "i");
      if (!pattern.test(inOneCase(unit))) assert.unreachable(`U+${code.toString(16)}`);
    }
  });

  test("takes time that grows with its length and the other text's, not with their product", () => {
    const text = `${"a".repeat(30_000)}b`;
    const other = "a".repeat(120_000);
    assert.ok(processorTimeOf(() => literal(text).test(other)) < 500);
  });

  test("may be a word as long as a filter", () => {
    const table = new ExchangeTable(4);
    table.add(exchange({ id: 1, target: `/${"a".repeat(2_000)}` }));
    const time = processorTimeOf(() => {
      assert.not(wordPredicate(table, `t/${"a".repeat(70_000)}`).holds(0));
      assert.ok(wordPredicate(table, `T/${"A".repeat(2_000)}`).holds(0));
    });
    assert.ok(time < 500, `${time} ms`);
  });
});
