import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { bodyDifferenceOf } from "../../../../src/engine/insights/difference/body-difference.ts";
import { describe } from "../../../support/describe.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const compare = (one: string, other: string) => bodyDifferenceOf(bytes(one), bytes(other));

const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 12 });

describe("body difference", (test) => {
  test("given equal bytes, says that they are the same, with their size", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (body) => {
        assert.equal(bodyDifferenceOf(body, body.slice()), { kind: "same", size: body.length });
      }),
    );
  });

  test("given a JSON body with one changed value, names its path and both values", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.integer(), { minKeys: 1 }), (inner) => {
        const [name = ""] = Object.keys(inner);
        const value = inner[name] ?? 0;
        const made = (changed: number) => JSON.stringify({ list: [{ ...inner, [name]: changed }], rest: [1, null] });
        assert.equal(compare(made(value), made(value + 1)), {
          kind: "json",
          differences: [{ path: `list[0].${name}`, one: String(value), other: String(value + 1) }],
          more: 0,
        });
      }),
    );
  });

  test("given a key that only one body has, distinguishes it from null", () => {
    assert.equal(compare('{"a":null,"b":[1]}', '{"b":{"c":1}}'), {
      kind: "json",
      differences: [
        { path: "a", one: "null", other: null },
        { path: "b", one: "[1 item]", other: "{1 key}" },
      ],
      more: 0,
    });
  });

  test("given JSON that differs only in its writing, finds no value that differs", () => {
    assert.equal(compare('{"a":1,"b":2}', '{ "b": 2.0, "a": 1 }'), { kind: "json", differences: [], more: 0 });
  });

  test("given JSON as deep as its bytes allow, compares it", () => {
    const depth = 100_000;
    const made = (value: number) => "[".repeat(depth) + value + "]".repeat(depth);
    const found = compare(made(1), made(2));
    assert.is(found.kind === "json" && found.differences.length, 1);
  });

  test("given texts, the listed lines are what turns one into the other", () => {
    fc.assert(
      fc.property(lines, lines, (one, other) => {
        const found = compare(one.join("\n"), other.join("\n"));
        if (found.kind === "same") return;
        assert.is(found.kind, "text");
        if (found.kind !== "text") return;
        assert.is(found.more, 0);
        const without = (list: readonly string[], side: "one" | "other") =>
          list.filter((_, index) => !found.differences.some((each) => each.side === side && each.line === index + 1));
        assert.equal(without(one, "one"), without(other, "other"));
        for (const { side, line, text } of found.differences) assert.is((side === "one" ? one : other)[line - 1], text);
      }),
    );
  });

  test("given more differences than are listed, says how many more, or that it did not count", () => {
    const numbered = (count: number, from: number) =>
      Array.from({ length: count }, (_, index) => `line ${from + index}`).join("\n");
    const found = compare(numbered(300, 0), numbered(300, 1_000));
    assert.equal([found.kind === "text" && found.differences.length, found.kind === "text" && found.more], [200, 400]);
    const long = compare(numbered(3_000, 0), numbered(3_000, 10_000));
    assert.is(long.kind === "text" && long.more, null);
  });

  test("given bytes that are no text, tells sizes and the first byte that differs", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), fc.uint8Array({ minLength: 1, maxLength: 50 }), (begin, rest) => {
        const one = Uint8Array.of(0, ...begin);
        const other = Uint8Array.of(0, ...begin, ...rest);
        const expected = { kind: "binary", one: one.length, other: other.length, at: one.length } as const;
        assert.equal(bodyDifferenceOf(one, other), expected);
      }),
    );
  });
});
