import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { foldedAtFirst, segmentsOf, shownLines, unfoldedTo } from "../../../../src/ui/views/inspector/folded-lines.ts";
import { type JsonLine, jsonLinesOf } from "../../../../src/ui/views/inspector/json-lines.ts";
import { describe } from "../../../support/describe.ts";

function lines(text: string): readonly JsonLine[] {
  const found = jsonLinesOf(text);
  if (found === null) throw new Error("this is JSON");
  return found;
}

function textOf(all: readonly JsonLine[]): string {
  return all.map(({ depth, segments }) => "  ".repeat(depth) + segments.map(({ text }) => text).join("")).join("\n");
}

describe("pretty-printed JSON", (test) => {
  test("any JSON value reads as JSON.stringify writes it with two spaces", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (json) => {
        assert.is(textOf(lines(json)), JSON.stringify(JSON.parse(json), null, 2));
      }),
    );
  });

  test("numbers keep their digits, and a name that stands twice stays twice", () => {
    assert.is(
      textOf(lines('{"id":12345678901234567890,"id":1.50}')),
      '{\n  "id": 12345678901234567890,\n  "id": 1.50\n}',
    );
  });

  test("text that is cut, or is no JSON, is not pretty-printed", () => {
    for (const text of ["", '{"a":1', "[1,2", "<html>", '{"a":1} tail', "[1}", "undefined"]) {
      assert.is(jsonLinesOf(text), null, text);
    }
  });

  test("deep objects start folded: short ones show inline, others how much they hold", () => {
    const all = lines('{"a":{"up":{"host":"x","n":2},"items":[{"k":1},{"k":2},{"k":3}]}}');
    const folded = foldedAtFirst(all);
    const shown = shownLines(all, folded).map((index) =>
      segmentsOf(all, index, folded.has(index))
        .map(({ text }) => text)
        .join(""),
    );
    assert.equal(shown, ["{", '"a": {', '"up": { "host": "x", "n": 2 },', '"items": [ 3 objects ]', "}", "}"]);
  });

  test("unfolding to a line unfolds all that hides it and nothing else", () => {
    const all = lines('{"a":{"b":{"c":1}},"d":{"e":{"f":1}}}');
    const folded = foldedAtFirst(all);
    const line = all.findIndex(({ segments }) => segments.some(({ text }) => text === '"c"'));
    const open = unfoldedTo(all, folded, line);
    assert.ok(shownLines(all, open).includes(line));
    assert.is(open.size, folded.size - 1);
  });

  test("megabytes of one string do not exhaust the reader", () => {
    assert.is(lines(JSON.stringify(["x".repeat(2_000_000)])).length, 3);
  });
});
