import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { isRecord, JsonElements, jsonOf, untrustedJsonOf } from "../../../src/engine/model/json.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";

describe("JSON parsing", (test) => {
  test("given any value, reads it back, and says whether it is an object with members", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = jsonOf(JSON.stringify(value));
        assert.equal(read, JSON.parse(JSON.stringify(value)));
        assert.is(isRecord(read), Object.prototype.toString.call(value) === "[object Object]");
      }),
    );
  });

  test("given another text, has null", () => {
    for (const text of ["", "{", "undefined", "{'a':1}"]) assert.is(jsonOf(text), null);
  });
});

/** The text of each object in a list, by its edges. */
function objectsIn(units: Iterable<number>): readonly (readonly number[])[] {
  const elements = new JsonElements();
  const found: number[][] = [];
  for (const unit of units) {
    const edge = elements.take(unit);
    if (edge === "first") found.push([]);
    if (edge !== null || elements.isInside) found.at(-1)?.push(unit);
  }
  return elements.isInside ? found.slice(0, -1) : found;
}

/** A JSON text as `JSON.stringify` writes it; objects cannot be compared, because of members such as `__proto__`. */
const withoutSpace = (text: string) => JSON.stringify(JSON.parse(text));
const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
const object = fc.dictionary(fc.string({ unit: anyCharacter }), fc.jsonValue());
const list = fc.array(fc.oneof(object, fc.jsonValue(), fc.constantFrom('"', "\\", "[{", "}]", '\\"')));
const indent = fc.constantFrom("", "  ", "\t");

describe("objects in a JSON list", (test) => {
  test("given any list, finds its objects and no others, in bytes as in UTF-16", () => {
    fc.assert(
      fc.property(list, indent, fc.constantFrom("", "\ufeff", "\r\n "), (values, indented, before) => {
        const text = before + JSON.stringify(values, null, indented);
        const expected = values.filter(isObject).map((one) => JSON.stringify(one));
        const units = objectsIn(Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)));
        const bytes = objectsIn(Buffer.from(text)).map((own) => Buffer.from(own).toString());
        assert.equal(bytes.map(withoutSpace), expected);
        assert.equal(
          units.map((own) => withoutSpace(String.fromCharCode(...own))),
          expected,
        );
      }),
    );
  });

  test("given a list that is cut off anywhere, finds the objects that are whole", () => {
    fc.assert(
      fc.property(fc.array(object), indent, fc.nat(), (values, indented, index) => {
        const whole = Buffer.from(JSON.stringify(values, null, indented));
        const cut = whole.subarray(0, index % (whole.length + 1));
        const found = objectsIn(cut).map((own) => withoutSpace(Buffer.from(own).toString()));
        assert.equal(
          found,
          values.slice(0, found.length).map((one) => JSON.stringify(one)),
        );
        assert.ok(values.length === found.length || cut.length < whole.length);
      }),
    );
  });

  test("given a text that is no list, or what follows the list, finds nothing", () => {
    for (const text of ['{"a":[{}]}', '"[{}]"', "1[{}]", "[] [{}]", "[1] {}"])
      assert.equal(objectsIn(Buffer.from(text)), [], text);
  });
});

describe("untrusted JSON", (test) => {
  test("given JSON of up to 8 levels, parses it as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8, stringUnit: anyCharacter }), (value) => {
        const text = JSON.stringify(value);
        if (/__proto__|constructor|prototype/.test(text)) return;
        assert.equal(untrustedJsonOf(text), JSON.parse(text));
      }),
    );
  });

  test("given text that is not JSON, returns undefined", () => {
    for (const text of ["", "{", "nul", "[1,]", "{'a':1}", '"', "\0", "1 2"])
      assert.is(untrustedJsonOf(text), undefined);
  });

  test("given nesting beyond 64 levels, returns undefined; brackets in strings do not count", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    assert.is.not(untrustedJsonOf(nested(64)), undefined);
    assert.is(untrustedJsonOf(nested(65)), undefined);
    assert.is(untrustedJsonOf("[".repeat(500_000)), undefined);
    assert.is(untrustedJsonOf(`${'{"a":'.repeat(70)}1${"}".repeat(70)}`), undefined);
    assert.is(untrustedJsonOf(`["\\"",${nested(64)}]`), undefined);
    assert.equal(untrustedJsonOf(`"${"[".repeat(100)}"`), "[".repeat(100));
    const wide = Array.from({ length: 500 }, () => ({ a: [{}] }));
    assert.equal(untrustedJsonOf(JSON.stringify(wide)), wide, "wide is not deep");
  });

  test("given a string of any length and escapes, reads it", () => {
    fc.assert(
      fc.property(fc.constantFrom("a", "\\\\", '\\"', "[", "\\n"), fc.nat(100_000), (unit, count) => {
        const text = `["${unit.repeat(count)}"]`;
        assert.ok(JSON.stringify(untrustedJsonOf(text)) === text);
      }),
      { numRuns: rounds(5), examples: [["a", 12_000_000]] },
    );
  });

  test("given __proto__, constructor or prototype as a key, drops it at any depth, even if escaped", () => {
    const text = '{"a":{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}},"b":[{"__proto__":1}]}}';
    const value = untrustedJsonOf(text);
    assert.is(JSON.stringify(value), '{"a":{"b":[{}]}}');
    assert.is(Object.getPrototypeOf((value as { a: object }).a), Object.prototype);
    fc.assert(
      fc.property(fc.constantFrom("__proto__", "constructor", "prototype"), fc.nat(), (key, drawn) => {
        const index = drawn % key.length;
        const escaped = `\\u00${key.charCodeAt(index).toString(16)}`;
        const read = untrustedJsonOf(`{"${key.slice(0, index)}${escaped}${key.slice(index + 1)}":{"x":1},"b":1}`);
        assert.is(JSON.stringify(read), '{"b":1}');
      }),
    );
    assert.is(({} as { x?: number }).x, undefined);
  });
});
