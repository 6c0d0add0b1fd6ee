import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { coloured, type Reading } from "../../../../src/ui/views/hub/colouring.ts";
import { describe } from "../../../support/describe.ts";

const sketch = (text: string, reading: Reading, changed: string | null = null): readonly string[] =>
  coloured(text, reading, changed).map(({ runs }) =>
    runs.map((run) => `${run.kind === "plain" ? "" : `${run.kind}:`}${run.text}${run.changed ? "!" : ""}`).join("|"),
  );

describe("colouring", (test) => {
  test("strings, numbers and key words of code", () => {
    assert.equal(sketch('import a\nx = f("https://b/", 15)', "code"), [
      "keyword:import| a",
      'x = f(|string:"https://b/"|, |number:15|)',
    ]);
  });

  test("in a shell what is assigned is a string, and a number is part of a word", () => {
    assert.equal(sketch("export A=http://127.0.0.1:8686\ncurl 'a b' 15", "shell"), [
      "keyword:export| A=|string:http://127.0.0.1:8686",
      "curl |string:'a b'| 15",
    ]);
  });

  test("an option and a string that fits are not broken at their hyphens; a comment is one run", () => {
    const whole = (text: string, reading: Reading) =>
      coloured(text, reading, null).flatMap(({ runs }) => runs.filter((run) => run.whole).map((run) => run.text));
    assert.equal(whole(`curl -s --proxy http://a-b '${"x".repeat(39)}' 'a-b'`, "shell"), ["-s", "--proxy", "'a-b'"]);
    assert.equal(sketch('f("//a") // in a-b', "code"), ['f(|string:"//a"|) |comment:// in a-b']);
  });

  test("values that only a person reads have no colour", () => {
    assert.equal(sketch('No proxy for: "x" 15', "plain"), ['No proxy for: "x" 15']);
  });

  test("a changed value is cut out wherever it stands by itself", () => {
    assert.equal(sketch("a:80 8080 80", "plain", "80"), ["a:|80!| 8080 |80!"]);
  });

  test("whatever the text, all of it is shown", () => {
    const reading = fc.constantFrom<Reading>("code", "shell", "plain");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), reading, fc.constantFrom(null, "8686"), (text, kind, changed) => {
        const shown = coloured(text, kind, changed).map(({ runs }) => runs.map((run) => run.text).join(""));
        assert.is(shown.join("\n"), text.replace(/\n$/, ""));
      }),
    );
  });
});
