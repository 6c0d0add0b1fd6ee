import * as assert from "uvu/assert";
import { CONCEALED, concealed, concealedProxy, revealed } from "../../../src/engine/model/secret-settings.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../../src/engine/model/settings.ts";
import { describe } from "../../support/describe.ts";

const SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  upstreamProxy: "http://ada:s3cret@proxy.test:3128",
  clientCertificates: [
    { host: "a.test", file: "/a.pfx", passphrase: "s3cret" },
    { host: "b.test", file: "/b.pem", passphrase: null },
  ],
};

describe("secret settings", (test) => {
  test("given settings with passwords, conceals each password and changes nothing else", () => {
    const shown = concealed(SETTINGS);
    assert.not.match(JSON.stringify(shown), "s3cret");
    assert.is(shown.upstreamProxy, `http://ada:${CONCEALED}@proxy.test:3128`);
    assert.is(shown.clientCertificates[1]?.passphrase, null);
    assert.equal(concealed(DEFAULT_SETTINGS), DEFAULT_SETTINGS);
    assert.is(concealedProxy("http://ada@proxy.test"), "http://ada@proxy.test");
  });

  test("given concealed values that come back unchanged, restores the stored passwords", () => {
    const shown = concealed(SETTINGS);
    assert.is(revealed("upstreamProxy", shown.upstreamProxy, SETTINGS, null), SETTINGS.upstreamProxy);
    assert.equal(revealed("clientCertificates", shown.clientCertificates, SETTINGS, null), SETTINGS.clientCertificates);
  });

  test("given a proxy address that Weir offered, concealed, restores its password", () => {
    const offered = "http://env:pass@other.test:8080";
    assert.is(revealed("upstreamProxy", concealedProxy(offered), SETTINGS, offered), offered);
  });

  test("given a concealed password with another host, user or file, does not restore it", () => {
    for (const changed of [`http://ada:${CONCEALED}@evil.test:3128`, `http://eve:${CONCEALED}@proxy.test:3128`])
      assert.is(revealed("upstreamProxy", changed, SETTINGS, null), changed);
    const moved = [{ host: "evil.test", file: "/a.pfx", passphrase: CONCEALED }];
    assert.equal(revealed("clientCertificates", moved, SETTINGS, null), moved);
  });
});
