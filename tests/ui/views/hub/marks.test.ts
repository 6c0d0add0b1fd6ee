import * as assert from "uvu/assert";
import { highlightsOf } from "../../../../src/engine/hub/search.ts";
import { partsOf } from "../../../../src/ui/views/hub/marks.ts";
import { troublesOf } from "../../../../src/ui/views/hub/troubleshooting.ts";
import { describe } from "../../../support/describe.ts";

const sketch = (text: string, ...words: readonly string[]) =>
  partsOf(text, highlightsOf(text, words))
    .map((part) => (part.marked ? `[${part.text}]` : part.text))
    .join("");

describe("marks", (test) => {
  test("found words are marked, wherever they stand", () => {
    assert.is(sketch("Copy one copy", "copy"), "[Copy] one [copy]");
    assert.is(sketch("Copy", "co", "opy"), "[Copy]");
    assert.is(sketch("Copy"), "Copy");
    assert.is(sketch(""), "");
  });

  test("an error is found by any words of it, of its meaning and of its fix together", () => {
    const troubles = [
      { text: "curl: (60) SSL problem", meaning: "Not trusted.", fix: "Copy again." },
      { text: "curl: (7) refused", meaning: "Nobody listens.", fix: "Start the proxy." },
    ];
    const found = (search: string) => troublesOf({ troubles }, search).map(({ key }) => key);
    assert.equal(found("(60)"), ["curl: (60) SSL problem"]);
    assert.equal(found("curl START"), ["curl: (7) refused"]);
    assert.is(found("").length, 2);
    assert.is(found("wget").length, 0);
  });
});
