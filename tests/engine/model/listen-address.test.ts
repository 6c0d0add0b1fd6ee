import * as assert from "uvu/assert";
import { localAddress } from "../../../src/engine/model/listen-address.ts";
import { describe } from "../../support/describe.ts";

describe("listen address", (test) => {
  test("a listener on one address is reached there by programs of this machine", () => {
    for (const address of ["127.0.0.1", "127.0.0.2", "::1", "192.168.1.5"]) assert.is(localAddress(address), address);
  });

  test("one on all addresses is reached on 127.0.0.1", () => {
    for (const address of ["0.0.0.0", "::"]) assert.is(localAddress(address), "127.0.0.1");
  });
});
