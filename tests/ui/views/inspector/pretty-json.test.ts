import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  type Fold,
  holdingOf,
  type PrettyJson,
  prettyJsonOf,
  prettyJsonSteps,
} from "../../../../src/ui/views/inspector/pretty-json.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";

function pretty(text: string): PrettyJson {
  const printed = prettyJsonOf(text);
  if (printed === null) throw new Error("this is JSON");
  return printed;
}

const textOf = ({ lines }: PrettyJson): string => lines.join("\n");

/** The content of each fold, without white space. */
const within = (text: string): readonly string[] => {
  const printed = pretty(text);
  return printed.folds.map(({ from, to }) => textOf(printed).slice(from, to).replaceAll(/\s/g, ""));
};

describe("pretty-printed JSON", (test) => {
  test("given any JSON with any spacing, prints it as JSON.stringify does with two spaces", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom("", " ", "\t", " \r\n"), (json, space) => {
        const value: unknown = JSON.parse(json);
        const spaced = JSON.stringify(value, null, space);
        assert.is(textOf(pretty(spaced)), JSON.stringify(value, null, 2));
      }),
    );
  });

  test("given any JSON, keeps its value and the order of its tokens", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (json) => {
        const text = textOf(pretty(json));
        assert.equal(JSON.parse(text), JSON.parse(json));
        assert.is(tokensOf(text), tokensOf(json));
      }),
    );
  });

  test("given large numbers, escapes and duplicate names, keeps them as sent", () => {
    const lines = ["{", '  "id": 12345678901234567890,', '  "id": 1.50E+2,', '  "\\u0041\\\\\\"": "\\/"', "}"];
    assert.equal(pretty('{"id":12345678901234567890,"id":1.50E+2,"\\u0041\\\\\\"":"\\/"}').lines, lines);
  });

  test("given cut text or text that is not JSON, prints nothing", () => {
    for (const text of [
      "",
      " ",
      '{"a":1',
      "[1,2",
      "<html>",
      '{"a":1} tail',
      "[1}",
      "[,]",
      '{"a" 1}',
      "undefined",
      "01",
    ]) {
      assert.is(prettyJsonOf(text), null, text);
    }
  });

  test("given any damaged JSON, accepts exactly what JSON.parse accepts", () => {
    const signs = fc.constantFrom(...'{}[],:"\\0123456789-+.eEtrufalsn \n\t\u0001/b€');
    const change = fc.record({ at: fc.nat(200), removed: fc.nat(2), added: fc.array(signs, { maxLength: 2 }) });
    const isJson = (text: string): boolean => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.array(change, { minLength: 1, maxLength: 2 }), (json, changes) => {
        let text = json;
        for (const { at, removed, added } of changes) {
          const position = at % (text.length + 1);
          text = text.slice(0, position) + added.join("") + text.slice(position + removed);
        }
        assert.is(prettyJsonOf(text) !== null, isJson(text), text);
      }),
      { numRuns: rounds(2_000) },
    );
    for (const text of [
      '"a\\x"',
      '"\\u12g4"',
      '"\\',
      '"',
      "-",
      "1.",
      ".5",
      "1e",
      "--1",
      "tru",
      '{"a":}',
      "{,}",
      "[1,]",
      '{"a":1,}',
      "]",
      ":",
      ",",
      "1 2",
      '""""',
      '{"a":1:2}',
      "{1:2}",
      "[1:2]",
    ])
      assert.equal([text, prettyJsonOf(text)], [text, null]);
  });

  test("given a long text, prints it in slices of limited size", () => {
    const steps = prettyJsonSteps(JSON.stringify(Array.from({ length: 30_000 }, (_, index) => ({ index }))));
    let slices = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) slices += 1;
    assert.is(step.value?.lines.length, 90_002);
    // Each element has five tokens and a comma.
    assert.is(slices, Math.floor((30_000 * 6) / 5_000));
  });

  test("given any JSON, creates a fold per non-empty object or array, in order and properly nested", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (json) => {
        const printed = pretty(json);
        const text = textOf(printed);
        for (const [index, fold] of printed.folds.entries()) {
          const marks = text.charAt(fold.from - 1) + text.charAt(fold.to);
          assert.is(marks, fold.isArray ? "[]" : "{}");
          assert.is(text.charAt(fold.from), "\n");
          const parent = fold.parent === null ? null : printed.folds[fold.parent];
          assert.is(fold.depth, parent === null ? 0 : (parent?.depth ?? -2) + 1);
          if (parent) assert.ok(parent.from < fold.from && fold.to < parent.to);
          const next = printed.folds[index + 1];
          if (next) assert.ok(fold.from < next.from && (next.to < fold.to || next.from > fold.to));
        }
        const empty = /"(?:[^"\\]|\\.)*"|\{\}|\[\]/g;
        const opened = text.replaceAll(empty, "").match(/[{[]/g) ?? [];
        assert.is(printed.folds.length, opened.length);
      }),
    );
  });

  test("given a fold, says how many members it holds and whether they fit on one line", () => {
    const { folds } = pretty('{"up":{"host":"x","n":2},"items":[{"k":1},{},{}],"mixed":[1,{"k":[2]}]}');
    const said = folds.map((fold: Fold) => `${holdingOf(fold)}${fold.isShort ? ", short" : ""}`);
    assert.equal(said, [
      "3 members",
      "2 members, short",
      "3 objects",
      "1 member, short",
      "2 values",
      "1 member",
      "1 value, short",
    ]);
    assert.equal(within('{"a":{"b":[1,2]}}'), ['"a":{"b":[1,2]}', '"b":[1,2]', "1,2"]);
    const long = (length: number) => pretty(JSON.stringify({ a: { b: "x".repeat(length) } })).folds[1]?.isShort;
    assert.equal([long(65), long(66)], [true, false]);
  });

  test("given a folded array, does count objects only if each child is one", () => {
    const child = fc.constantFrom("{}", '{"a":1}', "[]", "[1]", "1", '"{}"', "null");
    fc.assert(
      fc.property(fc.array(child, { minLength: 1, maxLength: 4 }), (children) => {
        const noun = children.every((text) => text.startsWith("{")) ? "object" : "value";
        const [fold] = pretty(`[${children.join()}]`).folds;
        assert.is(fold && holdingOf(fold), `${children.length} ${noun}${children.length === 1 ? "" : "s"}`);
      }),
    );
  });

  test("given strings of megabytes or extremely deep nesting, does not overflow the stack", () => {
    assert.is(pretty(JSON.stringify(["x".repeat(2_000_000)])).lines.length, 3);
    assert.is(pretty(JSON.stringify(['\\"'.repeat(500_000)])).lines.length, 3);
    assert.is(prettyJsonOf("[".repeat(200_000) + "]".repeat(200_000)), null);
  });
});

/** Everything but the white space between tokens. */
function tokensOf(text: string): string {
  return text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
}
