import * as assert from "uvu/assert";
import { environmentProxy } from "../../../extensions/proxy/process/environment-proxy.ts";
import { describe } from "../../support/describe.ts";

describe("environment's proxy", (test) => {
  test("given proxy variables, prefers https, reads a bare host:port as http and ignores SOCKS", () => {
    assert.is(environmentProxy({}), null);
    assert.is(environmentProxy({ HTTP_PROXY: "http://a.test:1", https_proxy: "http://b.test:2" }), "http://b.test:2");
    assert.is(environmentProxy({ HTTPS_PROXY: " ", http_proxy: "c.test:3" }), "http://c.test:3");
    assert.is(environmentProxy({ HTTPS_PROXY: "socks5://a.test:1" }), null);
  });
});
