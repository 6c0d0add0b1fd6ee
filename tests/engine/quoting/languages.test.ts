import { spawnSync } from "node:child_process";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { LANGUAGES, literal } from "../../../src/engine/quoting/languages.ts";
import { describe } from "../../support/describe.ts";
import { hostileText } from "../../support/hostile.ts";
import { needs } from "../../support/which.ts";

const values = fc.sample(hostileText, { numRuns: 300, seed: 2 });

describe("string literals", (test) => {
  test("json and JavaScript read every value back", () => {
    for (const value of values) {
      assert.is(JSON.parse(literal(value, "json")), value);
      assert.is(new Function(`"use strict"; return ${literal(value, "javascript")}`)(), value);
    }
  });

  test(
    "Python reads every value back",
    () => {
      const list = values.map((value) => literal(value, "python")).join(",\n");
      const program = `import json, sys\njson.dump([\n${list}\n], sys.stdout)`;
      const { stdout, stderr } = spawnSync("python3", ["-"], { input: program, encoding: "utf8" });
      assert.is(stderr, "");
      assert.equal(JSON.parse(stdout), values);
    },
    { skip: needs("python3") },
  );

  test("the literal is one line of printable ASCII in every language", () => {
    for (const language of LANGUAGES) for (const value of values) assert.match(literal(value, language), /^"[ -~]*"$/);
  });

  test("each language's own escapes are used", () => {
    const text = '\u001b"\\#{x}$y\u00e9\u{1f600}';
    const expected = {
      python: String.raw`"\u001b\"\\#{x}$y\u00e9\U0001f600"`,
      javascript: String.raw`"\u001b\"\\#{x}$y\u00e9\ud83d\ude00"`,
      ruby: String.raw`"\u{1b}\"\\\#{x}$y\u{e9}\u{1f600}"`,
      go: String.raw`"\u001b\"\\#{x}$y\u00e9\U0001f600"`,
      rust: String.raw`"\u{1b}\"\\#{x}$y\u{e9}\u{1f600}"`,
      java: String.raw`"\033\"\\#{x}$y\u00e9\ud83d\ude00"`,
      php: String.raw`"\u{1b}\"\\#{x}\$y\u{e9}\u{1f600}"`,
      csharp: String.raw`"\u001b\"\\#{x}$y\u00e9\ud83d\ude00"`,
      json: String.raw`"\u001b\"\\#{x}$y\u00e9\ud83d\ude00"`,
    };
    for (const language of LANGUAGES) assert.is(literal(text, language), expected[language], language);
  });

  test("a text that spells an escape stays that text", () => {
    assert.is(literal("\\u0022", "java"), String.raw`"\\u0022"`);
  });

  test("a lone surrogate is kept where the language knows it", () => {
    assert.is(literal("\ud800", "javascript"), '"\\ud800"');
    assert.is(literal("\ud800", "rust"), '"\\u{fffd}"');
  });
});
