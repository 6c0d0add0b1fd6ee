import * as assert from "uvu/assert";
import { hexText, prettyText, rawText } from "../../../../src/ui/views/inspector/body-text.ts";
import { describe } from "../../../support/describe.ts";

describe("a body as lines", (test) => {
  test("hex rows show 16 bytes, their offset and their letters", () => {
    const text = hexText(new TextEncoder().encode("GET / HTTP/1.1\r\nHost"));
    assert.is(text.count, 2);
    const row = text.row(1, "", null);
    assert.is(row?.number, "000010");
    assert.is(row?.segments.map((segment) => segment.text).join(""), `48 6f 73 74${" ".repeat(12 + 2 + 23 + 2)}Host`);
  });

  test("a line of megabytes is cut into rows, and only the first has a number", () => {
    const text = rawText(`${"a".repeat(2_500)}\nb`);
    assert.equal(
      [0, 1, 2, 3].map((at) => text.row(at, "", null)?.number),
      ["1", "", "", "2"],
    );
  });

  test("search ignores case, counts each match, and marks exactly it", () => {
    const text = rawText("Pay to PAY\nnothing\nrepay");
    assert.equal(text.find("pay"), [0, 0, 2]);
    assert.equal(
      text.row(0, "pay", null)?.segments.map(({ text: part, match }) => [part, match]),
      [
        ["Pay", true],
        [" to ", false],
        ["PAY", true],
      ],
    );
  });

  test("a match that is folded away is shown when it is gone to", () => {
    const text = prettyText(
      '{"a":{"b":{"long":"a value that is long enough to be folded away, and then some more","token":"needle"}}}',
    );
    const [line] = text?.find("needle") ?? [];
    const before = text?.count ?? 0;
    const at = text?.reveal(line ?? 0) ?? -1;
    assert.ok((text?.count ?? 0) > before);
    assert.ok(text?.row(at, "needle", null)?.segments.some(({ match }) => match));
  });
});
