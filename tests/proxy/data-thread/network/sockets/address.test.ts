import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";
import * as assert from "uvu/assert";
import {
  InnerAddresses,
  isPrivate,
  plainHost,
} from "../../../../../extensions/proxy/data-thread/network/sockets/address.ts";
import { instant } from "../../../../support/capture.ts";
import { describe } from "../../../../support/describe.ts";

describe("IP address parsing", (test) => {
  for (const [host, plain] of [
    ["2130706433", "127.0.0.1"],
    ["0x7f.1", "127.0.0.1"],
    ["127.1", "127.0.0.1"],
    ["0xA.0.0.1.", "10.0.0.1"],
    ["localhost.", "localhost"],
    ["example.com", "example.com"],
    ["1.example", "1.example"],
    ["::1", "::1"],
    ["::ffff:127.0.0.1", "::ffff:127.0.0.1"],
    ["1.2.3.4.5", "1.2.3.4.5"],
  ] as const) {
    test(`given "${host}", reads it as ${plain}`, () => {
      assert.is(plainHost(host), plain);
    });
  }

  for (const address of [
    "0.1.2.3",
    "100.127.255.255",
    "169.254.169.254",
    "192.0.0.8",
    "198.19.255.255",
    "239.255.255.250",
    "255.255.255.255",
    "::10.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::10.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:c0a8:101::1",
    "100::1",
    "fd00::1",
    "febf::1",
    "fec0::1",
    "ff02::1",
  ]) {
    test(`given ${address}, treats it as outside the public internet`, () => {
      assert.ok(isPrivate(address));
    });
  }

  for (const address of [
    "1.1.1.1",
    "100.128.0.1",
    "192.0.1.1",
    "198.20.0.1",
    "223.255.255.255",
    "64:ff9b::1.1.1.1",
    "2002:101:101::1",
    "2606:4700::1111",
    "::ffff:1.1.1.1",
  ]) {
    test(`given ${address}, treats it as part of the public internet`, () => {
      assert.not.ok(isPrivate(address));
    });
  }
});

/** A machine with these addresses. */
function machine(...addresses: readonly string[]): ReturnType<typeof networkInterfaces> {
  const one = { netmask: "", mac: "", internal: false, cidr: null, family: "IPv4" } as const;
  return { eth0: addresses.map((address): NetworkInterfaceInfo => ({ ...one, address })) };
}

describe("private and loopback addresses", (test) => {
  test("given private addresses and those of this machine, IPv4-mapped too, counts them as inner", () => {
    const inner = new InnerAddresses();
    for (const all of Object.values(networkInterfaces())) {
      for (const { address, family } of all ?? []) {
        assert.ok(inner.has(address, instant(0)), address);
        if (family === "IPv4") assert.ok(inner.has(`::ffff:${address}`, instant(0)), address);
      }
    }
    for (const address of ["10.1.2.3", "169.254.169.254", "fd00::1"])
      assert.ok(inner.has(address, instant(0)), address);
    for (const address of ["93.184.215.14", "2606:4700::1111"]) assert.not(inner.has(address, instant(0)), address);
  });

  for (const address of [
    "203.0.113.5",
    "::ffff:203.0.113.5",
    "::ffff:cb00:7105",
    "2001:DB8::7",
    "2001:db8:0:0::0007",
  ]) {
    test(`given a spelling of this machine's address, ${address}, counts it as inner`, () => {
      const inner = new InnerAddresses(() => machine("203.0.113.5", "2001:db8::7"));
      assert.ok(inner.has(address, instant(0)));
    });
  }

  test("given many look-ups, reads the machine's addresses at most once a second, and then follows a change", () => {
    let asked = 0;
    let addresses: readonly string[] = ["203.0.113.5"];
    const inner = new InnerAddresses(() => {
      asked += 1;
      return machine(...addresses);
    });
    for (let at = 0; at < 1_000; at += 10) assert.not(inner.has("203.0.113.6", instant(5_000 + at)));
    assert.is(asked, 1);
    addresses = ["203.0.113.6"];
    assert.ok(inner.has("203.0.113.6", instant(6_000)));
    assert.not(inner.has("203.0.113.5", instant(6_000)));
    assert.is(asked, 2);
  });
});
