import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";
import * as assert from "uvu/assert";
import { InnerAddresses } from "../../../../../extensions/proxy/data-thread/network/sockets/inner-addresses.ts";
import { instant } from "../../../../support/capture.ts";
import { describe } from "../../../../support/describe.ts";

/** A machine with these addresses. */
function machine(...addresses: readonly string[]): ReturnType<typeof networkInterfaces> {
  const one = { netmask: "", mac: "", internal: false, cidr: null, family: "IPv4" } as const;
  return { eth0: addresses.map((address): NetworkInterfaceInfo => ({ ...one, address })) };
}

describe("inner addresses", (test) => {
  test("are private ones and every one of this machine, public or not, in IPv6's clothes too", () => {
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
    test(`this machine's own are known however they are spelled: ${address}`, () => {
      const inner = new InnerAddresses(() => machine("203.0.113.5", "2001:db8::7"));
      assert.ok(inner.has(address, instant(0)));
    });
  }

  test("the system is asked once a second at most, and one that is added counts by then", () => {
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
