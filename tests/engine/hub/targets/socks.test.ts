import * as assert from "uvu/assert";
import { setupOf, type Values } from "../../../../src/engine/hub/target.ts";
import { socks } from "../../../../src/engine/hub/targets/socks.ts";
import { describe } from "../../../support/describe.ts";

const VALUES: Values = {
  host: "::1",
  port: 18_686,
  lan: null,
  ca: "/ada/weir-ca.pem",
  bundle: "/ada/weir-ca-bundle.pem",
  der: "/ada/weir-ca.cer",
  keyHash: "hash=",
  url: "https://probe.weir.test/anything/weir/socks",
  reverse: 9001,
  transparent: 8443,
};

function textOf(id: string): string {
  const variant = socks.variants.find((one) => one.id === id);
  return variant?.forms[0]?.text(VALUES) ?? "";
}

describe("SOCKS target", (test) => {
  test("given a proxy at an address of IPv6, has brackets where a port follows, and none in Java's property", () => {
    assert.match(textOf("curl"), "--socks5-hostname '[::1]:18686'");
    assert.match(textOf("requests"), '"socks5h://[::1]:18686"');
    assert.match(textOf("java"), '"-DsocksProxyHost=::1" "-DsocksProxyPort=18686"');
  });

  test("given snippets and steps that choose who resolves names, they let Weir resolve them (socks5h)", () => {
    for (const { id } of socks.variants) assert.not.match(textOf(id), /socks5:|--socks5 /);
    assert.match(
      setupOf(socks, VALUES)
        .map(({ code }) => code)
        .join(" "),
      "socks5h://",
    );
  });
});
