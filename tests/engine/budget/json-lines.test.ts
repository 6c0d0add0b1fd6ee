import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { lineOf, repeatedNameIn } from "../../../src/engine/budget/json-lines.ts";
import { describe } from "../../support/describe.ts";

/** All paths of a value, each with the value there. */
function* pathsIn(value: unknown, path: (string | number)[] = []): Generator<[(string | number)[], unknown]> {
  yield [path, value];
  if (Array.isArray(value)) for (const [index, one] of value.entries()) yield* pathsIn(one, [...path, index]);
  else if (typeof value === "object" && value !== null)
    for (const [key, one] of Object.entries(value)) yield* pathsIn(one, [...path, key]);
}

describe("line numbers of a JSON text", (test) => {
  test("given a path to a value, returns the line on which the value begins", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value, null, 1);
        const lines = text.split("\n");
        for (const [path, one] of pathsIn(value)) {
          const line = lines[lineOf(text, path) - 1] ?? "";
          const begin = JSON.stringify(one, null, 1).split("\n")[0] ?? "";
          assert.ok(line.includes(begin), `${begin} in ${line}`);
          const last = path.at(-1);
          if (typeof last === "string") assert.ok(line.includes(JSON.stringify(last)), "beside its own name");
        }
      }),
    );
  });

  test("given a path that does not exist, returns the line of its nearest existing parent", () => {
    const text = '{\n "a": {\n  "b": 1\n },\n "c": 2\n}';
    assert.equal(
      [lineOf(text, []), lineOf(text, ["a", "x"]), lineOf(text, ["c", 3]), lineOf(text, ["z"])],
      [1, 2, 5, 1],
    );
  });

  test("given a name that occurs twice in an object, finds its second line; else nothing", () => {
    const name = fc.constantFrom("a", 'b"', ":", "{");
    const leaf = fc.constantFrom('"a"', "1", '"{\\"a\\":1"', "[]", '["a", "a", {"a": 1}]');
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.array(fc.tuple(name, leaf), { maxLength: 4 }), (value, fields) => {
        assert.is(repeatedNameIn(JSON.stringify(value, null, 1)), null);
        const lines = fields.map(([key, one]) => `${JSON.stringify(key)} : ${one}`);
        const found = repeatedNameIn(`[ 0, {\n${lines.join(",\n")}\n}]`);
        const names = fields.map(([key]) => key);
        const second = names.findIndex((key, index) => names.indexOf(key) < index);
        assert.equal(found, second < 0 ? null : { path: [1, names[second]], line: second + 2 });
      }),
    );
  });
});
