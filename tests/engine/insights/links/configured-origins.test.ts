import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { linksIn, type Talk } from "../../../support/linked.ts";

const JSON_TYPE = ["content-type: application/json"];
const member = fc.constantFrom("apiBase", "base_url", "uploadHost", "endpoint", "API_ORIGIN");
const host = fc.stringMatching(/^[a-z]{3,10}$/);

const configured = (name: string, base: string, before: readonly Talk[], after: readonly Talk[]) =>
  linksIn([
    ...before,
    { at: 1_000, target: "/config.json", gives: JSON_TYPE, answer: JSON.stringify({ theme: "dark", [name]: base }) },
    ...after,
  ]).filter((link) => link.endsWith("initiator"));

describe("origins that a configuration names", (test) => {
  test("given a base, links the first requests below it, and later ones not", () => {
    fc.assert(
      fc.property(member, host, fc.constantFrom("", "/", "/v2"), (name, own, path) => {
        const origin = `https://${own}.example`;
        const asked = [2_000, 2_010, 9_000].map((at, index) => ({ at, origin, target: `/v2/part${index}` }));
        assert.equal(configured(name, origin + path, [], asked), ["1>2 initiator", "1>3 initiator"]);
      }),
    );
  });

  test("given an origin known before, another path, or an ordinary member, links nothing", () => {
    fc.assert(
      fc.property(member, host, (name, own) => {
        const origin = `https://${own}.example`;
        const asked = { at: 2_000, origin, target: "/v2/part" };
        assert.equal(configured(name, origin, [{ at: 0, origin, target: "/v2/early" }], [asked]), []);
        assert.equal(configured(name, `${origin}/v3`, [], [asked]), []);
        assert.equal(configured("homepage", origin, [], [asked]), []);
      }),
    );
  });
});
