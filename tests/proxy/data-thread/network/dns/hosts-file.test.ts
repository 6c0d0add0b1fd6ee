import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { addressesIn } from "../../../../../extensions/proxy/data-thread/network/dns/hosts-file.ts";
import { describe } from "../../../../support/describe.ts";

const name = fc.constantFrom("a", "aa", "a.b", "b.a", "x-a", "a_b", "1.2.3.4", "localhost");
const blank = fc.constantFrom(" ", "\t", "  \t ");
const address = fc.constantFrom("1.2.3.4", "::1", "2001:db8::a", "10.0.0.1");

/** A line of a hosts file, and the names that it gives its address. */
const line = fc
  .record({
    start: fc.constantFrom("", " "),
    address: fc.oneof(address, fc.constantFrom("300.1.1.1", "fe80::1%eth0", "nothing")),
    names: fc.array(fc.tuple(blank, name), { maxLength: 4 }),
    comment: fc.option(fc.tuple(fc.constantFrom("#", " # "), name), { nil: null }),
    end: fc.constantFrom("\n", "\r\n", " \n"),
  })
  .map(({ start, address: first, names, comment, end }) => ({
    text: `${start}${first}${names.flat().join("")}${comment?.join("") ?? ""}${end}`,
    address: /^(?:[12\d]?\d?\d\.|::1|2001)/.test(first) && first !== "300.1.1.1" ? first : null,
    names: names.map(([, one]) => one),
  }));

describe("hosts file", (test) => {
  test("given drawn lines, finds the addresses of all lines that name the host", () =>
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), name, (lines, wanted) => {
        const text = lines.map((one) => one.text).join("");
        const expected = lines.flatMap((one) =>
          one.names.includes(wanted) && one.address !== null ? one.address : [],
        );
        assert.equal(
          addressesIn(text, wanted).map((found) => found.address),
          [...new Set(expected)],
        );
      }),
    ));

  test("given the first word of a line, a comment or a part of a name, finds nothing", () => {
    const text = "1.2.3.4 long.example other # third\n#5.6.7.8 fourth\nfifth\n";
    for (const absent of ["1.2.3.4", "long", "example", "third", "fourth", "fifth", "the"])
      assert.equal(addressesIn(text, absent), []);
    assert.equal(addressesIn(text, "other"), [{ address: "1.2.3.4", family: 4 }]);
  });

  test("given an empty name, as of a name that is not valid Unicode, finds nothing", () =>
    fc.assert(
      fc.property(fc.array(line), (lines) => assert.equal(addressesIn(lines.map(({ text }) => text).join(""), ""), [])),
    ));

  test("given a last line without an end, reads it", () =>
    assert.equal(addressesIn("::1 a\n1.2.3.4 b", "b"), [{ address: "1.2.3.4", family: 4 }]));
});
