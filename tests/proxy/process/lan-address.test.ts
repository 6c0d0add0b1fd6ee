import * as assert from "uvu/assert";
import { lanAddress } from "../../../extensions/proxy/process/lan-address.ts";
import { describe } from "../../support/describe.ts";

describe("LAN address", (test) => {
  test("a loopback listener is reached from here only", () => {
    for (const address of ["127.0.0.1", "127.0.0.2", "::1"]) assert.is(lanAddress(address), null);
  });

  test("one on an address of its own is reached there", () => {
    assert.is(lanAddress("192.168.1.5"), "192.168.1.5");
  });

  test("one on all addresses is reached on an IPv4 address of this machine", () => {
    for (const address of ["0.0.0.0", "::"]) {
      assert.match(lanAddress(address) ?? "10.0.0.1", /^(?!127\.|169\.254\.)\d+(\.\d+){3}$/);
    }
  });
});
