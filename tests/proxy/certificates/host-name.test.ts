import * as assert from "uvu/assert";
import { hostNameOf } from "../../../extensions/proxy/certificates/host-name.ts";
import { describe } from "../../support/describe.ts";

const NAMES: readonly (readonly [asked: string, text: string])[] = [
  ["example.com", "example.com"],
  ["Example.COM.", "example.com"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["under_score.example", "under_score.example"],
  [`${"a".repeat(60)}.example`, `${"a".repeat(60)}.example`],
];

const ADDRESSES: readonly (readonly [asked: string, text: string, bytes: readonly number[]])[] = [
  ["127.0.0.1", "127.0.0.1", [127, 0, 0, 1]],
  ["::1", "::1", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
  ["[::1]", "::1", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
  ["::", "::", new Array<number>(16).fill(0)],
  ["2001:DB8:0:0::10", "2001:db8::10", [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10]],
  ["1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]],
  ["::ffff:10.0.0.1", "::ffff:a00:1", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 10, 0, 0, 1]],
  ["fe80::1%eth0", "fe80::1", [0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
];

const NONE = [
  "",
  ".",
  "a b",
  "a/b",
  "a?b",
  "x@y",
  "a%41.b",
  "1:2",
  ":::",
  "[",
  "a\0b",
  `${"a.".repeat(130)}a`,
  "300.1.1.1",
];

describe("host names of leaves", (test) => {
  test("a name becomes lower-case ASCII without a trailing dot", () => {
    for (const [asked, text] of NAMES) assert.equal(hostNameOf(asked), { text, address: null }, asked);
  });

  test("an address is its bytes, however it is written", () => {
    for (const [asked, text, bytes] of ADDRESSES) {
      assert.equal(hostNameOf(asked), { text, address: Uint8Array.from(bytes) }, asked);
    }
  });

  test("what can be no host has no name", () => {
    for (const asked of NONE) assert.is(hostNameOf(asked), null, JSON.stringify(asked));
  });
});
