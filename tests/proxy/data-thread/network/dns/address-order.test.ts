import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { inSystemOrder } from "../../../../../extensions/proxy/data-thread/network/dns/address-order.ts";
import type { Address } from "../../../../../extensions/proxy/data-thread/network/network-options.ts";
import { describe } from "../../../../support/describe.ts";

const listed = (addresses: readonly string[]): Address[] =>
  addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

/** The order for a computer that sends from these addresses, by destination. */
async function order(sources: Readonly<Record<string, string | null>>): Promise<readonly string[]> {
  const sorted = await inSystemOrder(listed(Object.keys(sources)), async ({ address }) => sources[address] ?? null);
  return sorted.map(({ address }) => address);
}

describe("order of addresses", (test) => {
  /** RFC 6724, 10.2, with glibc's policy table; the first column is to come first. */
  for (const [first, second] of [
    [
      ["2001:db8:1::1", "2001:db8:1::2"],
      ["198.51.100.121", "169.254.13.78"],
    ],
    [
      ["198.51.100.121", "198.51.100.117"],
      ["2001:db8:1::1", "fe80::1"],
    ],
    [
      ["2001:db8:1::1", "2001:db8:1::2"],
      ["10.1.2.3", "10.1.2.4"],
    ],
    [
      ["2001:db8:1::1", "2001:db8:1::2"],
      ["192.0.2.1", null],
    ],
    [
      ["192.0.2.1", "192.0.2.9"],
      ["2001:db8:1::1", null],
    ],
    [
      ["2001:db8:1::1", "2001:db8:1::2"],
      ["2001:db8:3ffe::1", "2001:db8:3f44::2"],
    ],
    [
      ["2002:c633:6401::1", "2002:c633:6401::2"],
      ["2001:db8:1::1", "2002:c633:6401::2"],
    ],
    [
      ["fe80::1", "fe80::2"],
      ["2001:db8:1::1", "2001:db8:1::2"],
    ],
    [
      ["::1", "::1"],
      ["127.0.0.1", "127.0.0.1"],
    ],
    [
      ["fd00::1", "fd00::2"],
      ["192.168.1.1", "192.168.1.2"],
    ],
  ] as const)
    test(`given ${first[0]} from ${first[1]} and ${second[0]} from ${second[1]}, takes the first one first`, async () => {
      const expected = [first[0], second[0]];
      assert.equal(await order({ [first[0]]: first[1], [second[0]]: second[1] }), expected);
      assert.equal(await order({ [second[0]]: second[1], [first[0]]: first[1] }), expected);
    });

  test("given IPv4 addresses outside of this computer's networks, keeps the order of the answer", () =>
    fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: 254 }), { maxLength: 12 }), async (lasts) => {
        const addresses = lasts.map((last) => `203.0.113.${last}`);
        assert.equal(await order(Object.fromEntries(addresses.map((one) => [one, "198.51.100.7"]))), addresses);
      }),
    ));

  test("given many addresses, loses and repeats none", () => {
    const any = fc.oneof(fc.ipV4(), fc.ipV6());
    return fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(any, fc.option(any, { nil: null })), { maxLength: 40, selector: ([one]) => one }),
        async (drawn) => {
          const ordered = await order(Object.fromEntries(drawn));
          assert.equal([...ordered].sort(), drawn.map(([address]) => address).sort());
        },
      ),
    );
  });

  test("given this computer's loopback, asks the system for the source", async () => {
    const [only, ...others] = await inSystemOrder(listed(["127.0.0.1"]));
    assert.is(only?.address, "127.0.0.1");
    assert.is(others.length, 0);
    // 192.0.2.0/24 has no source without a network, and then comes last (rule 1), else it has a larger scope (rule 8).
    assert.is((await inSystemOrder(listed(["192.0.2.1", "127.0.0.1"])))[0]?.address, "127.0.0.1");
  });
});
