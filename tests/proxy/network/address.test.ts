import * as assert from "uvu/assert";
import { plainHost } from "../../../extensions/proxy/network/address.ts";
import { describe } from "../../support/describe.ts";

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
});
