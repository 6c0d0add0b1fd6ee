import * as assert from "uvu/assert";
import { resolvConfOf } from "../../../../../extensions/proxy/data-thread/network/dns/resolv-conf.ts";
import { describe } from "../../../../support/describe.ts";

const DEFAULTS = { search: [], ndots: 1, timeout: 5_000, attempts: 2, rotate: false, ipv6: true };

describe("resolv.conf", (test) => {
  for (const [title, text, expected] of [
    ["no file", null, { servers: ["127.0.0.1"] }],
    ["an empty file", "", { servers: ["127.0.0.1"] }],
    ["a server", "nameserver 9.9.9.9\n", { servers: ["9.9.9.9"] }],
    [
      "more than three servers",
      "nameserver 1.1.1.1\nnameserver ::1\nnameserver 3.3.3.3\nnameserver 4.4.4.4",
      { servers: ["1.1.1.1", "::1", "3.3.3.3"] },
    ],
    ["a server that is no address", "nameserver dns.example\nnameserver 2.2.2.2 # spare", { servers: ["2.2.2.2"] }],
    ["comments", "# nameserver 1.1.1.1\n; search a\n nameserver 1.1.1.1", { servers: ["127.0.0.1"] }],
    [
      "search and domain, of which the last one counts",
      "domain a.example\nsearch b.example C.example.\t.\n",
      { search: ["b.example", "C.example", ""] },
    ],
    ["a domain alone", "search x\ndomain a.example b", { search: ["a.example"] }],
    [
      "options",
      "options ndots:2 timeout:1 attempts:3\noptions rotate edns0 trust-ad",
      { ndots: 2, timeout: 1_000, attempts: 3, rotate: true },
    ],
    [
      "options over their limits",
      "options ndots:99 timeout:99 attempts:99",
      { ndots: 15, timeout: 30_000, attempts: 5 },
    ],
    ["options without a number", "options ndots: timeout:x attempts:0 no-aaaa", { attempts: 1, ipv6: false }],
  ] as const)
    test(`given ${title}, reads what glibc reads`, () =>
      assert.equal(resolvConfOf(text, "here"), { ...DEFAULTS, servers: ["127.0.0.1"], ...expected }));

  test("given no search list, searches the domain of this computer's name", () => {
    assert.equal(resolvConfOf("", "here.lan.example")?.search, ["lan.example"]);
    assert.equal(resolvConfOf("search\n", "here.lan.example")?.search, []);
  });

  for (const text of [
    "options use-vc",
    "options ndots:1 single-request",
    "options no-tld-query",
    "nameserver fe80::1%eth0",
  ])
    test(`given ${text}, leaves the look-up to the system`, () => assert.is(resolvConfOf(text, "here"), null));
});
