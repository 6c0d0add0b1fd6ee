import { networkInterfaces } from "node:os";
import * as assert from "uvu/assert";
import { isInner, plainHost } from "../../../extensions/proxy/network/address.ts";
import { describe } from "../../support/describe.ts";

describe("addresses", (test) => {
  test("inner are private ones and every one of this machine, public or not, in IPv6's clothes too", () => {
    for (const all of Object.values(networkInterfaces())) {
      for (const { address, family } of all ?? []) {
        assert.ok(isInner(address), address);
        if (family === "IPv4") assert.ok(isInner(`::ffff:${address}`), address);
      }
    }
    for (const address of ["10.1.2.3", "169.254.169.254", "fd00::1"]) assert.ok(isInner(address), address);
    for (const address of ["93.184.215.14", "2606:4700::1111"]) assert.not(isInner(address), address);
  });

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
    test(`"${host}" is read as ${plain}`, () => {
      assert.is(plainHost(host), plain);
    });
  }
});
