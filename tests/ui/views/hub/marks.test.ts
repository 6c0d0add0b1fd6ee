import * as assert from "uvu/assert";
import { highlightsOf } from "../../../../src/engine/hub/search.ts";
import { partsOf } from "../../../../src/ui/views/hub/marks.ts";
import { knownErrorRowsOf } from "../../../../src/ui/views/hub/troubleshooting.ts";
import { describe } from "../../../support/describe.ts";

const sketch = (text: string, ...words: readonly string[]) =>
  partsOf(text, highlightsOf(text, words))
    .map((part) => (part.marked ? `[${part.text}]` : part.text))
    .join("");

describe("search marks in the Setup Hub", (test) => {
  test("given search words, marks each place where they occur, in any letter case", () => {
    assert.is(sketch("Copy one copy", "copy"), "[Copy] one [copy]");
    assert.is(sketch("Copy", "co", "opy"), "[Copy]");
    assert.is(sketch("Copy"), "Copy");
    assert.is(sketch(""), "");
  });

  test("given search words, finds errors that contain all of them in text, meaning and fix together", () => {
    const knownErrors = [
      { text: "curl: (60) SSL problem", meaning: "Not trusted.", fix: "Copy again." },
      { text: "curl: (7) refused", meaning: "Nobody listens.", fix: "Start the proxy." },
    ];
    const found = (search: string) => knownErrorRowsOf({ knownErrors }, search).map(({ key }) => key);
    assert.equal(found("(60)"), ["curl: (60) SSL problem"]);
    assert.equal(found("curl START"), ["curl: (7) refused"]);
    assert.is(found("").length, 2);
    assert.is(found("wget").length, 0);
  });

  test('given a pasted error message, finds and marks the known error, whatever it has in place of "…"', () => {
    const knownErrors = [
      {
        text: "curl: (7) Failed to connect to … port … / Connection refused",
        meaning: "Nobody listens.",
        fix: "Start.",
      },
      { text: "curl: (60) SSL problem: self-signed certificate", meaning: "Not trusted.", fix: "Copy again." },
      { text: "curl: (6) Could not resolve host", meaning: "No name.", fix: "Look." },
    ];
    const found = (search: string) => knownErrorRowsOf({ knownErrors }, search).map(({ key }) => key.slice(0, 10));
    assert.equal(found("curl: (7) Failed to connect to 127.0.0.1 port 8686 after 2 ms: Couldn't"), ["curl: (7) "]);
    assert.equal(found("* connect: connection\n  refused"), ["curl: (7) "]);
    assert.equal(found("curl: (60) SSL problem: self signed certificate in certificate chain"), ["curl: (60)"]);
    assert.equal(found("port 1 curl: (7) Failed to connect to x"), [], "in another order");
    const [row] = knownErrorRowsOf({ knownErrors }, "curl: (6) Could not resolve host: nowhere.test");
    assert.equal(row?.text, [{ text: "curl: (6) Could not resolve host", marked: true }]);
    assert.equal(row?.fix, [{ text: "Look.", marked: false }]);
  });
});
