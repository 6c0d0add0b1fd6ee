import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { BodyFieldPool, bodyFieldsOf } from "../../../../src/engine/insights/facts/body-fields.ts";
import { SentText } from "../../../../src/engine/insights/facts/sent-text.ts";
import { describe } from "../../../support/describe.ts";

const fieldsOf = (text: string, type = "application/json", hash: string | null = "known") =>
  bodyFieldsOf({
    fields: [{ name: "content-type", value: type }],
    body: new SentText(text),
    facts: { size: text.length, hash },
  });

const endpoint = { method: "POST", origin: "https://api.test", path: "/a", operation: null };
const name = fc.stringMatching(/^[a-z]{1,8}$/);
const scalar = fc.oneof(fc.string({ maxLength: 60 }), fc.integer(), fc.boolean(), fc.constant(null));

describe("body fields", (test) => {
  test("given scalars at any depth, gives those of the first three levels with their names joined by dots", () => {
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), scalar, (names, value) => {
        const body = names.reduceRight<unknown>((inner, one) => ({ [one]: inner }), value);
        const expected = names.length <= 3 ? [[names.join("."), String(value)]] : [];
        assert.equal(fieldsOf(JSON.stringify(body)), expected);
      }),
    );
  });

  test("given lists, gives their items under the name of the list", () => {
    const body = { tags: ["a", "b"], lines: [{ sku: 7 }, { sku: 9 }], none: [] };
    assert.equal(fieldsOf(JSON.stringify(body)), [
      ["tags", "a"],
      ["tags", "b"],
      ["lines.sku", "7"],
      ["lines.sku", "9"],
    ]);
  });

  test("given a form, gives its decoded pairs", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string({ maxLength: 20 })), { minLength: 1, maxLength: 9 }), (pairs) => {
        const text = new URLSearchParams(pairs.map(([one, value]) => [one, value])).toString();
        const decoded = [...new URLSearchParams(text)];
        assert.equal(fieldsOf(text, "application/x-www-form-urlencoded; charset=utf-8"), decoded);
      }),
    );
  });

  test("given a value of any length, keeps at most 64 characters", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), (length) => {
        const [field] = fieldsOf(JSON.stringify({ note: "x".repeat(length) })) ?? [];
        assert.is(field?.[1], length <= 64 ? "x".repeat(length) : `${"x".repeat(63)}…`);
      }),
    );
  });

  test("given no body, gives no fields; given a body that is unknown, cut, long or of another type, gives null", () => {
    assert.equal(fieldsOf(""), []);
    const unknown = [
      fieldsOf('{"a":1}', "application/json", null),
      fieldsOf('{"a":[1,'),
      fieldsOf(JSON.stringify({ a: "x".repeat(70_000) })),
      fieldsOf("<a>1</a>", "text/xml"),
      fieldsOf("a=1", "text/plain"),
    ];
    assert.equal(unknown, [null, null, null, null, null]);
  });

  test("given a body with many members, reads the first thousand", () => {
    const members = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`n${index}`, index]));
    assert.is(fieldsOf(JSON.stringify(members))?.length, 999);
    assert.is(fieldsOf(`{"a":${"[".repeat(9_000)}${"]".repeat(9_000)}}`)?.length, 0);
  });

  test("given an endpoint with many names, keeps the fields of the first two hundred", () => {
    const pool = new BodyFieldPool();
    const kept = (index: number) => pool.kept(endpoint, [[`n${index}`, "1"]])?.length;
    assert.equal(
      [0, 199, ...Array.from({ length: 300 }, (_, index) => index)].map(kept).filter((count) => count === 1).length,
      202,
    );
    assert.is(kept(299), 0);
    assert.is(kept(7), 1);
  });

  test("given equal fields, keeps one object for them", () => {
    const pool = new BodyFieldPool();
    const [one, other] = [1, 2].map(() => pool.kept(endpoint, [["tenant", "acme"]])?.[0]);
    assert.is(one, other);
  });

  test("given more fields than a session may keep, later bodies are unknown", () => {
    const pool = new BodyFieldPool();
    const fields = Array.from({ length: 100 }, (_, index) => [`n${index}`, "1"] as const);
    let known = 0;
    while (pool.kept(endpoint, fields) !== null) known += 1;
    assert.is(known, 5_000);
    assert.equal(pool.kept(endpoint, []), []);
  });
});
