import { readdirSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { type HarItem, HarReader } from "../../../src/engine/interchange/har-reader.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";

const fixtures = new URL("../../fixtures/har/", import.meta.url);

describe("HAR reader", (test) => {
  for (const name of readdirSync(fixtures).filter((name) => name.endsWith(".har")))
    test(`given ${name} in pieces of any size, reads its entries`, () => {
      const text = readFileSync(new URL(name, fixtures), "utf8");
      const whole = JSON.parse(text).log.entries;
      for (const size of [text.length, 65_536, 997, 7])
        assert.equal(read(text, size), { entries: whole, problem: null, leftOut: [] });
    });

  test("given any JSON split anywhere, reads it as JSON.parse does", () => {
    const document = fc.record({
      entries: fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), { maxLength: 4 }),
      around: fc.dictionary(fc.constantFrom("pages", "log", "entries", "a", 'l"o\\g'), fc.jsonValue({ maxDepth: 3 })),
      space: fc.constantFrom(undefined, 1, "\t"),
    });
    fc.assert(
      fc.property(document, fc.integer({ min: 1, max: 40 }), ({ entries, around, space }, size) => {
        const { log: _, ...root } = around;
        const { entries: __, ...inner } = around;
        const text = JSON.stringify({ ...root, log: { ...inner, entries } }, null, space);
        const expected = JSON.parse(JSON.stringify(entries), (key, value) =>
          ["__proto__", "constructor"].includes(key) ? undefined : value,
        );
        assert.equal(read(text, size), { entries: expected, problem: null, leftOut: [] });
      }),
      { numRuns: rounds(300) },
    );
  });

  test("given a byte order mark, escaped names and other fields, reads the entries", () => {
    const text =
      '\ufeff {"x":["entries",[{}]],"log":{"pages":[{"entries":[1]}],"entr\\u0069es":[ {"a":"]}"} , {} ],"z":{}}} \n';
    for (const size of [1, 3, 1_000])
      assert.equal(read(text, size), { entries: [{ a: "]}" }, {}], problem: null, leftOut: [] });
  });

  test("given pages before or after the entries, passes on each that is an object, split anywhere", () => {
    const page = fc.dictionary(
      fc.string().filter((name) => !["__proto__", "constructor"].includes(name)),
      fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
    );
    const pages = fc.array(fc.oneof(page, fc.constant(1), fc.constant(null)), { maxLength: 4 });
    fc.assert(
      fc.property(pages, fc.boolean(), fc.integer({ min: 1, max: 40 }), (pages, isFirst, size) => {
        const log = isFirst ? { pages, entries: [{ a: 1 }] } : { entries: [{ a: 1 }], pages };
        const passed: object[] = [];
        const reader = new HarReader((one) => passed.push(one));
        const text = JSON.stringify({ log });
        const items: HarItem[] = [];
        for (let at = 0; at < text.length; at += size) items.push(...reader.push(text.slice(at, at + size)));
        assert.is(reader.end(), null);
        assert.equal(items, [{ ok: true, entry: 1, value: { a: 1 } }]);
        assert.equal(
          passed.map((one) => JSON.stringify(one)),
          pages.filter((one) => typeof one === "object" && one !== null).map((one) => JSON.stringify(one)),
        );
      }),
    );
  });

  const deep = (levels: number) => `{"log":{"entries":[${'{"a":'.repeat(levels)}1${"}".repeat(levels)}]}}`;
  const hostile: readonly [string, string, RegExp][] = [
    ["an empty file", "", /^This file is empty\.$/],
    ["only a byte order mark and white space", "\ufeff \n", /^This file is empty\.$/],
    ["a number", "17", /not one JSON object/],
    ["a list", "[]", /not one JSON object/],
    ["a string", '"log"', /not one JSON object/],
    ["HTML", "<html></html>", /not one JSON object/],
    ["two objects", '{"log":{"entries":[]}}{}', /not one JSON object/],
    ["text after the object", '{"log":{"entries":[]}} x', /not one JSON object/],
    ["no log", "{}", /no list of entries/],
    ["a log that is not an object", '{"log":[]}', /no list of entries/],
    ["entries that are not a list", '{"log":{"entries":{}}}', /no list of entries/],
    ["entries in another place", '{"entries":[{}]}', /no list of entries/],
    ["entries one level too deep", '{"log":{"x":{"entries":[{}]}}}', /no list of entries/],
    ["brackets that do not match", '{"log":{"entries":[}]}', /brackets/],
    ["a list that ends as an object", '{"log":{"entries":[{"a":1}}}', /brackets/],
    ["a file cut inside an entry", '{"log":{"entries":[{"a":1', /cut off/],
    ["a file cut inside a string", '{"log":{"entries":[{"a":"x', /cut off/],
    ["a file cut after an escape", '{"log":{"entries":[{"a":"x\\', /cut off/],
    ["a file cut between entries", '{"log":{"entries":[{},', /cut off/],
    ["more than 64 levels", deep(62), /deeper than 64/],
    ["100,000 levels", "[".repeat(100_000), /not one JSON object/],
    ["100,000 levels in the log", `{"log":${"[".repeat(100_000)}`, /deeper than 64/],
    ["100,000 levels in an entry", deep(100_000), /deeper than 64/],
  ];
  for (const [title, text, sentence] of hostile)
    test(`given ${title}, refuses the file with a sentence`, () => {
      for (const size of [1, 1_000_000]) {
        const { problem } = read(text, size);
        assert.match(problem ?? "", sentence);
        assert.match(problem ?? "", /\.$/);
      }
    });

  const odd: readonly [string, string, RegExp][] = [
    ["a number", "1", /^it is not an object: 1$/],
    ["null", "null", /^it is not an object: null$/],
    ["text", '"x],{"', /^it is not an object: "x\],\{"$/],
    ["a list", "[[{}]]", /^it is not an object: \[\[\{\}\]\]$/],
    ["a word", "undefined", /^it is not JSON: undefined$/],
    ["a call", "f({a: [1]})", /^it is not JSON/],
    ["text that is not JSON", '{"a":tru}', /^it is not JSON: \{"a":tru\}$/],
    ["a comma in braces", "{,}", /^it is not JSON: \{,\}$/],
    ["an unclosed list", '{"a":[}', /^it is not JSON/],
    ["a bracket that nothing opened", '{"a":]}', /^it is not JSON/],
    ["a raw control character", '{"a":"\u0001"}', /^it is not JSON: \{"a":" "\}$/],
    ["nothing", "", /^there is nothing between two commas$/],
    ["only white space", " \n", /^there is nothing between two commas$/],
    ["a long text", `"${"x".repeat(200)}"`, /^it is not an object: "x{79}…$/],
  ];
  for (const [title, item, reason] of odd)
    test(`given ${title} in place of an entry, leaves it out with the reason and reads the others`, () => {
      for (const size of [1, 3, 1_000_000]) {
        const text = `{"log":{"entries":[${item},{"a":1},${item},{"a":2}],"x":[]}}`;
        const { problem, entries, leftOut } = read(text, size);
        assert.equal([problem, entries], [null, [{ a: 1 }, { a: 2 }]]);
        assert.equal(
          leftOut.map(({ entry }) => entry),
          [1, 3],
        );
        for (const left of leftOut) assert.match(left.problem, reason);
      }
    });

  test("given a comma after the last entry, reads no further entry", () => {
    for (const size of [1, 1_000])
      assert.equal(read('{"log":{"entries":[{"a":1}, ]}}', size), { problem: null, entries: [{ a: 1 }], leftOut: [] });
  });

  test("given 64 levels, reads the file", () => {
    assert.is(read(deep(61), 100).problem, null);
  });

  test("given __proto__ and constructor, drops them and changes no prototype", () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    const entry =
      '{"__proto__":{"polluted":1},"a":{"constructor":{"prototype":{"polluted":1}},"b":[{"__proto__":{"polluted":1}}]}}';
    const { entries } = read(`{"__proto__":{"polluted":1},"log":{"__proto__":{"polluted":1},"entries":[${entry}]}}`, 5);
    assert.equal(JSON.stringify(entries), '[{"a":{"b":[{}]}}]');
    assert.equal(Object.getOwnPropertyNames(Object.prototype), before);
    assert.is(Reflect.get({}, "polluted"), undefined);
  });

  test(
    "given a million entries, reads them, and refuses the file at one more",
    () => {
      const reader = new HarReader();
      const thousand = "{},".repeat(1_000);
      let count = reader.push('{"log":{"entries":[').length;
      for (let round = 1; round <= 1_000; round += 1) count += reader.push(thousand).length;
      assert.equal([count, reader.problem], [1_000_000, null]);
      assert.equal(reader.push("{}"), []);
      assert.is(reader.problem, "This file holds more than 1000000 entries.");
    },
    { isLong: true },
  );

  test("given 500,000 values, an entry is read; with one more it is left out, but not those after it", () => {
    // A bracket or comma stands for a value: two brackets, and a comma fewer than there are numbers.
    const entry = (numbers: number) => `{"a":[${Array(numbers).fill("1").join(",")}],"b":",,[["}`;
    const { entries, leftOut } = read(`{"log":{"entries":[${entry(499_998)},${entry(499_999)},{"c":2}]}}`, 64 * 1024);
    assert.equal(
      entries.map((one) => Object.keys(one)),
      [["a", "b"], ["c"]],
    );
    assert.equal(
      leftOut.map(({ entry, problem }) => [entry, problem]),
      [[2, "it has more than 500000 values"]],
    );
  });

  test("given 100 MB outside entries and an entry of 540 MB, skips both and reads the next entry", () => {
    const reader = new HarReader();
    const million = "x".repeat(1_000_000);
    const millions = (count: number) => {
      for (let piece = 0; piece < count; piece += 1) assert.equal(reader.push(million), []);
    };
    reader.push('{"log":{"pages":["');
    millions(100);
    assert.is(reader.problem, null);
    assert.equal(reader.push('"],"entries":[{"a":1},{"a":"'), [{ ok: true, entry: 1, value: { a: 1 } }]);
    // More than one V8 string can hold.
    millions(540);
    assert.equal(reader.push('"},{"a":2}]}}'), [
      { ok: false, entry: 2, problem: "it is larger than 64 MB" },
      { ok: true, entry: 3, value: { a: 2 } },
    ]);
    assert.is(reader.end(), null);
  });
});

type LeftOut = Extract<HarItem, { ok: false }>;

function read(text: string, size: number): { entries: object[]; problem: string | null; leftOut: LeftOut[] } {
  const reader = new HarReader();
  const items: HarItem[] = [];
  for (let at = 0; at < text.length; at += size) items.push(...reader.push(text.slice(at, at + size)));
  return {
    entries: items.flatMap((item) => (item.ok ? [item.value] : [])),
    problem: reader.end(),
    leftOut: items.flatMap((item) => (item.ok ? [] : [item])),
  };
}
