import * as assert from "uvu/assert";
import { lanAddress } from "../../../extensions/proxy/process/lan-address.ts";
import { describe } from "../../support/describe.ts";

describe("LAN address", (test) => {
  test("given a listener on loopback, returns no address", () => {
    for (const address of ["127.0.0.1", "127.0.0.2", "::1"]) assert.is(lanAddress(address), null);
  });

  test("given a listener on one address of this machine, returns that address", () => {
    assert.is(lanAddress("192.168.1.5"), "192.168.1.5");
  });

  test("given a listener on all addresses, returns an IPv4 address of this machine if it has any", () => {
    for (const address of ["0.0.0.0", "::"]) {
      assert.match(lanAddress(address) ?? "10.0.0.1", /^(?!127\.|169\.254\.)\d+(\.\d+){3}$/);
    }
  });
});
