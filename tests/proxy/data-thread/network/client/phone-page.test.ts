import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  phonePage,
  RELOAD,
  type Visit,
} from "../../../../../extensions/proxy/data-thread/network/client/phone-page.ts";
import { describe } from "../../../../support/describe.ts";

const visits = fc.constantFrom<Visit>("direct", "proxied", "trusted");
const ports = fc.integer({ min: 1, max: 65_535 });

describe("setup page for devices", (test) => {
  test("given any visit, shows address and port without a script, and reloads only until the device uses the proxy", () => {
    fc.assert(
      fc.property(visits, fc.ipV4(), ports, (visit, address, port) => {
        const page = phonePage(visit, address, port);
        assert.match(page, `<dd>${address}</dd><dt>Port</dt><dd>${port}</dd>`);
        assert.not.match(page, /<script|\son\w+=/);
        const isWaiting = visit === "direct" && !address.startsWith("127.");
        assert.is(page.includes(`url=${RELOAD}`), isWaiting);
        assert.is(page.includes("This device sends its requests through Weir"), visit !== "direct");
      }),
    );
  });

  test("given a link-local address, leaves its zone out", () => {
    assert.match(phonePage("direct", "fe80::1%<eth0>", 8686), "<dd>fe80::1</dd>");
  });
});
