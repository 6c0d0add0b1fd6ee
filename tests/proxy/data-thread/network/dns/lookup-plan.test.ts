import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { addressesIn, lookupPlan } from "../../../../../extensions/proxy/data-thread/network/dns/lookup-plan.ts";
import { describe } from "../../../../support/describe.ts";
import { systemWith } from "../../../../support/system-view.ts";

const STUB = "nameserver 127.0.0.53\noptions edns0 trust-ad\n";

/** The plan's kind for a name with this hosts line; "system" if the system has to look up. */
function kindFor(line: string, name = "a.example", given: Parameters<typeof systemWith>[1] = {}, conf = STUB): string {
  const files = {
    "nsswitch.conf": `passwd: files\n${line}\n`,
    hosts: "10.1.1.1 known.example k\n",
    "resolv.conf": conf,
  };
  return lookupPlan(name, systemWith(files, given))?.kind ?? "system";
}

describe("lookup plan", (test) => {
  for (const line of [
    "hosts: files dns",
    "hosts:\tfiles  dns # comment",
    "hosts: files myhostname resolve [!UNAVAIL=return] dns",
    "hosts: resolve [ !UNAVAIL=return ] files myhostname dns",
    "hosts: files mdns4_minimal [NOTFOUND=return] dns myhostname",
  ])
    test(`given ${line}, asks the name servers itself`, () => {
      assert.is(kindFor(line), "query");
      assert.is(kindFor(line, "known.example"), "known");
      assert.is(kindFor(line, "a.example", { hasResolved: true }), "query");
    });

  for (const line of [
    "hosts: files mdns4 dns",
    "hosts: files libvirt libvirt_guest dns",
    "hosts: files dns wins",
    "hosts: mymachines files dns",
    "hosts: dns files",
    "hosts: files [NOTFOUND=return] dns",
    "hosts: files dns [!UNAVAIL=return",
    "hosts: files dns\nhosts: files",
    "hosts:",
  ])
    test(`given ${JSON.stringify(line)}, leaves the look-up to the system`, () => {
      assert.is(kindFor(line), "system");
      assert.is(kindFor(line, "known.example"), "system");
    });

  test("given no nsswitch.conf, reads the hosts file and asks the name servers", () => {
    const system = systemWith({ hosts: "10.1.1.1 k\n" });
    const without = {
      ...system,
      text: (file: Parameters<typeof system.text>[0]) => (file === "nsswitch.conf" ? null : system.text(file)),
    };
    assert.is(lookupPlan("k", without)?.kind, "known");
    assert.is(lookupPlan("other", without)?.kind, "query");
  });

  test("given files alone, asks no server", () => {
    assert.is(kindFor("hosts: files"), "none");
    assert.is(kindFor("hosts: files", "k"), "known");
    assert.is(kindFor("hosts: dns", "k"), "query");
  });

  test("given a module that answers .local, leaves those names to the system", () => {
    const line = "hosts: files mdns4_minimal [NOTFOUND=return] dns";
    for (const name of ["printer.local", "printer.local.", "a.b.local"]) assert.is(kindFor(line, name), "system");
    assert.is(kindFor(line, "local.example"), "query");
    assert.is(kindFor("hosts: files dns", "printer.local"), "query");
  });

  test("given the module for this computer's name, leaves that name to the system", () => {
    for (const name of ["here", "here.", "_gateway", "x.localhost.localdomain"])
      assert.is(kindFor("hosts: files myhostname dns", name), "system");
    assert.is(kindFor("hosts: files dns", "here"), "query");
  });

  test("given systemd-resolved and other name servers than its own, leaves the look-up to the system", () => {
    const line = "hosts: files resolve [!UNAVAIL=return] dns";
    assert.is(kindFor(line, "a.example", { hasResolved: true }, "nameserver 9.9.9.9\n"), "system");
    assert.is(kindFor(line, "a.example", { hasResolved: false }, "nameserver 9.9.9.9\n"), "query");
    assert.is(kindFor("hosts: files resolve", "a.example", { hasResolved: false }), "none");
  });

  test("given rules for the order of addresses, leaves the look-up to the system", () => {
    assert.is(lookupPlan("a.example", systemWith({ "gai.conf": "# precedence ::/0 40\n\n" }))?.kind, "query");
    assert.is(lookupPlan("a.example", systemWith({ "gai.conf": "precedence ::ffff:0:0/96 100\n" })), null);
  });

  for (const name of ["localhost", "localhost.", "a.localhost", "a.b.localhost."])
    test(`given ${name}, takes loopback without a query (RFC 6761, 6.3)`, () => {
      const plan = lookupPlan(name, systemWith({}));
      assert.equal(plan?.kind === "known" ? plan.addresses.map(({ address }) => address) : [], ["::1", "127.0.0.1"]);
    });

  test("given localhost in the hosts file, takes its addresses", () => {
    const plan = lookupPlan("localhost", systemWith({ hosts: "127.0.0.1 localhost\n" }));
    assert.equal(plan, { kind: "known", addresses: [{ address: "127.0.0.1", family: 4 }] });
  });
});

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
