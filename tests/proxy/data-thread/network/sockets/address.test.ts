import * as assert from "uvu/assert";
import { isPrivate, plainHost } from "../../../../../extensions/proxy/data-thread/network/sockets/address.ts";
import { describe } from "../../../../support/describe.ts";

describe("addresses", (test) => {
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
    test(`${address} is not of the public internet`, () => {
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
    test(`${address} is of the public internet`, () => {
      assert.not.ok(isPrivate(address));
    });
  }
});
