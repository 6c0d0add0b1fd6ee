import * as assert from "uvu/assert";
import { proxyAddressOf, withPassword } from "../../../src/engine/model/proxy-address.ts";
import { describe } from "../../support/describe.ts";

describe("proxy address", (test) => {
  for (const [text, scheme, host, port, user, password] of [
    ["http://proxy.test:3128", "http", "proxy.test", 3_128, null, null],
    ["HTTPS://Proxy.test/", "https", "proxy.test", 443, null, null],
    ["http://10.0.0.1", "http", "10.0.0.1", 80, null, null],
    ["http://ada@proxy.test", "http", "proxy.test", 80, "ada", null],
    ["http://ada:p%40ss@[::1]:8080", "http", "::1", 8_080, "ada", "p%40ss"],
    ["http://ada:@proxy.test", "http", "proxy.test", 80, "ada", ""],
  ] as const) {
    test(`given ${text}, parses scheme, host, port, user and password`, () =>
      assert.equal(proxyAddressOf(text), { scheme, host, port, user, password }));
  }

  test("given any other text, parses no address", () => {
    for (const text of [
      "",
      "proxy.test:3128",
      "ftp://a.test",
      "socks5://a.test:1080",
      "http://",
      "http://a b",
      "http://a.test/path",
      "http://a.test:0",
      "http://a.test:65536",
      "http://a:b@c@d",
      "http://a.test\r\nX: y",
    ])
      assert.is(proxyAddressOf(text), null, text);
  });

  test("given a new password, replaces only an existing password", () => {
    assert.is(withPassword("http://ada:old@a.test:1", "new"), "http://ada:new@a.test:1");
    assert.is(withPassword("http://ada@a.test:1", "new"), "http://ada@a.test:1");
    assert.is(withPassword("http://a.test:1", "new"), "http://a.test:1");
  });
});
