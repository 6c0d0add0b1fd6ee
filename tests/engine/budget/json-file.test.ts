import * as assert from "uvu/assert";
import * as v from "valibot";
import { readJson } from "../../../src/engine/budget/json-file.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { describe } from "../../support/describe.ts";
import { problemOf } from "../../support/problem-of.ts";

const LIST = v.strictObject({ list: v.array(v.number("a number")) });
const read = (text: string) => readJson(text, LIST, "the file", () => null);

describe("JSON file with a schema", (test) => {
  test("given a text that fits, returns its value; else says where it does not", () => {
    assert.equal(unwrap(read('{"list":[1,2]}')), { list: [1, 2] });
    assert.is(problemOf(read('{\n"list":[\n1,\n"two"]}')), 'Line 4: list › [1] must be a number, but is "two".');
    assert.is(problemOf(read('{"list":[],\n"other":1}')), "Line 2: other is not a known name; known are list.");
    assert.is(problemOf(read('{"list":[],\n"list":[]}')), "Line 2: list occurs twice, first on line 1.");
    assert.is(problemOf(read("{}")), "Line 1: list is missing.");
    assert.match(problemOf(read('{"list":[1,\n=======\n2,\n>>>>>>> branch\n]}')), /^Line 4: a merge left its conflict/);
    assert.match(problemOf(read(`{"list":["${"x".repeat(99)}"]}`)), /, but is "x{39}…\.$/);
    assert.match(problemOf(read("")), /^The file is not JSON: .*\.$/);
    const faulty = readJson("{}", LIST, "the file", () => ({ path: [], reason: "is foreign" }));
    assert.is(problemOf(faulty), "Line 1: the file is foreign.");
  });
});
