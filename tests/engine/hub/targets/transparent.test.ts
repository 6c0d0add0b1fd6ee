import * as assert from "uvu/assert";
import { setupOf } from "../../../../src/engine/hub/target.ts";
import { transparent } from "../../../../src/engine/hub/targets/transparent.ts";
import { describe } from "../../../support/describe.ts";

const VALUES = {
  host: "127.0.0.1",
  port: 18_686,
  lan: null,
  ca: "/ada/weir-ca.pem",
  bundle: "/ada/weir-ca-bundle.pem",
  der: "/ada/weir-ca.cer",
  keyHash: "hash=",
  url: "https://api.example.com/v1",
  reverse: 9001,
  transparent: 15_443,
};

describe("transparent port target", (test) => {
  test("given an open transparent port, names it in the setting, the command line and each redirect", () => {
    const codes = setupOf(transparent, VALUES).map(({ code }) => code);
    assert.equal(codes.slice(0, 2), ["15443", "weir start --transparent 15443"]);
    for (const { id, forms } of transparent.variants)
      for (const form of forms) assert.match(form.text(VALUES), "15443", id);
  });

  test("given a redirect, offers an undo line and exempts Weir's own user", () => {
    const redirects = transparent.variants.filter(({ id }) => id !== "curl");
    assert.is(redirects.length, 4);
    for (const { id, forms } of redirects)
      for (const form of forms) {
        assert.ok(form.undo !== null, id);
        if (id !== "windows") assert.match(form.text(VALUES), /(?:! --uid-owner|skuid !=|user !=) "?\$\(id -un?\)/, id);
      }
  });
});
