import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { authorityOf, matchesHost } from "../../../../extensions/proxy/data-thread/network/origin.ts";
import { describe } from "../../../support/describe.ts";

describe("authority", (test) => {
  test("given a name of any length, is read up to 300 characters with its port", () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 1, max: 65_535 }), (length, port) => {
        const host = "n".repeat(length);
        const text = `${host}:${port}`;
        assert.equal(authorityOf(text), text.length <= 300 ? { host, port } : null);
      }),
    ));
});

describe("host pattern", (test) => {
  for (const [pattern, host, expected] of [
    ["a.test", "A.TEST", true],
    ["a.test", "b.a.test", false],
    ["*.a.test", "b.a.test", true],
    ["*.a.test", "a.test", false],
    ["*", "anything", true],
    ["a*z", "az", true],
    ["a*a", "a", false],
    ["*api*.test", "my.api-2.test", true],
    ["*api*.test", "my.ap.test", false],
    ["a*b*c", "abbc", true],
    ["", "a", false],
    ["Bücher.example", "xn--bcher-kva.example", true],
    ["*.bücher.example", "a.xn--bcher-kva.example", true],
    ["[2001:DB8::1]", "2001:db8::1", true],
    ["2001:db8::*", "2001:db8::1", true],
    ["[2001:db8::1]", "2001:db8::11", false],
    ["a.test", "a.test.", true],
    ["*.test.", "a.test", true],
    ["a.test", "a.test..", false],
  ] as const) {
    test(`given the pattern "${pattern}", ${expected ? "matches" : "does not match"} ${host}`, () => {
      assert.is(matchesHost([pattern], host), expected);
    });
  }

  test("given a list of 1,000 patterns, splits each of them once, however many hosts are compared", () => {
    const patterns = Array.from({ length: 1_000 }, (_, index) => `*.host-${index}.test`);
    const { split } = String.prototype;
    let splits = 0;
    Object.assign(String.prototype, {
      split(this: string, ...args: Parameters<typeof split>) {
        splits += 1;
        return split.apply(this, args);
      },
    });
    try {
      for (let host = 0; host < 20; host += 1) assert.is(matchesHost(patterns, `a.host-${host}.test`), true);
      assert.is(matchesHost(patterns, "a.test"), false);
      assert.is(splits, 1_000);
    } finally {
      Object.assign(String.prototype, { split });
    }
  });

  test("given a pattern of 1,000 stars, does not try every combination", () => {
    assert.is(matchesHost(["*a".repeat(1_000)], "a".repeat(999)), false);
  });
});
