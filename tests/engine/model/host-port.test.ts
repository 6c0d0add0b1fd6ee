import * as assert from "uvu/assert";
import { isThisMachine, localAddress } from "../../../src/engine/model/host-port.ts";
import { describe } from "../../support/describe.ts";

describe("listen address", (test) => {
  test("given a listener on one address, programs on this machine use that address", () => {
    for (const address of ["127.0.0.1", "127.0.0.2", "::1", "192.168.1.5"]) assert.is(localAddress(address), address);
  });

  test("given a listener on all addresses, programs on this machine use 127.0.0.1", () => {
    for (const address of ["0.0.0.0", "::"]) assert.is(localAddress(address), "127.0.0.1");
  });

  test("given a loopback address in any spelling, the listener serves this machine only", () => {
    const loopback = ["127.0.0.1", "127.1", "127.255.255.254", "::1", "[::1]", "localhost", "LocalHost"];
    for (const address of loopback) assert.ok(isThisMachine(address), address);
  });

  test("given any other address or a host name that begins like loopback, the listener serves others too", () => {
    const others = ["0.0.0.0", "::", "192.168.1.5", "fd00::1", "127.test", "127.0.0.1.test", "localhost.test", ""];
    for (const address of others) assert.not.ok(isThisMachine(address), address);
  });
});
