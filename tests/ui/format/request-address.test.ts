import * as assert from "uvu/assert";
import { hostBeside, requestAddress } from "../../../src/ui/format/request-address.ts";
import { describe } from "../../support/describe.ts";

describe("request URL in lists", (test) => {
  test("given a request, joins its origin and target, but shows the target alone for a tunnel", () => {
    const request = { origin: "https://shop.test:8443", target: "/cart?full=1" };
    assert.is(requestAddress(request), "https://shop.test:8443/cart?full=1");
    assert.is(hostBeside(request), "shop.test:8443");
    const tunnel = { origin: "https://shop.test", target: "shop.test:443" };
    assert.is(requestAddress(tunnel), "shop.test:443");
    assert.is(hostBeside(tunnel), "");
    assert.is(requestAddress({ origin: "http://shop.test", target: "*" }), "http://shop.test*");
  });
});
