import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { LANGUAGES, type Language, literal } from "../../../src/engine/quoting/languages.ts";
import { describe } from "../../support/describe.ts";
import { hostileText } from "../../support/hostile.ts";
import { rounds } from "../../support/rounds.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

/** The first and last character of each range that is spelled one way. */
const EDGES = "\u001f ~\u007f\u0080\ud7ff\ue000\uffff\u{10000}\n\r\t";
const values = [EDGES, ...fc.sample(hostileText, { numRuns: rounds(300), seed: 2 })];
/** The values in a language without lone surrogates. */
const wholeValues = values.map((value) => value.replaceAll(/\p{Surrogate}/gu, "\ufffd"));

const joined = (language: Language) => values.map((value) => literal(value, language)).join(",\n");

/** Programs that print the values as JSON, by language. */
const PRINTERS: readonly (readonly [language: Language, argv: readonly string[], program: string])[] = [
  ["ruby", ["ruby", "-rjson"], `print JSON.generate([\n${joined("ruby")}\n])`],
  ["php", ["php"], `<?php echo json_encode([\n${joined("php")}\n]);`],
];

describe("string literals", (test) => {
  test("given any text, JSON and JavaScript literals evaluate to the same text", () => {
    for (const value of values) {
      assert.is(JSON.parse(literal(value, "json")), value);
      assert.is(new Function(`"use strict"; return ${literal(value, "javascript")}`)(), value);
    }
  });

  test(
    "given any text, Python evaluates its literal to the same text",
    async () => {
      const list = values.map((value) => literal(value, "python")).join(",\n");
      const program = `import json, sys\njson.dump([\n${list}\n], sys.stdout)`;
      assert.equal(JSON.parse(await printed(["python3", "-"], program)), values);
    },
    { skip: needs("python3") },
  );

  for (const [language, argv, text] of PRINTERS) {
    test(
      `given any text, ${language} evaluates its literal to the same text`,
      async () => assert.equal(JSON.parse(await printed(argv, text)), wholeValues),
      { skip: needs(argv[0] ?? "") },
    );
  }

  test("given any text, its literal is one line of printable ASCII in every language", () => {
    for (const language of LANGUAGES) for (const value of values) assert.match(literal(value, language), /^"[ -~]*"$/);
  });

  test("given characters to escape, each language uses its own escapes", () => {
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

  test("given the first and last character of each escape's range, uses that escape", () => {
    const spelled = {
      go: String.raw`"\u001f ~\u007f\u0080\ud7ff\ue000\uffff\U00010000\n\r\t"`,
      rust: String.raw`"\u{1f} ~\u{7f}\u{80}\u{d7ff}\u{e000}\u{ffff}\u{10000}\n\r\t"`,
      java: String.raw`"\037 ~\177\u0080\ud7ff\ue000\uffff\ud800\udc00\n\r\t"`,
      csharp: String.raw`"\u001f ~\u007f\u0080\ud7ff\ue000\uffff\ud800\udc00\n\r\t"`,
    };
    for (const language of ["go", "rust", "java", "csharp"] as const)
      assert.is(literal(EDGES, language), spelled[language]);
    for (const lone of ["\ud800", "\udfff"]) assert.is(literal(lone, "go"), '"\\ufffd"');
  });

  test("given a text that looks like an escape, keeps it as that text", () => {
    assert.is(literal("\\u0022", "java"), String.raw`"\\u0022"`);
  });

  test("given a lone surrogate, keeps it in JavaScript and replaces it in Rust", () => {
    assert.is(literal("\ud800", "javascript"), '"\\ud800"');
    assert.is(literal("\ud800", "rust"), '"\\u{fffd}"');
  });
});

/** A program's output; it must print no error. */
async function printed(argv: readonly string[], input: string): Promise<string> {
  let text = "";
  await withFolder(async (folder) => {
    const { stdout, stderr } = await runTool(argv, folder, { input });
    assert.is(stderr, "");
    text = stdout.toString();
  });
  return text;
}
