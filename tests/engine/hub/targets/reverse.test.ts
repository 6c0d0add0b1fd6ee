import * as assert from "uvu/assert";
import { setupOf, type Values } from "../../../../src/engine/hub/target.ts";
import { reverse, reversedUrl } from "../../../../src/engine/hub/targets/reverse.ts";
import { describe } from "../../../support/describe.ts";

const VALUES: Values = {
  host: "127.0.0.1",
  port: 18_686,
  lan: null,
  ca: "/ada/weir-ca.pem",
  bundle: "/ada/weir-ca-bundle.pem",
  der: "/ada/weir-ca.cer",
  keyHash: "hash=",
  url: "https://api.example.com:8443/v1/x?y=z",
  reverse: 9002,
  transparent: 8443,
};

describe("reverse port target", (test) => {
  test("given a URL, replaces its origin with the reverse port's address and keeps the rest", () => {
    assert.is(reversedUrl(VALUES), "http://127.0.0.1:9002/v1/x?y=z");
    assert.is(reversedUrl({ ...VALUES, url: "http://api.example.com" }), "http://127.0.0.1:9002");
    for (const { id, forms } of reverse.variants)
      for (const form of forms) assert.match(form.text(VALUES), "http://127.0.0.1:9002/v1/x", id);
  });

  test("given a reverse port, the steps show the setting, the command line and the address", () => {
    const codes = setupOf(reverse, VALUES).map(({ code }) => code);
    assert.equal(codes.slice(0, 3), [
      "9002=https://api.example.com:8443",
      "weir start --reverse 9002=https://api.example.com:8443",
      "http://127.0.0.1:9002",
    ]);
  });
});
