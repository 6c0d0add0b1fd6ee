import * as assert from "uvu/assert";
import { HostOverrides } from "../../../../../extensions/proxy/data-thread/network/upstream/host-overrides.ts";
import { describe } from "../../../../support/describe.ts";

describe("host overrides", (test) => {
  const settings = [
    "A.test=127.0.0.1:80",
    "[2001:DB8::7]=[::1]:8080",
    "b.test=127.0.0.1",
    "=127.0.0.1:1",
    "Bücher.test=[::1]:8081",
  ];

  for (const [host, expected] of [
    ["a.test", { host: "127.0.0.1", port: 80 }],
    ["a.test.", { host: "127.0.0.1", port: 80 }],
    ["2001:db8::7", { host: "::1", port: 8080 }],
    ["xn--bcher-kva.test", { host: "::1", port: 8081 }],
    ["b.test", null],
    ["", null],
  ] as const) {
    test(`"${host}" leads to ${expected === null ? "nothing else" : `port ${expected.port} of ${expected.host}`}`, () => {
      assert.equal(new HostOverrides().find(settings, host), expected);
    });
  }
});
