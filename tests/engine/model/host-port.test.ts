import * as assert from "uvu/assert";
import { isThisMachine, localAddress } from "../../../src/engine/model/host-port.ts";
import { describe } from "../../support/describe.ts";

describe("listen address", (test) => {
  test("a listener on one address is reached there by programs of this machine", () => {
    for (const address of ["127.0.0.1", "127.0.0.2", "::1", "192.168.1.5"]) assert.is(localAddress(address), address);
  });

  test("one on all addresses is reached on 127.0.0.1", () => {
    for (const address of ["0.0.0.0", "::"]) assert.is(localAddress(address), "127.0.0.1");
  });

  test("a listener on the loopback, however it is spelled, is for programs of this machine alone", () => {
    const loopback = ["127.0.0.1", "127.1", "127.255.255.254", "::1", "[::1]", "localhost", "LocalHost"];
    for (const address of loopback) assert.ok(isThisMachine(address), address);
  });

  test("one anywhere else is for others, too, also by a name that begins like the loopback", () => {
    const others = ["0.0.0.0", "::", "192.168.1.5", "fd00::1", "127.test", "127.0.0.1.test", "localhost.test", ""];
    for (const address of others) assert.not.ok(isThisMachine(address), address);
  });
});
