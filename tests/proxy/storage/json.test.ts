import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { parsedJson } from "../../../extensions/proxy/storage/json.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";

describe("JSON validation of outside files", (test) => {
  test("given JSON of up to 8 levels, parses it as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8, noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        if (/__proto__|constructor|prototype/.test(text)) return;
        assert.equal(parsedJson(text), JSON.parse(text));
      }),
    );
  });

  test("given text that is not JSON, returns undefined", () => {
    for (const text of ["", "{", "nul", "[1,]", "{'a':1}", '"', "\0", "1 2"]) assert.is(parsedJson(text), undefined);
  });

  test("given nesting beyond 64 levels, returns undefined; brackets in strings do not count", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    assert.is.not(parsedJson(nested(64)), undefined);
    assert.is(parsedJson(nested(65)), undefined);
    assert.is(parsedJson("[".repeat(5_000_000)), undefined);
    assert.is(parsedJson(`${'{"a":'.repeat(70)}1${"}".repeat(70)}`), undefined);
    assert.is(parsedJson(`["\\"",${nested(64)}]`), undefined);
    assert.equal(parsedJson(`"${"[".repeat(100)}"`), "[".repeat(100));
    const wide = Array.from({ length: 500 }, () => ({ a: [{}] }));
    assert.equal(parsedJson(JSON.stringify(wide)), wide, "wide is not deep");
  });

  test("given a string of any length and escapes, reads it", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("a", "\\\\", '\\"', "[", "\\n"),
        fc.integer({ min: 0, max: 12_000_000 }),
        (unit, count) => {
          const text = `["${unit.repeat(count)}"]`;
          assert.ok(JSON.stringify(parsedJson(text)) === text);
        },
      ),
      { numRuns: rounds(5), examples: [["a", 12_000_000]] },
    );
  });

  test("given __proto__, constructor or prototype as a key, drops it at any depth, even if escaped", () => {
    const text = '{"a":{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}},"b":[{"__proto__":1}]}}';
    const value = parsedJson(text);
    assert.is(JSON.stringify(value), '{"a":{"b":[{}]}}');
    assert.is(Object.getPrototypeOf((value as { a: object }).a), Object.prototype);
    fc.assert(
      fc.property(fc.constantFrom("__proto__", "constructor", "prototype"), fc.nat(), (key, drawn) => {
        const index = drawn % key.length;
        const escaped = `\\u00${key.charCodeAt(index).toString(16)}`;
        const read = parsedJson(`{"${key.slice(0, index)}${escaped}${key.slice(index + 1)}":{"x":1},"b":1}`);
        assert.is(JSON.stringify(read), '{"b":1}');
      }),
    );
    assert.is(({} as { x?: number }).x, undefined);
  });
});
